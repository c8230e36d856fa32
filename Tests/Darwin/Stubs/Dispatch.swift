// The declarations of Dispatch in use.
@_exported import Darwin

public struct DispatchTime: Comparable, Sendable {
    public static func now() -> DispatchTime { stub() }
    public static func < (left: DispatchTime, right: DispatchTime) -> Bool { stub() }
    public static func == (left: DispatchTime, right: DispatchTime) -> Bool { stub() }
}

public enum DispatchTimeInterval: Equatable, Sendable {
    case seconds(Int)
    case milliseconds(Int)
    case microseconds(Int)
    case nanoseconds(Int)
    case never
}

public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { stub() }
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { stub() }

public struct DispatchQoS: Equatable, Sendable {
    public enum QoSClass: Sendable { case background, utility, `default`, userInitiated, userInteractive, unspecified }
    public static let unspecified = DispatchQoS()
}

public struct DispatchWorkItemFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
}

open class DispatchObject {}

public final class DispatchSpecificKey<T: Sendable>: Sendable {
    public init() {}
}

open class DispatchQueue: DispatchObject, @unchecked Sendable {
    public struct Attributes: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public static let concurrent = Attributes(rawValue: 2)
    }
    public enum AutoreleaseFrequency: Sendable { case inherit, workItem, never }

    public class var main: DispatchQueue { stub() }
    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { stub() }
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) { stub() }
    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { stub() }
    public convenience init(
        label: String, qos: DispatchQoS = .unspecified, attributes: Attributes = [],
        autoreleaseFrequency: AutoreleaseFrequency = .inherit, target: DispatchQueue? = nil
    ) { stub() }
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) { stub() }
    @preconcurrency public func async(
        group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { stub() }
    @preconcurrency public func asyncAfter(
        deadline: DispatchTime, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void
    ) { stub() }
    public func sync<T>(execute work: () throws -> T) rethrows -> T { stub() }
}

open class DispatchGroup: DispatchObject, @unchecked Sendable {
    public override init() {}
}

public enum DispatchTimeoutResult: Sendable { case success, timedOut }

open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    public init(value: Int) {}
    public func wait() { stub() }
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { stub() }
    @discardableResult public func signal() -> Int { stub() }
}

public protocol DispatchSourceProtocol: AnyObject {
    func setEventHandler(
        qos: DispatchQoS, flags: DispatchWorkItemFlags, handler: (@Sendable @convention(block) () -> Void)?)
    func activate()
    func cancel()
    func resume()
}

extension DispatchSourceProtocol {
    public func setEventHandler(handler: (@Sendable @convention(block) () -> Void)?) { stub() }
}

public protocol DispatchSourceTimer: DispatchSourceProtocol {
    func schedule(deadline: DispatchTime, repeating interval: DispatchTimeInterval, leeway: DispatchTimeInterval)
}

extension DispatchSourceTimer {
    public func schedule(
        deadline: DispatchTime, repeating interval: DispatchTimeInterval = .never,
        leeway: DispatchTimeInterval = .nanoseconds(0)
    ) { stub() }
}

open class DispatchSource: DispatchObject {
    public struct TimerFlags: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
    }
    public class func makeTimerSource(
        flags: TimerFlags = [], queue: DispatchQueue? = nil
    ) -> any DispatchSourceTimer { stub() }
}

private func stub() -> Never { fatalError() }
