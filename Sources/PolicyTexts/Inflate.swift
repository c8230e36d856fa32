/// A decoder of gzip and zlib content, piece by piece, with limits.
///
/// Memory is 64 KiB of input and 64 KiB of output whatever the content. Sources: RFC 1950, RFC 1951, RFC 1952.
package struct Inflate {
    /// The content is no gzip or zlib content, is damaged or truncated, or exceeds the limit.
    private struct Failure: Error {}

    /// A code of Huffman in canonical form: the number of codes of each length, and the symbols in the order of their codes.
    private struct Code {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int]

        init(lengths: ArraySlice<Int>) throws(Failure) {
            symbols = [Int](repeating: 0, count: lengths.count)
            for length in lengths { counts[length] += 1 }
            var offsets = [Int](repeating: 0, count: 16)
            var left = 1
            for length in 1..<16 {
                left = left * 2 - counts[length]
                guard left >= 0 else { throw Failure() }
                if length < 15 { offsets[length + 1] = offsets[length] + counts[length] }
            }
            for (symbol, length) in lengths.enumerated() where length > 0 {
                symbols[offsets[length]] = symbol
                offsets[length] += 1
            }
        }
    }

    private static let window = 1 << 15
    private let read: (Int) -> [UInt8]?
    private let write: (UnsafeRawBufferPointer) -> Void
    private var input: [UInt8] = []
    private var position = 0
    private var bits: UInt32 = 0
    private var bitCount = 0
    /// The last bytes of the output: those that copies may refer to, and those that were not delivered.
    private var output: [UInt8] = []
    private var delivered = 0
    private var left: UInt64

    private init(
        limit: UInt64, _ read: @escaping (Int) -> [UInt8]?, _ write: @escaping (UnsafeRawBufferPointer) -> Void
    ) {
        (left, self.read, self.write) = (limit, read, write)
        output.reserveCapacity(Self.window * 2 + 258)
    }

    /// Returns true if the first bytes of a file are those of gzip or zlib content.
    package static func isCompressed(_ bytes: some Collection<UInt8>) -> Bool {
        let start = Array(bytes.prefix(3))
        guard start.count == 3 else { return false }
        return start == [0x1f, 0x8b, 8] || (start[0] == 0x78 && (Int(start[0]) << 8 | Int(start[1])) % 31 == 0)
    }

    /// Decodes content.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that are decoded.
    ///   - read: Returns the next bytes, at most as many as asked for; none at the end, nil on an error.
    ///   - write: Receives the decoded bytes in pieces.
    /// - Returns: True if the content is whole. The checksum at its end is not compared.
    package static func decode(
        limit: UInt64, reading read: @escaping (Int) -> [UInt8]?,
        writing write: @escaping (UnsafeRawBufferPointer) -> Void
    ) -> Bool {
        var decoder = Inflate(limit: limit, read, write)
        do throws(Failure) {
            try decoder.header()
            try decoder.blocks()
        } catch { return false }
        return true
    }

    private mutating func byte() throws(Failure) -> UInt8 {
        if position == input.count {
            guard let next = read(1 << 16), !next.isEmpty else { throw Failure() }
            (input, position) = (next, 0)
        }
        position += 1
        return input[position - 1]
    }

    /// The next bits of the input, the first one lowest.
    private mutating func take(_ count: Int) throws(Failure) -> Int {
        while bitCount < count {
            bits |= UInt32(try byte()) << UInt32(bitCount)
            bitCount += 8
        }
        let value = Int(bits & (1 << UInt32(count) - 1))
        bits >>= UInt32(count)
        bitCount -= count
        return value
    }

    private mutating func header() throws(Failure) {
        let first = try byte()
        let second = try byte()
        guard first == 0x1f else {
            guard first & 0x0f == 8, second & 0x20 == 0 else { throw Failure() }
            return
        }
        guard second == 0x8b, try byte() == 8 else { throw Failure() }
        let flags = try byte()
        for _ in 0..<6 { _ = try byte() }
        if flags & 4 != 0 {
            let low = Int(try byte())
            for _ in 0..<(low | Int(try byte()) << 8) { _ = try byte() }
        }
        // The name of the file, and a comment.
        for flag in [8, 16] as [UInt8] where flags & flag != 0 {
            while try byte() != 0 {}
        }
        if flags & 2 != 0 { for _ in 0..<2 { _ = try byte() } }
    }

    private mutating func blocks() throws(Failure) {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored()
            case 1: try compressed(Self.fixed.literals, distances: Self.fixed.distances)
            case 2:
                let (literals, distances) = try codes()
                try compressed(literals, distances: distances)
            default: throw Failure()
            }
        }
        deliver()
    }

    private mutating func stored() throws(Failure) {
        (bits, bitCount) = (0, 0)
        let low = Int(try byte())
        let length = low | Int(try byte()) << 8
        for _ in 0..<2 { _ = try byte() }
        for _ in 0..<length { try append(try byte()) }
    }

    private mutating func append(_ byte: UInt8) throws(Failure) {
        guard left > 0 else { throw Failure() }
        left -= 1
        output.append(byte)
        if output.count >= Self.window * 2 { deliver() }
    }

    /// Delivers what is decoded, and keeps what copies may refer to.
    private mutating func deliver() {
        let start = delivered
        output.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        if output.count > Self.window { output.removeFirst(output.count - Self.window) }
        delivered = output.count
    }

    private mutating func symbol(_ code: Code) throws(Failure) -> Int {
        var (value, first, index) = (0, 0, 0)
        for length in 1..<16 {
            value |= try take(1)
            let count = code.counts[length]
            if value - count < first { return code.symbols[index + value - first] }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        throw Failure()
    }

    private mutating func compressed(_ literals: Code, distances: Code) throws(Failure) {
        while true {
            let symbol = try symbol(literals)
            if symbol < 256 {
                try append(UInt8(symbol))
                continue
            }
            guard symbol > 256 else { return }
            guard symbol < 286 else { throw Failure() }
            let length = Self.lengths[symbol - 257].base + (try take(Self.lengths[symbol - 257].extra))
            let number = try self.symbol(distances)
            guard number < 30 else { throw Failure() }
            let distance = Self.distances[number].base + (try take(Self.distances[number].extra))
            guard distance <= output.count, distance <= Self.window else { throw Failure() }
            for _ in 0..<length { try append(output[output.count - distance]) }
        }
    }

    private mutating func codes() throws(Failure) -> (Code, Code) {
        let literals = try take(5) + 257
        let distances = try take(5) + 1
        let count = try take(4) + 4
        guard literals <= 286 else { throw Failure() }
        var lengths = [Int](repeating: 0, count: 19)
        for index in 0..<count { lengths[Self.order[index]] = try take(3) }
        let code = try Code(lengths: lengths[...])
        lengths = []
        while lengths.count < literals + distances {
            let symbol = try symbol(code)
            switch symbol {
            case 0..<16: lengths.append(symbol)
            case 16:
                guard let last = lengths.last else { throw Failure() }
                lengths += [Int](repeating: last, count: 3 + (try take(2)))
            case 17: lengths += [Int](repeating: 0, count: 3 + (try take(3)))
            default: lengths += [Int](repeating: 0, count: 11 + (try take(7)))
            }
        }
        guard lengths.count == literals + distances, lengths[256] > 0 else { throw Failure() }
        return (try Code(lengths: lengths[..<literals]), try Code(lengths: lengths[literals...]))
    }

    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The lengths and the distances of copies: the smallest of each symbol, and the bits that are added.
    private static let lengths = table(from: 3, extra: [0, 0, 0, 0, 0, 0, 0, 0] + grown(1...5, by: 4)) + [(258, 0)]
    private static let distances = table(from: 1, extra: [0, 0, 0, 0] + grown(1...13, by: 2))

    private static func grown(_ extra: ClosedRange<Int>, by times: Int) -> [Int] {
        extra.flatMap { [Int](repeating: $0, count: times) }
    }

    private static func table(from first: Int, extra: [Int]) -> [(base: Int, extra: Int)] {
        var base = first
        return extra.map { bits in
            defer { base += 1 << bits }
            return (base, bits)
        }
    }

    private static let fixed: (literals: Code, distances: Code) = {
        let lengths =
            [Int](repeating: 8, count: 144) + [Int](repeating: 9, count: 112) + [Int](repeating: 7, count: 24)
            + [Int](repeating: 8, count: 8)
        guard let literals = try? Code(lengths: lengths[...]),
            let distances = try? Code(lengths: [Int](repeating: 5, count: 30)[...])
        else { preconditionFailure("the fixed codes are complete") }
        return (literals, distances)
    }()
}
