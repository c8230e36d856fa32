internal import AppContainer
internal import ContainerTree

/// Evidence from the first bytes of a few files of a group: the traces that cameras, recorders and authoring programs
/// leave in what users make, and those that servers leave in what they send.
///
/// Costs one read of 16 KiB for each of at most three files of a group; of recordings the end is read as well. Sources: EXIF 2.32 (CIPA DC-008), ISO 32000-1
/// §14.3.3, the WebP container specification, RFC 9111 for the names of cache fields.
struct ContentEvidence {
    private let tree: any Tree
    private static let count = 16 << 10
    private static let samples = 3

    init(_ tree: any Tree) { self.tree = tree }

    /// The evidence that at least half of the samples share.
    func pieces(on group: EvidenceGroup, in directory: DirectoryEvidence, kind: String) -> [PieceOfEvidence] {
        guard Self.kinds.contains(kind) else { return [] }
        var votes: [PieceOfEvidence: Int] = [:]
        var read = 0
        for file in group.files where file.bytes > 0 {
            let path = directory.path(of: file.name)
            guard let bytes = tree.bytes(of: path, count: Self.count, at: 0), !bytes.isEmpty else { continue }
            read += 1
            var found = Set(Self.pieces(in: bytes))
            if found.isEmpty, Self.isMovie(bytes), file.bytes > UInt64(Self.count) {
                // Recorders write the metadata after the sound.
                let end = tree.bytes(of: path, count: Self.count, at: file.bytes - UInt64(Self.count)) ?? []
                found = Set(Self.recording(end))
            }
            for piece in found { votes[piece, default: 0] += 1 }
            if read == Self.samples { break }
        }
        return votes.filter { $0.value * 2 >= read }.keys.sorted { $0.id < $1.id }
    }

    /// Kinds of files whose beginning says who made them.
    private static let kinds: Set<String> = [
        "picture", "sound", "video", "document", "json", "none", "other", "data", "derived",
    ]

    /// The evidence in the first bytes of a file.
    static func pieces(in bytes: [UInt8]) -> [PieceOfEvidence] {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return picture(bytes) }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            return [PieceOfEvidence("web-picture", 1, "WebP")]
        }
        if bytes.starts(with: "GIF89a".utf8), bytes.contains("NETSCAPE2.0") {
            return [PieceOfEvidence("web-picture", 1, "animated GIF")]
        }
        if bytes.starts(with: "%PDF".utf8) { return document(bytes) }
        if bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) {
            let isOffice = bytes.contains("[Content_Types].xml") || bytes.contains("opendocument")
            return isOffice ? [PieceOfEvidence("authored-document", 0.8, "an office document")] : []
        }
        if isMovie(bytes) { return recording(bytes) + picture(bytes) }
        if bytes.starts(with: "caff".utf8) { return [PieceOfEvidence("recording", 0.5, "Core Audio")] }
        if let first = bytes.first(where: { $0 > 0x20 }), "{[".utf8.contains(first) { return json(bytes) }
        return []
    }

    /// Whether the bytes begin a file of the ISO base media format: a movie, a sound, or a HEIF picture.
    private static func isMovie(_ bytes: [UInt8]) -> Bool { bytes.dropFirst(4).starts(with: "ftyp".utf8) }

    /// A camera writes its maker and model; phones do also into what they scan.
    private static func picture(_ bytes: [UInt8]) -> [PieceOfEvidence] {
        guard let exif = bytes.index(of: "Exif\0\0") else { return [] }
        let tiff = Array(bytes[(exif + 6)...].prefix(8_192))
        guard tiff.count > 16 else { return [] }
        let isLittle = tiff.starts(with: "II".utf8)
        guard isLittle || tiff.starts(with: "MM".utf8) else { return [] }
        func number(_ at: Int, _ size: Int) -> Int? {
            guard at >= 0, at + size <= tiff.count else { return nil }
            let part = tiff[at..<(at + size)]
            return (isLittle ? part.reversed() : Array(part)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let first = number(4, 4), let entries = number(first, 2), entries <= 200 else { return [] }
        for entry in 0..<entries {
            guard let tag = number(first + 2 + entry * 12, 2) else { return [] }
            // Make and Model.
            if tag == 0x010f || tag == 0x0110 { return [PieceOfEvidence("camera")] }
        }
        return []
    }

    private static func document(_ bytes: [UInt8]) -> [PieceOfEvidence] {
        let isAuthored =
            bytes.contains("/Author") || bytes.contains("Quartz PDFContext") || bytes.contains("iOS Version")
            || bytes.contains("/Creator (Scan")
        return isAuthored ? [PieceOfEvidence("authored-document", 1, "a PDF with an author")] : []
    }

    /// Recorders and cameras name themselves in the metadata of what they record.
    private static func recording(_ bytes: [UInt8]) -> [PieceOfEvidence] {
        let marks = ["com.apple.VoiceMemos", "com.apple.quicktime.make", "com.apple.quicktime.model", "Voice Memo"]
        return marks.contains { bytes.contains($0) } ? [PieceOfEvidence("recording")] : []
    }

    private static func json(_ bytes: [UInt8]) -> [PieceOfEvidence] {
        let text = bytes.prefix(4_096)
        let found = [
            "fetchedAt", "fetched_at", "etag", "ETag", "max-age", "maxAge", "max_age", "ttl", "expiresAt",
            "expires_at", "variant", "experiment", "cdn",
        ].first { text.hasKey($0) }
        return found.map { [PieceOfEvidence("fetched-json", 1, $0)] } ?? []
    }
}

extension Collection<UInt8> where Index == Int {
    /// Where a text begins in the bytes.
    fileprivate func index(of text: String) -> Int? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, count >= wanted.count else { return nil }
        var start = startIndex
        while let found = self[start...].firstIndex(of: first) {
            guard found + wanted.count <= endIndex else { return nil }
            if self[found..<(found + wanted.count)].elementsEqual(wanted) { return found }
            start = found + 1
        }
        return nil
    }

    fileprivate func contains(_ text: String) -> Bool { index(of: text) != nil }

    /// Whether JSON has a member of this name: the name in quotes, and a colon after it.
    fileprivate func hasKey(_ name: String) -> Bool {
        let quoted = "\"\(name)\""
        var rest = self[startIndex...]
        while let found = rest.index(of: quoted) {
            rest = rest[(found + quoted.utf8.count)...]
            if rest.first(where: { $0 > 0x20 }) == UInt8(ascii: ":") { return true }
        }
        return false
    }
}
