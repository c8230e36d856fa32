/// The digests of the parts of a form with files, as a browser or an app uploads it (RFC 7578).
///
/// The boundary is the first line of the body; memory is that of one line of the boundary.
struct FormParts {
    private enum State { case boundary, line, header, content, none }
    private static let longestBoundary = 200
    private static let mostParts = 64

    private var state = State.boundary
    /// The line break and the boundary that end a part.
    private var delimiter: [UInt8] = []
    /// The bytes since the last line break of the headers, or the bytes that may begin the delimiter.
    private var held: [UInt8] = []
    private var part = BodyHasher()
    private var pending: [UInt8] = []
    private(set) var digests: [(digest: BodyDigest, size: UInt64)] = []

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard state != .none else { return }
        for byte in bytes {
            switch state {
            case .boundary: readBoundary(byte)
            case .line: readLine(byte)
            case .header: readHeader(byte)
            case .content: readContent(byte)
            case .none: return
            }
        }
        if state == .content { flush() }
    }

    private mutating func readBoundary(_ byte: UInt8) {
        held.append(byte)
        let isPossible = held.count <= Self.longestBoundary && (held.count > 2 || byte == UInt8(ascii: "-"))
        guard isPossible else {
            state = .none
            return
        }
        guard byte == 0x0a else { return }
        // A boundary has at least one character, and its line ends with both line breaks.
        guard held.count > 4, held[held.count - 2] == 0x0d else {
            state = .none
            return
        }
        delimiter = [0x0d, 0x0a] + held.dropLast(2)
        (held, state) = ([], .header)
    }

    /// Reads the rest of the line of a delimiter. The last one has two more dashes, and no part follows.
    private mutating func readLine(_ byte: UInt8) {
        guard byte == 0x0a else {
            if held.count < 3 { held.append(byte) }
            return
        }
        state = held.starts(with: "--".utf8) ? .none : .header
        held = []
    }

    /// Reads the headers of a part, which end with an empty line.
    private mutating func readHeader(_ byte: UInt8) {
        guard byte == 0x0a else {
            if held.count < 3 { held.append(byte) }
            return
        }
        if held == [0x0d] { (state, part) = (.content, BodyHasher()) }
        held = []
    }

    private mutating func readContent(_ byte: UInt8) {
        if byte == delimiter[held.count] {
            held.append(byte)
            guard held.count == delimiter.count else { return }
            flush()
            if let digest = part.digest, digests.count < Self.mostParts { digests.append(digest) }
            (held, state) = ([], .line)
            return
        }
        // Only its first byte can begin the delimiter again, since no other byte of it is a carriage return.
        pending += held
        held = []
        if byte == delimiter[0] { held.append(byte) } else { pending.append(byte) }
        if pending.count >= 1 << 16 { flush() }
    }

    private mutating func flush() {
        pending.withUnsafeBytes { part.update($0) }
        pending.removeAll(keepingCapacity: true)
    }
}
