/// The source of the answers of a user: a descriptor of the process, or memory.
package struct StandardInput: Sendable {
    private enum Source: Sendable {
        case descriptor(Int32)
        case bytes(UnreadBytes)
    }

    private let source: Source

    /// A descriptor, which must stay open.
    package static func descriptor(_ descriptor: Int32) -> StandardInput {
        StandardInput(source: .descriptor(descriptor))
    }

    /// Bytes in memory. They are read once, also by copies of the value.
    package static func bytes(_ bytes: [UInt8]) -> StandardInput { StandardInput(source: .bytes(UnreadBytes(bytes))) }

    /// True if the source is a descriptor of the process, which may have a terminal.
    package var isOfProcess: Bool { if case .descriptor = source { true } else { false } }

    /// True if the source is a terminal.
    package var isTerminal: Bool {
        if case .descriptor(let descriptor) = source { Host.isTerminal(descriptor) } else { false }
    }

    /// Reads a key of a terminal without showing it, or a byte in memory; nil at the end of the input.
    package func readKey() -> UInt8? {
        switch source {
        case .bytes(let bytes): bytes.readByte()
        case .descriptor(let descriptor): Host.readKey(from: descriptor)
        }
    }

    /// Reads a line and returns it without its end; nil at the end of the input. Of a descriptor, no byte after the line is read.
    package func readLine() -> String? {
        switch source {
        case .bytes(let bytes): bytes.readLine()
        case .descriptor(let descriptor): Host.readLine(from: descriptor)
        }
    }
}

/// Bytes that are read once.
private final class UnreadBytes: Sendable {
    private let rest: LockedValue<ArraySlice<UInt8>>

    init(_ bytes: [UInt8]) { rest = LockedValue(bytes[...]) }

    func readByte() -> UInt8? { rest.withLock { $0.popFirst() } }

    func readLine() -> String? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            return String(decoding: line, as: UTF8.self)
        }
    }
}
