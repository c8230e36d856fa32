internal import ContainerTree
internal import FileSystem

/// A file of a key-value store, as the checks of its format read it.
struct StoreFile {
    /// The result of a check.
    enum Check: Hashable {
        /// It has another format, or nothing proves that it is damaged.
        case passed
        /// It is damaged, for this reason.
        case damaged(String)
        /// It has more bytes than are read.
        case tooLarge
    }

    /// The most bytes of one file that are read.
    static let limit: UInt64 = 256 << 20
    private static let piece = 1 << 20
    private let item: Item

    init(_ item: Item) { self.item = item }

    var name: [UInt8] { Array(item.name) }
    var size: UInt64 { item.status.size }

    /// Returns bytes of the file; nil if it has fewer.
    func bytes(_ count: Int, at offset: UInt64) -> [UInt8]? {
        item.entry.bytes(count, at: offset).flatMap { $0.count == count ? $0 : nil }
    }

    /// Returns at most as many bytes of a file beside this one, as it is now; nil if it does not exist.
    func bytes(_ count: Int, at offset: UInt64 = 0, of name: [UInt8]) -> [UInt8]? {
        item.entry.bytes(count, at: offset, ofSibling: name)
    }

    /// True if a file of this name was beside this one when the directory was read.
    func hasSibling(_ name: [UInt8]) -> Bool { item.entry.status(ofSibling: name)?.isFile ?? false }

    /// Calls `body` for all bytes of a range in pieces. Returns false if the file has fewer.
    func read(_ range: Range<UInt64>, _ body: ([UInt8]) -> Void) -> Bool {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = Int(min(UInt64(Self.piece), range.upperBound - offset))
            guard let bytes = bytes(count, at: offset) else { return false }
            body(bytes)
            offset += UInt64(count)
        }
        return true
    }

    /// True if all bytes of a range are zero.
    func isZero(_ range: Range<UInt64>) -> Bool {
        var isZero = true
        return read(range) { bytes in isZero = isZero && bytes.allSatisfy { $0 == 0 } } && isZero
    }
}

extension Collection<UInt8> {
    /// The number that some bytes stand for, the lowest byte first; nil beyond the end.
    func number(at offset: Int, bytes count: Int) -> UInt64? {
        guard offset >= 0, offset + count <= self.count else { return nil }
        return dropFirst(offset).prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
