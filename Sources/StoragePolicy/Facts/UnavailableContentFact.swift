internal import ContainerTree
internal import FileSystem

/// True if a file has a size but no content that a rule could judge: it cannot be read, it holds only zeros (as a disk
/// image or a backup without the file's blocks leaves it), or it is encrypted. Each is an incident. Reads 4 KiB.
enum UnavailableContentFact: Fact {
    static let name = "unavailable content"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> Bool {
        guard facts.item.status.kind == .file, facts.item.status.size > 0 else { return false }
        guard let first = facts[FirstBytesFact.self], !first.isEmpty else {
            facts.leaveOut(.unreadable)
            return true
        }
        guard facts[MagicFact.self] == nil else { return false }
        if first.count >= fewest, first.allSatisfy({ $0 == 0 }) {
            facts.leaveOut(.contentMissing)
            return true
        }
        guard isNoise(first) else { return false }
        facts.leaveOut(.contentEncrypted)
        return true
    }

    /// The size below which zeros and noise cannot be distinguished from content.
    private static let fewest = 64

    /// Returns true if every byte is about equally frequent, as in encrypted content: Pearson's chi-squared test against
    /// the uniform distribution, whose statistic has mean 255 and standard deviation 23 for 256 values.
    static func isNoise(_ bytes: [UInt8]) -> Bool {
        // Half of the bytes of noise have the highest bit, and none of those of Base64.
        guard bytes.count >= fewest, bytes.count(where: { $0 >= 0x80 }) * 4 > bytes.count else { return false }
        var counts = [Double](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let expected = Double(bytes.count) / 256
        let statistic = counts.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
        return statistic < 400
    }
}
