internal import AppContainer
internal import ContainerTree
internal import PolicyTexts

/// Evidence from the first bytes of a few files of a group: the traces that cameras, recorders and authoring programs
/// leave in what users make, and those that servers leave in what they send.
///
/// Costs one read of 16 KiB for each file of a group of at most eight, or for three files of a larger one; of recordings
/// the end is read as well. Sources: EXIF 2.32 (CIPA DC-008), ISO 32000-1 §14.3.3, the WebP container specification, RFC 9111 for the names of cache fields.
struct ContentEvidence: EvidenceSource {
    enum Kind: String, CaseIterable {
        case camera
        case recording
        case authoredDocument = "authored-document"
        case webPicture = "web-picture"
        case fetchedJson = "fetched-json"
        case crashReport = "crash-report"
        case logLines = "log-lines"
    }
    static let cost = EvidenceCost.content

    private let tree: any Tree
    private let model: EvidenceModel
    private static let count = 16 << 10
    private static let samples = 3
    /// Groups of at most so many files are read whole.
    private static let fewest = 8

    init(_ candidates: EvidenceCandidates, _ incidents: inout [Incident.Reason]) {
        (tree, model) = (candidates.tree, candidates.model)
    }

    /// The group in parts that differ in what their content says.
    ///
    /// Each file of a small group is read. Of a larger one a few samples stand for all, and what at least half of them
    /// share counts.
    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart] {
        let (directory, kind) = (structure.directory, model.vocabulary.kinds[Int(group.traits.kind)])
        // A group without evidence, or with a certain verdict, is not read.
        let least = Self.telling.contains(kind) ? 0.02 : 0.1
        guard Self.kinds.contains(kind), (least...0.995).contains(Verdict(known, model).probability) else {
            return [EvidencePart(group)]
        }
        guard group.isListed, (2...Self.fewest).contains(group.items) else {
            return [EvidencePart(group, sampled(group, in: directory))]
        }
        let found = group.files.map { pieces(on: $0, in: directory) ?? [] }
        var parts: [EvidencePart] = []
        for (index, pieces) in found.enumerated() where found.firstIndex(of: pieces) == index {
            parts.append(EvidencePart(group.part { found[$0] == pieces }, pieces))
        }
        return parts
    }

    private func sampled(_ group: EvidenceGroup, in directory: DirectoryEvidence) -> [PieceOfEvidence] {
        var votes: [String: (count: Int, piece: PieceOfEvidence)] = [:]
        var read = 0
        for file in group.files where file.bytes > 0 {
            guard let found = pieces(on: file, in: directory) else { continue }
            read += 1
            for piece in found { votes[piece.id, default: (0, piece)].count += 1 }
            if read == Self.samples { break }
        }
        return votes.values.filter { $0.count * 2 >= read }.map(\.piece).sorted { $0.id < $1.id }
    }

    /// The evidence in one file; nil where it is empty or cannot be read.
    private func pieces(on file: EvidenceGroup.File, in directory: DirectoryEvidence) -> [PieceOfEvidence]? {
        guard file.bytes > 0 else { return nil }
        let path = directory.path(of: file.name)
        guard let bytes = tree.bytes(of: path, count: Self.count, at: 0), !bytes.isEmpty else { return nil }
        let found = Self.pieces(in: bytes)
        guard found.isEmpty, Self.isMovie(bytes), file.bytes > UInt64(Self.count) else { return found }
        // Recorders write the metadata after the sound.
        return Self.recording(tree.bytes(of: path, count: Self.count, at: file.bytes - UInt64(Self.count)) ?? [])
    }

    /// Kinds of files whose beginning says who made them.
    private static let kinds: Set<String> = [
        "picture", "sound", "video", "document", "json", "text", "none", "other", "data", "derived",
    ]

    /// Kinds of files whose content may outweigh any name.
    private static let telling: Set<String> = ["json", "text", "none", "other"]

    /// The evidence in the first bytes of a file.
    static func pieces(in bytes: [UInt8]) -> [PieceOfEvidence] {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) { return picture(bytes) }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            return [PieceOfEvidence(Kind.webPicture, 1, "WebP")]
        }
        if bytes.starts(with: "GIF89a".utf8), bytes.contains("NETSCAPE2.0") {
            return [PieceOfEvidence(Kind.webPicture, 1, "animated GIF")]
        }
        if bytes.starts(with: "%PDF".utf8) { return document(bytes) }
        if bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) {
            let isOffice = bytes.contains("[Content_Types].xml") || bytes.contains("opendocument")
            return isOffice ? [PieceOfEvidence(Kind.authoredDocument, 0.8, "an office document")] : []
        }
        if isMovie(bytes) { return recording(bytes) + picture(bytes) }
        if bytes.starts(with: "caff".utf8) { return [PieceOfEvidence(Kind.recording, 0.5, "Core Audio")] }
        if let first = bytes.first(where: { $0 > 0x20 }), "{[".utf8.contains(first) {
            let found = json(bytes)
            if !found.isEmpty { return found }
        }
        return plainText(bytes)
    }

    /// Returns true if the bytes begin a file of the ISO base media format: a movie, a sound, or a HEIF picture.
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
            if tag == 0x010f || tag == 0x0110 { return [PieceOfEvidence(Kind.camera)] }
        }
        return []
    }

    private static func document(_ bytes: [UInt8]) -> [PieceOfEvidence] {
        let isAuthored =
            bytes.contains("/Author") || bytes.contains("Quartz PDFContext") || bytes.contains("iOS Version")
            || bytes.contains("/Creator (Scan")
        return isAuthored ? [PieceOfEvidence(Kind.authoredDocument, 1, "a PDF with an author")] : []
    }

    /// Recorders and cameras name themselves in the metadata of what they record.
    private static func recording(_ bytes: [UInt8]) -> [PieceOfEvidence] {
        let marks = ["com.apple.VoiceMemos", "com.apple.quicktime.make", "com.apple.quicktime.model", "Voice Memo"]
        return marks.contains { bytes.contains($0) } ? [PieceOfEvidence(Kind.recording)] : []
    }

    private static func json(_ bytes: [UInt8]) -> [PieceOfEvidence] {
        let text = bytes.prefix(4_096)
        if crashFields.contains(where: { $0.isName(in: text) }) { return [PieceOfEvidence(Kind.crashReport)] }
        let found = fetchFields.first { $0.isName(in: text) }
        return found.map { [PieceOfEvidence(Kind.fetchedJson, 1, $0.name)] } ?? []
    }

    /// A name that JSON may have, and its form there.
    private struct Field {
        let name: String
        private let quoted: [UInt8]

        init(_ name: String) { (self.name, quoted) = (name, Array("\"\(name)\"".utf8)) }

        /// Returns true if JSON has a member of this name: the name in quotes, and a colon after it.
        func isName(in json: ArraySlice<UInt8>) -> Bool {
            json.withUnsafeBytes { json in
                var start = 0
                while let found = json.position(of: quoted, from: start) {
                    start = found + quoted.count
                    if json[start...].first(where: { $0 > 0x20 }) == UInt8(ascii: ":") { return true }
                }
                return false
            }
        }
    }

    /// Source: RFC 9111 and the names that the caches of app frameworks give to its fields.
    private static let fetchFields = [
        "fetchedAt", "fetched_at", "lastFetched", "last_fetched", "etag", "ETag", "max-age", "maxAge", "max_age", "ttl",
        "cacheControl", "cache_control", "cache-control", "expiresAt", "expires_at", "variant", "experiment", "cdn",
    ].map(Field.init)

    /// Source: Apple's JSON crash reports (Interpreting the JSON format of a crash report), KSCrash's report format.
    private static let crashFields = ["bug_type", "incident_id", "binary_images", "usedImages", "threads", "backtrace"]
        .map(Field.init)

    /// Crash reports and the lines of a log. Source: Apple, Examining the fields in a crash report.
    private static func plainText(_ bytes: [UInt8]) -> [PieceOfEvidence] {
        let text = bytes.prefix(4_096)
        let marks = ["Incident Identifier:", "Exception Type:", "Binary Images:", "Thread 0 Crashed"]
        if marks.contains(where: { text.contains($0) }) { return [PieceOfEvidence(Kind.crashReport)] }
        let lines = text.split(separator: UInt8(ascii: "\n")).prefix(8)
        let logged = lines.count(where: isLogLine)
        return logged >= 3 && logged * 4 >= lines.count * 3 ? [PieceOfEvidence(Kind.logLines)] : []
    }

    /// True if a line begins with a date and a time of day, or names a level near its beginning.
    private static func isLogLine(_ line: ArraySlice<UInt8>) -> Bool {
        let start = line.prefix(48)
        let digits = start.prefix(24).count { (0x30...0x39).contains($0) }
        let hasTime = start.prefix(24).count { $0 == UInt8(ascii: ":") } >= 2 && digits >= 6
        guard hasTime else { return false }
        let text = String(decoding: start, as: UTF8.self).uppercased()
        return levels.contains { text.contains($0) }
    }

    private static let levels = [
        "DEBUG", "INFO", "NOTICE", "WARN", "ERROR", "TRACE", "VERBOSE", "FATAL", "[D]", "[I]", "[W]", "[E]", " D ",
        " I ", " W ", " E ",
    ]
}

extension Collection<UInt8> where Index == Int {
    /// Returns the index of a text in the bytes.
    fileprivate func index(of text: String) -> Int? {
        let found = withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).position(of: Array(text.utf8)) }
        return (found ?? nil).map { startIndex + $0 }
    }

    fileprivate func contains(_ text: String) -> Bool { index(of: text) != nil }
}
