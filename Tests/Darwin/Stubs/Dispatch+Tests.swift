// The declarations of Dispatch that only tests use.

public final class DispatchWorkItem: @unchecked Sendable {
    public init(block: @escaping @convention(block) () -> Void) { fatalError() }
    public func cancel() { fatalError() }
}
extension DispatchQueue {
    public func asyncAfter(deadline: DispatchTime, execute work: DispatchWorkItem) { fatalError() }
}
