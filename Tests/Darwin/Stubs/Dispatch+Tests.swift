// The declarations of Dispatch that only tests use.

public final class DispatchWorkItem: @unchecked Sendable {
    public init(block: @escaping @convention(block) () -> Void) { fatalError() }
    public func cancel() { fatalError() }
}
extension DispatchQueue {
    public func asyncAfter(deadline: DispatchTime, execute work: DispatchWorkItem) { fatalError() }
}
extension DispatchGroup {
    public func enter() { fatalError() }
    public func leave() { fatalError() }
    public func wait() { fatalError() }
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
}
public protocol DispatchSourceSignal: DispatchSourceProtocol {}
extension DispatchSource {
    public class func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal {
        fatalError()
    }
}
