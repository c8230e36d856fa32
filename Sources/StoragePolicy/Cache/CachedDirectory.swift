internal import ContainerTree
internal import FileSystem

/// The cached content of one directory's files, during the visit of the directory.
final class CachedDirectory {
    /// The entries of a directory, sorted by name, as they are stored.
    struct Stored: Sendable {
        private let bytes: [UInt8]
        private let entries: [(name: Range<Int>, content: Range<Int>)]

        static let none = Stored()

        private init() { (bytes, entries) = ([], []) }

        /// Reads the names of the entries in a range of a file.
        init(_ bytes: [UInt8], _ range: Range<Int>) throws(DamagedCache) {
            self.bytes = bytes
            var reader = CacheReader(bytes, range)
            entries = try reader.each { reader throws(DamagedCache) in (try reader.range(), try reader.range()) }
            guard reader.isAtEnd else { throw DamagedCache() }
        }

        var count: Int { entries.count }

        /// Returns the encoded content of an entry.
        func content(of name: UnsafeRawBufferPointer) -> CacheReader? {
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                let found = bytes[entries[middle].name]
                if found.elementsEqual(name) { return CacheReader(bytes, entries[middle].content) }
                if found.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
            }
            return nil
        }

        /// All entries.
        var all: [[UInt8]: [UInt8]] {
            Dictionary(entries.map { (Array(bytes[$0.name]), Array(bytes[$0.content])) }) { first, _ in first }
        }
    }

    private let stored: Stored
    /// True if entries are kept that this visit does not need, because an earlier visit of the run did.
    private let keepsAll: Bool
    let clock: @Sendable () -> Timestamp
    private var new: [[UInt8]: [UInt8]] = [:]
    private var known: Set<[UInt8]> = []

    init(_ stored: Stored, keepsAll: Bool, _ clock: @escaping @Sendable () -> Timestamp) {
        self.stored = stored
        self.keepsAll = keepsAll
        self.clock = clock
    }

    /// The largest encoded content of one file.
    private static let mostBytes = 4 << 20

    /// Returns the stored content of an item; nil for an unknown or a changed one.
    func content(of item: Item) -> CachedContent? {
        guard stored.count > 0, var reader = stored.content(of: item.name), let content = try? reader.content(),
            content.isValid(for: item)
        else { return nil }
        return content
    }

    /// Keeps the stored content of an item as it is.
    func keepKnown(_ name: UnsafeRawBufferPointer) { known.insert(Array(name)) }

    func keep(_ content: CachedContent, of name: UnsafeRawBufferPointer) {
        var writer = CacheWriter()
        writer.add(content)
        if writer.bytes.count <= Self.mostBytes { new[Array(name)] = writer.bytes }
    }

    /// True if the stored entries remain as they are.
    private var isUnchanged: Bool { new.isEmpty && (keepsAll || known.count == stored.count) }

    /// The entries after the visit, in their stored form; nil if they are the stored ones.
    var encoded: [UInt8]? {
        guard !isUnchanged else { return nil }
        var entries = keepsAll ? stored.all : stored.all.filter { known.contains($0.key) }
        entries.merge(new) { $1 }
        var writer = CacheWriter()
        writer.add(each: entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }) { writer, entry in
            writer.add(entry.key)
            writer.add(entry.value)
        }
        return writer.bytes
    }
}
