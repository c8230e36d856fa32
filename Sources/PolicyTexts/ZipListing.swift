/// The first files that the directory of a ZIP archive lists, from the end of the archive.
///
/// At most 64 entries of at most 64 KiB. Encrypted archives list names as well. Source: APPNOTE.TXT 6.3.10 §4.3.12 and §4.3.16.
package struct ZipListing {
    /// A file of the archive.
    package struct Entry: Sendable, Equatable {
        /// The path in the archive.
        package let path: [UInt8]
        /// The size in bytes when unpacked; nil for 4 GiB and more.
        package let size: UInt64?
    }

    package let entries: [Entry]

    private static let most = 64
    private static let window = 64 << 10
    private static let end: [UInt8] = [0x50, 0x4b, 0x05, 0x06]
    private static let header: [UInt8] = [0x50, 0x4b, 0x01, 0x02]

    /// Reads the listing of an archive; nil for a file that is no archive of this format, or a damaged one.
    ///
    /// - Parameters:
    ///   - size: The size of the file in bytes.
    ///   - read: Returns at most so many bytes from an offset.
    package init?(size: UInt64, read: (Int, UInt64) -> [UInt8]?) {
        let tailStart = size - min(size, UInt64(Self.window))
        guard let tail = read(Int(size - tailStart), tailStart), tail.count >= 22,
            let last = (0...(tail.count - 22)).last(where: { tail[$0...].starts(with: Self.end) })
        else { return nil }
        let offset = Self.number(tail[(last + 16)..<(last + 20)])
        guard offset < size, let listing = read(Int(min(UInt64(Self.window), size - offset)), offset) else {
            return nil
        }
        var entries: [Entry] = []
        var at = 0
        while entries.count < Self.most, at + 46 <= listing.count, listing[at...].starts(with: Self.header) {
            let length = Int(Self.number(listing[(at + 28)..<(at + 30)]))
            let rest = Int(Self.number(listing[(at + 30)..<(at + 32)]) + Self.number(listing[(at + 32)..<(at + 34)]))
            guard at + 46 + length <= listing.count else { break }
            let path = Array(listing[(at + 46)..<(at + 46 + length)])
            let bytes = Self.number(listing[(at + 24)..<(at + 28)])
            if path.last != UInt8(ascii: "/"), !path.starts(with: "__MACOSX/".utf8) {
                entries.append(Entry(path: path, size: bytes == 0xffff_ffff ? nil : bytes))
            }
            at += 46 + length + rest
        }
        guard !entries.isEmpty else { return nil }
        self.entries = entries
    }

    /// A number with its lowest byte first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
