internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Foundation
internal import PolicyTexts

/// The format that a file's first bytes show. Reads 64 bytes.
enum MagicFact: Fact {
    static let name = "magic"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> Magic? {
        guard facts.item.status.kind == .file, facts.item.status.size >= Magic.shortest else { return nil }
        return facts[FirstBytesFact.self].flatMap { Magic($0) }
    }
}

/// The extension of a file whose name says nothing, by its first bytes; nil for another file. Reads 512 bytes.
enum ContentExtensionFact: Fact {
    static let name = "kind of content"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> UInt64? {
        facts.isEvicted
            ? nil : ContentExtension.word(of: facts.item, PathExtension.word(of: facts.name), in: facts.directory)
    }
}

extension ContentExtension {
    /// Returns the extension for the content of a file with another extension; nil where the name, the size or the place
    /// decides that its content does not matter.
    @inline(__always)
    static func word(of item: Item, _ pathExtension: UInt64, in directory: Directory) -> UInt64? {
        let size = item.status.size
        guard size >= least, item.status.isFile, isOpen(pathExtension) || size % MMKVStore.pageSize == 0 else {
            return nil
        }
        return word(ofFile: item, isOpen: isOpen(pathExtension), in: directory)
    }

    private static func word(ofFile item: Item, isOpen: Bool, in directory: Directory) -> UInt64? {
        guard !directory.location.isSystemOwned, directory.location != .preferences,
            directory.location != .syncedPreferences
        else { return nil }
        if MMKVStore.isStore(StoreFile(item)) { return mmkv }
        // Outside backups only databases matter, whose sizes are multiples of that of a page.
        guard isOpen, directory.isBackedUp || item.status.size % 512 == 0 else { return nil }
        return item.entry.bytes(count, at: 0).flatMap { word(for: $0) }
    }

    private static let mmkv = PathExtension.word("mmkv")
}

/// A file's first bytes: at least as many as the formats' headers need, and all of a small file. Reads 4 KiB.
enum FirstBytesFact: Fact {
    static let name = "first bytes"
    static let cost = Cost.read
    static let limit = 4 << 10

    static func value(of facts: ItemFacts) -> [UInt8]? {
        guard facts.item.status.kind == .file, !facts.isEvicted else { return nil }
        return facts.item.entry.bytes(Int(min(facts.item.status.size, UInt64(limit))), at: 0)
    }
}

/// The entropy of a file's first 64 KiB in bits per byte; 8 is noise, as in encrypted data. Nil for fewer than 4 KiB,
/// whose entropy is always lower, and for known formats and compressed data.
enum EntropyFact: Fact {
    static let name = "entropy"
    static let cost = Cost.read
    static let least = 4_096

    static func value(of facts: ItemFacts) -> Double? {
        guard facts.item.status.kind == .file, facts.item.status.size >= UInt64(least),
            facts[MagicFact.self] == nil, let bytes = facts.bytes(65_536, at: 0), bytes.count >= least,
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

/// True if a file has a size but no content that a rule could judge: it cannot be read, it holds only zeros (as a disk
/// image or a backup without the file's blocks leaves it), or it is encrypted. Each is an incident. Reads 4 KiB.
enum UnavailableContentFact: Fact {
    static let name = "unavailable content"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> Bool {
        guard facts.item.status.kind == .file, facts.item.status.size > 0 else { return false }
        guard !facts.isEvicted else {
            // A mark of the system is an incident of its own.
            if !facts.item.status.isDataless { facts.leaveOut(.contentMissing) }
            return true
        }
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
