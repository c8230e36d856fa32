/// A digest of the texts of rules, which shows that two reports were created with the same rules.
package struct RuleDigest: Sendable, Hashable {
    /// Sixteen hexadecimal digits.
    package let text: String

    /// Creates the digest of some rules, in any order. FNV-1a, 64 bits; source: draft-eastlake-fnv.
    package init(_ rules: [Rule]) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for rule in rules.sorted(by: { $0.id < $1.id }) {
            hash = rule.text.utf8.reduce(hash) { ($0 ^ UInt64($1)) &* Self.prime } &* Self.prime
        }
        let digits = String(hash, radix: 16)
        text = String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static let prime: UInt64 = 0x0000_0100_0000_01b3
}
