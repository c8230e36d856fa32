package import SystemPackage

/// The destination of a stream of bytes: a descriptor of the process, or memory.
package struct ByteSink: Sendable {
    private enum Target: Sendable {
        case descriptor(Int32)
        case captured(CapturedBytes)
    }

    private let target: Target

    /// A descriptor, which must stay open.
    package static func descriptor(_ descriptor: Int32) -> ByteSink { ByteSink(target: .descriptor(descriptor)) }

    /// Memory.
    package static func captured(_ bytes: CapturedBytes) -> ByteSink { ByteSink(target: .captured(bytes)) }

    /// Writes all bytes and waits for a slow reader. Returns the error that prevented it, or nil.
    package func write(_ bytes: [UInt8]) -> Errno? {
        switch target {
        case .descriptor(let descriptor): return Host.write(bytes, to: descriptor)
        case .captured(let captured):
            captured.append(bytes)
            return nil
        }
    }

    /// True if the destination is a terminal.
    package var isTerminal: Bool {
        if case .descriptor(let descriptor) = target { Host.isTerminal(descriptor) } else { false }
    }

    /// The number of columns of the terminal; nil if the destination is not one, or if the number is unknown.
    package var terminalColumns: Int? {
        if case .descriptor(let descriptor) = target { Host.terminalColumns(descriptor) } else { nil }
    }
}

/// Bytes that were written to a sink in memory.
package final class CapturedBytes: Sendable {
    private let captured = LockedValue<[UInt8]>([])

    package init() {}

    /// The bytes so far.
    package var bytes: [UInt8] { captured.withLock { $0 } }

    fileprivate func append(_ bytes: [UInt8]) { captured.withLock { $0 += bytes } }
}
