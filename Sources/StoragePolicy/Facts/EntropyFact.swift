internal import ContainerTree
internal import FileSystem
internal import Foundation

/// The entropy of a file's first 64 KiB in bits per byte; 8 is noise, as in encrypted data. Nil for fewer than 4 KiB,
/// whose entropy is always lower, and for known formats and compressed data.
enum EntropyFact: Fact {
    static let name = "entropy"
    static let cost = Cost.read
    static let least = 4_096

    static func value(of facts: ItemFacts) -> Double? {
        guard facts.item.status.kind == .file, facts.item.status.size >= UInt64(least),
            facts[MagicFact.self] == nil, let bytes = facts.item.entry.bytes(65_536, at: 0), bytes.count >= least,
            !compressed.contains(where: { bytes.starts(with: $0) })
        else { return nil }
        return entropy(of: bytes)
    }

    /// Shannon's entropy of the bytes' frequencies.
    static func entropy(of bytes: [UInt8]) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        return counts.filter { $0 > 0 }.reduce(0) { sum, count in
            let share = Double(count) / Double(bytes.count)
            return sum - share * log2(share)
        }
    }

    /// Gzip, Zstandard, XZ, LZ4, bzip2, 7z, zlib at its three levels, LZFSE. Source: the formats' specifications.
    private static let compressed: [[UInt8]] = [
        [0x1f, 0x8b], [0x28, 0xb5, 0x2f, 0xfd], [0xfd, 0x37, 0x7a, 0x58, 0x5a], [0x04, 0x22, 0x4d, 0x18],
        Array("BZh".utf8), [0x37, 0x7a, 0xbc, 0xaf], [0x78, 0x01], [0x78, 0x9c], [0x78, 0xda], Array("bvx".utf8),
    ]
}
