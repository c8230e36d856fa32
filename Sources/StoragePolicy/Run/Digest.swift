/// FNV-1a, 64 bits, of several texts. Source: draft-eastlake-fnv.
package struct Digest {
    static let prime: UInt64 = 0x0000_0100_0000_01b3
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* Self.prime }
        // No name and no path holds a zero, so that one part cannot run into the next.
        value = value &* Self.prime
    }

    /// Returns sixteen hexadecimal digits.
    package static func text(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
