internal import FileSystem

/// A part of a cache that does not have the expected form.
struct DamagedCache: Error {}

/// A buffer of numbers and length-prefixed byte strings.
struct CacheWriter {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Appends a number in groups of seven bits, lowest first (LEB128).
    mutating func add(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func add(_ count: Int) { add(UInt64(count)) }

    /// Appends a number that uses all of its bits, such as a digest.
    mutating func addFixed(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ string: some Collection<UInt8>) {
        add(string.count)
        bytes.append(contentsOf: string)
    }

    /// Appends bytes that were written before.
    mutating func append(_ written: [UInt8]) { bytes.append(contentsOf: written) }

    mutating func add(_ text: String) { add(text.utf8) }

    mutating func add(_ time: Timestamp) {
        addFixed(UInt64(bitPattern: time.seconds))
        add(UInt64(time.nanoseconds))
    }

    /// Appends the number of elements and each element.
    mutating func add<Element>(each elements: some Collection<Element>, _ add: (inout CacheWriter, Element) -> Void) {
        self.add(elements.count)
        for element in elements { add(&self, element) }
    }
}

/// A position in the bytes that a `CacheWriter` wrote. Every read is checked against the end.
struct CacheReader {
    private let bytes: [UInt8]
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        (position, end) = (range.lowerBound, range.upperBound)
    }

    init(_ bytes: [UInt8]) { self.init(bytes, bytes.indices) }

    var isAtEnd: Bool { position == end }

    mutating func byte() throws(DamagedCache) -> UInt8 {
        guard position < end else { throw DamagedCache() }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() throws(DamagedCache) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try byte()
            number |= UInt64(byte & 0x7f) << UInt64(shift)
            if byte < 0x80 { return number }
        }
        throw DamagedCache()
    }

    mutating func fixed() throws(DamagedCache) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 8) { number |= UInt64(try byte()) << UInt64(shift) }
        return number
    }

    /// Returns the range of a byte string.
    mutating func range() throws(DamagedCache) -> Range<Int> {
        guard let count = Int(exactly: try number()), count <= end - position else { throw DamagedCache() }
        defer { position += count }
        return position..<(position + count)
    }

    mutating func string() throws(DamagedCache) -> [UInt8] { Array(bytes[try range()]) }

    mutating func text() throws(DamagedCache) -> String { String(decoding: bytes[try range()], as: UTF8.self) }

    mutating func time() throws(DamagedCache) -> Timestamp {
        let seconds = Int64(bitPattern: try fixed())
        return Timestamp(seconds: seconds, nanoseconds: UInt32(truncatingIfNeeded: try number()))
    }

    /// Reads a number of elements and each element, which has at least one byte.
    mutating func each<Element>(
        _ read: (inout CacheReader) throws(DamagedCache) -> Element
    ) throws(DamagedCache) -> [Element] {
        guard let count = Int(exactly: try number()), count <= end - position else { throw DamagedCache() }
        var elements: [Element] = []
        elements.reserveCapacity(min(count, 4_096))
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }
}
