internal import PropertyLists
internal import ContainerTree
internal import FileSystem
internal import Foundation

/// The names of one directory that are one name to a file system which tells neither small from capital letters nor
/// one spelling of an accented letter from another.
///
/// A name of small ASCII letters costs one hash of its bytes. At most 1,048,576 names of a directory are compared.
struct NameCollisions {
    /// An item whose name another one shares.
    struct Collision {
        let name: [UInt8]
        let status: FileStatus
        /// The size of a directory.
        let size: DirectorySize?
        /// The other's name.
        let other: [UInt8]
    }

    /// A name that is not its own folded form.
    private struct Unfolded {
        let hash: UInt64
        let start: Int
        let length: Int
        let kind: FileKind
        let bytes: UInt64
        let size: DirectorySize?
    }

    private var hashes: [UInt64] = []
    private var unfolded: [Unfolded] = []
    private var bytes: [UInt8] = []
    private let limit: Int
    private let seed = Self.seed

    // A seed of the process's own: names made to have one hash cannot be made beforehand.
    private static let seed = UInt64.random(in: 0 ... .max)

    init(limit: Int = 1 << 20) { self.limit = limit }

    /// True if names were left out.
    private(set) var isFull = false

    mutating func add(
        _ name: UnsafeRawBufferPointer, _ scan: NameScan, _ status: FileStatus, _ size: DirectorySize? = nil
    ) {
        guard hashes.count < limit else {
            isFull = true
            return
        }
        guard !scan.isDisjoint(with: [.capital, .foreign]) else { return hashes.append(hash(name)) }
        let folded = withFolded(name, scan: scan) { hash($0) }
        hashes.append(folded)
        unfolded.append(
            Unfolded(
                hash: folded, start: bytes.count, length: name.count, kind: status.kind, bytes: status.size, size: size)
        )
        bytes.append(contentsOf: name)
    }

    /// The items whose names collide: of each set of names that are one, all but the one that is its own folded form, or
    /// the first by its bytes. Sorted by name.
    func collisions() -> [Collision] {
        guard !unfolded.isEmpty, hasDuplicates else { return [] }
        let byHash = Dictionary(grouping: unfolded, by: \.hash)
        var count: [UInt64: Int] = [:]
        for hash in hashes where byHash[hash] != nil { count[hash, default: 0] += 1 }
        var found: [Collision] = []
        for (hash, group) in byHash {
            let items = group.map { (name: Array(bytes[$0.start..<($0.start + $0.length)]), item: $0) }
                .sorted { $0.name.lexicographicallyPrecedes($1.name) }
            guard let first = items.first else { continue }
            let isFoldedThere = count[hash, default: 0] > items.count
            let other = isFoldedThere ? folded(first.name) : first.name
            for (name, item) in isFoldedThere ? items[...] : items.dropFirst() {
                found.append(
                    Collision(
                        name: name, status: FileStatus(kind: item.kind, size: item.bytes), size: item.size,
                        other: other))
            }
        }
        return found.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// True if any two hashes are equal: an open table with twice as many slots.
    private var hasDuplicates: Bool {
        var size = 16
        while size < hashes.count * 2 { size *= 2 }
        let mask = UInt64(size - 1)
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: size) { table in
            table.initialize(repeating: 0)
            for hash in hashes {
                // Zero marks an empty slot.
                let hash = max(hash, 1)
                var slot = hash & mask
                while table[Int(slot)] != 0 {
                    if table[Int(slot)] == hash { return true }
                    slot = (slot + 1) & mask
                }
                table[Int(slot)] = hash
            }
            return false
        }
    }

    private func folded(_ name: [UInt8]) -> [UInt8] {
        name.withUnsafeBytes { name in withFolded(name, scan: NameScan(name)) { Array($0) } }
    }

    /// Calls `body` with the form of a name that is compared: in lowercase and, outside ASCII, in composed Unicode form.
    private func withFolded<Result>(
        _ name: UnsafeRawBufferPointer, scan: NameScan, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        guard scan.contains(.foreign), let text = String(utf8: name) else {
            return withUnsafeTemporaryAllocation(byteCount: max(1, name.count), alignment: 8) { buffer in
                for (index, byte) in name.enumerated() {
                    buffer[index] = (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte ? byte | 0x20 : byte
                }
                return body(UnsafeRawBufferPointer(rebasing: buffer[..<name.count]))
            }
        }
        return Array(Self.fold(text).utf8).withUnsafeBytes(body)
    }

    /// Full case folding is near enough to small letters of capital letters, but for the dotless i (U+0131), which folds
    /// to itself. Source: unicode.org, CaseFolding.txt and UAX #15.
    private static func fold(_ text: String) -> String {
        var folded = ""
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            guard scalar != "\u{131}" else {
                folded.unicodeScalars.append(scalar)
                continue
            }
            folded += scalar.properties.uppercaseMapping.lowercased()
        }
        return folded.precomposedStringWithCanonicalMapping
    }

    /// Eight bytes at a time, each multiplied into the sum.
    @inline(__always)
    private func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
        var sum = seed ^ UInt64(truncatingIfNeeded: name.count)
        var index = 0
        while index + 8 <= name.count {
            sum = Self.mix(sum ^ name.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        var last: UInt64 = 0
        while index < name.count {
            last = last << 8 | UInt64(name[index])
            index += 1
        }
        return Self.mix(sum ^ last)
    }

    @inline(__always)
    private static func mix(_ word: UInt64) -> UInt64 {
        let product = (word ^ 0x9e37_79b9_7f4a_7c15).multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
        return product.high ^ product.low
    }
}
