internal import FileSystem

/// The bytes of a name in the local header of a zip.
///
/// libarchive converts a name that is marked as UTF-8 to the locale, and composes its characters. The header itself has the
/// bytes. It ends where libarchive has stopped to read. Source: APPNOTE.TXT 6.3.10, §4.3.7 and §4.6.9.
struct ZipEntryName {
    let path: [UInt8]
    /// The target of a symbolic link.
    let target: [UInt8]?

    private static let fixedSize = 30
    private static let signature: [UInt8] = [0x50, 0x4b, 3, 4]
    /// The header has at most 30 bytes and two fields of 65,535; the target of a link is at most as long as a path.
    private static let most = 30 + 2 * 65_535 + 4096

    /// Searches for the header that ends at `end`, backwards. For a link, the content follows the header.
    init?(endingAt end: Int64, of file: OpenFile, isLink: Bool) {
        for size in [512, Self.most] {
            let count = min(Int(clamping: end), size)
            guard count >= Self.fixedSize,
                let bytes = try? file.read(upTo: count, from: UInt64(Int(clamping: end) - count)), bytes.count == count,
                let found = Self.header(endOf: bytes, isLink)
            else { continue }
            self = found
            return
        }
        return nil
    }

    private init(path: [UInt8], target: [UInt8]?) { (self.path, self.target) = (path, target) }

    private static func header(endOf bytes: [UInt8], _ isLink: Bool) -> ZipEntryName? {
        func number(_ offset: Int, count: Int) -> Int {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        var start = bytes.count - fixedSize
        while start >= 0 {
            defer { start -= 1 }
            guard bytes[start] == 0x50, bytes[start..<start + 4].elementsEqual(signature) else { continue }
            let content = isLink ? number(start + 18, count: 4) : 0
            let (nameCount, extraCount) = (number(start + 26, count: 2), number(start + 28, count: 2))
            guard start + fixedSize + nameCount + extraCount + content == bytes.count else { continue }
            let name = Array(bytes[start + fixedSize..<start + fixedSize + nameCount])
            let extra = Array(bytes[start + fixedSize + nameCount..<bytes.count - content])
            // Method 0: the content is not compressed.
            let target = isLink && number(start + 8, count: 2) == 0 ? Array(bytes.suffix(content)) : nil
            return ZipEntryName(path: unicodePath(in: extra) ?? name, target: target)
        }
        return nil
    }

    /// Returns the name in the extra field of Info-ZIP (0x7075), if there is one: a version, a checksum of the other name,
    /// and the name.
    private static func unicodePath(in extra: [UInt8]) -> [UInt8]? {
        var rest = extra[...]
        while rest.count >= 4 {
            let field = Array(rest.prefix(4))
            let count = Int(field[2]) | Int(field[3]) << 8
            rest = rest.dropFirst(4)
            guard count <= rest.count else { return nil }
            if field[0] == 0x75, field[1] == 0x70, count > 5, rest.first == 1 {
                return Array(rest.prefix(count).dropFirst(5))
            }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}
