internal import FileSystem

/// The evidence in the bytes of a file: the traces that cameras, recorders and authoring programs leave in what users make, and those
/// that servers leave in what they send.
///
/// Sources: EXIF 2.32 (CIPA DC-008), ISO 32000-1 §14.3.3, the WebP container specification, RFC 4287 and RSS 2.0 for feeds, Adblock
/// Plus (“How to write filters”, special comments), Apple (“Creating a content blocker”). The fields of JSON are judged by
/// `FieldEvidence`, the formats of users by `UserFormat`.
package enum FileEvidence {
    package enum Kind: String, CaseIterable {
        case camera
        case recording
        case authoredDocument = "authored-document"
        case webPicture = "web-picture"
        case sourceTag = "source-tag"
        case addressInTags = "address-in-tags"
        case userFormat = "user-format"
        case crashReport = "crash-report"
        case logLines = "log-lines"
        case publishedList = "published-list"
        case unfinishedArchive = "unfinished-archive"
        case writtenText = "written-text"
        case smallPicture = "small-picture"
        case builtContent = "built-content"
    }
    /// The bytes that are read of the beginning, and of recordings of the end.
    package static let count = 16 << 10

    /// Returns the evidence in a file.
    ///
    /// - Parameters:
    ///   - size: The size of the file in bytes.
    ///   - read: Returns at most so many bytes from an offset. Asked for the first bytes, and for the last of recordings.
    /// - Returns: The evidence; nil where the file is empty or cannot be read.
    package static func pieces(inFileOf size: UInt64, read: (Int, UInt64) -> [UInt8]?) -> [PieceOfEvidence]? {
        guard let bytes = read(count, 0), !bytes.isEmpty else { return nil }
        let found = pieces(in: bytes)
        if found.isEmpty, isUnfinishedArchive(bytes, size: size, read: read) {
            return [PieceOfEvidence(Kind.unfinishedArchive)]
        }
        if found.isEmpty, isArchiveOfDocuments(bytes, size: size, read: read) {
            return [PieceOfEvidence(Kind.authoredDocument, 1, "an archive of documents, tables or pictures")]
        }
        guard found.isEmpty, isMovie(bytes), size > UInt64(count) else { return found }
        // Recorders write the metadata after the sound.
        let end = read(count, size - UInt64(count)) ?? []
        return recording(end) + sourceTags(ofMovie: end)
    }

    /// The kinds of evidence that a user made, imported or keeps a file.
    package static let userKinds = Set([Kind.camera, .recording, .authoredDocument, .userFormat].map(\.rawValue))

    /// The kinds of evidence in content that speak against files being re-downloadable.
    package static let contraryKinds = userKinds.union([
        Kind.writtenText.rawValue, FieldEvidence.Kind.user.rawValue,
    ])

    /// The evidence in the first bytes of a file.
    package static func pieces(in bytes: [UInt8]) -> [PieceOfEvidence] {
        if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            let found = picture(bytes)
            return found.isEmpty && isSmallSquareJPEG(bytes) ? [PieceOfEvidence(Kind.smallPicture)] : found
        }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            return [PieceOfEvidence(Kind.webPicture, 1, "WebP")]
        }
        if isSmallSquare(bytes) { return [PieceOfEvidence(Kind.smallPicture)] }
        if bytes.starts(with: "GIF89a".utf8), bytes.contains("NETSCAPE2.0") {
            return [PieceOfEvidence(Kind.webPicture, 1, "animated GIF")]
        }
        if bytes.starts(with: "%PDF".utf8) { return document(bytes) }
        if bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) {
            let isOffice = bytes.contains("[Content_Types].xml") || bytes.contains("opendocument")
            return isOffice ? [PieceOfEvidence(Kind.authoredDocument, 0.8, "an office document")] : []
        }
        if isMovie(bytes) { return recording(bytes) + picture(bytes) + sourceTags(ofMovie: bytes) }
        if bytes.starts(with: "ID3".utf8) { return sourceTags(ofSound: bytes) }
        if bytes.starts(with: "caff".utf8) { return [PieceOfEvidence(Kind.recording, 0.5, "Core Audio")] }
        if isPublishedCalendar(bytes) { return [PieceOfEvidence(Kind.publishedList, 1, "a calendar with its source")] }
        if let built = builtForms.first(where: { bytes.starts(with: $0.mark) }) {
            return [PieceOfEvidence(Kind.builtContent, 1, built.title)]
        }
        if let title = UserFormat.title(of: bytes) { return [PieceOfEvidence(Kind.userFormat, 1, title)] }
        if let first = bytes.first(where: { $0 > 0x20 }), "{[".utf8.contains(first) {
            let found = json(bytes)
            if !found.isEmpty { return found }
        }
        // Tensors with a description in JSON (safetensors).
        if bytes.dropFirst(8).first == UInt8(ascii: "{"), bytes[7] == 0 {
            return FieldEvidence(json: Array(bytes.dropFirst(8))).pieces.filter {
                $0.id == FieldEvidence.Kind.user.rawValue
            }
        }
        if areRecordsOfLog(bytes) { return [PieceOfEvidence(Kind.logLines)] }
        if let list = publishedList(bytes) { return [PieceOfEvidence(Kind.publishedList, 1, list)] }
        return plainText(bytes)
    }

    /// The first bytes of what build tools make, which an app copies from its bundle or downloads. Sources: the headers of Unity's
    /// asset bundles as AssetStudio reads them, pack_source in github.com/godotengine/godot, `BytecodeFileFormat.h` of
    /// github.com/facebook/hermes, the core specification of WebAssembly.
    private static let builtForms: [(mark: [UInt8], title: String)] = [
        (Array("UnityFS".utf8), "an asset bundle of Unity"), (Array("GDPC".utf8), "a package of Godot"),
        (Array("BOMStore".utf8), "a compiled asset catalog"), (Array("MTLB".utf8), "a library of Metal shaders"),
        ([0xc6, 0x1f, 0xbc, 0x03, 0xc1, 0x03, 0x19, 0x1f], "compiled code of Hermes"),
        ([0x00, 0x61, 0x73, 0x6d], "a module of WebAssembly"),
    ]

    /// Returns true for an archive whose files users make as well, such as an export.
    private static func isArchiveOfDocuments(_ bytes: [UInt8], size: UInt64, read: (Int, UInt64) -> [UInt8]?) -> Bool {
        guard bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]), let listing = ZipListing(size: size, read: read) else {
            return false
        }
        return listing.entries.allSatisfy { entry in
            let name = String(decoding: entry.path, as: UTF8.self).lowercased()
            return documentEndings.contains { name.hasSuffix($0) }
        }
    }

    private static let documentEndings = [
        ".csv", ".txt", ".md", ".pdf", ".rtf", ".jpg", ".jpeg", ".heic", ".doc", ".docx", ".xls", ".xlsx",
    ]

    /// Returns true for the beginning of an archive that has no directory at its end, as that of an unfinished download. One that ends
    /// in zeros may have been reserved, and is not judged.
    private static func isUnfinishedArchive(_ bytes: [UInt8], size: UInt64, read: (Int, UInt64) -> [UInt8]?) -> Bool {
        guard bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]), size >= 1 << 10 else { return false }
        let count = min(size, 66 << 10)
        guard let end = read(Int(count), size - count), end.suffix(64).contains(where: { $0 != 0 }) else {
            return false
        }
        return end.withUnsafeBytes { $0.position(of: [0x50, 0x4b, 0x05, 0x06]) == nil }
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
        func number(_ at: Int, size: Int) -> Int? {
            guard at >= 0, at + size <= tiff.count else { return nil }
            let part = tiff[at..<(at + size)]
            return (isLittle ? part.reversed() : Array(part)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let first = number(4, size: 4), let entries = number(first, size: 2), entries <= 200 else { return [] }
        for entry in 0..<entries {
            guard let tag = number(first + 2 + entry * 12, size: 2) else { return [] }
            // Make and Model.
            if tag == 0x010f || tag == 0x0110 { return [PieceOfEvidence(Kind.camera)] }
        }
        return []
    }

    /// Returns true for a square PNG of at most 256 pixels, as servers send for avatars and icons.
    private static func isSmallSquare(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]), bytes.count >= 24 else { return false }
        let (width, height) = (bytes[16..<20], bytes[20..<24])
        return width.elementsEqual(height) && width.dropLast(2).allSatisfy { $0 == 0 }
            && (width.dropLast().last == 0 || width.suffix(2).elementsEqual([1, 0]))
    }

    /// Returns true for a square picture of JPEG with at most 256 pixels and without the data of a camera, by its first frame.
    private static func isSmallSquareJPEG(_ bytes: [UInt8]) -> Bool {
        var at = 2
        while at + 9 <= bytes.count, bytes[at] == 0xff {
            let (mark, length) = (bytes[at + 1], Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
            if (0xc0...0xc2).contains(mark) {
                let (height, width) = (
                    Int(bytes[at + 5]) << 8 | Int(bytes[at + 6]), Int(bytes[at + 7]) << 8 | Int(bytes[at + 8])
                )
                return width == height && (1...256).contains(width)
            }
            guard length >= 2 else { return false }
            at += 2 + length
        }
        return false
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
        let isMarked = marks.contains { bytes.contains($0) }
        // The maker and the model of a camera in QuickTime’s user data.
        let isCamera = [[0xa9, 0x6d, 0x61, 0x6b], [0xa9, 0x6d, 0x6f, 0x64]].allSatisfy { mark in
            bytes.withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).position(of: mark) != nil } ?? false
        }
        return isMarked || isCamera ? [PieceOfEvidence(Kind.recording)] : []
    }

    /// The mark of a podcast and the address of its feed or of the episode, as programs that fetch episodes find them. Source:
    /// ID3 2.3 §4.3.1 for `WOAF` and `WOAS`, Apple's frames `PCST` and `WFED`.
    private static func sourceTags(ofSound bytes: [UInt8]) -> [PieceOfEvidence] {
        for (id, content) in frames(ofSound: bytes) {
            if id == "PCST" || id == "WFED" { return [PieceOfEvidence(Kind.sourceTag, 1, id)] }
            if id == "WOAF" || id == "WOAS", content.starts(with: "http".utf8) {
                return [PieceOfEvidence(Kind.sourceTag, 0.5, id)]
            }
        }
        return []
    }

    /// The web addresses that the tags of a sound state as its source: of the file, of the source, or the identifier of the
    /// episode, which is often its address. Source: ID3 2.3 §4.3.1, Apple's frame `TGID`.
    package static func addresses(inTagsOf bytes: [UInt8]) -> [String] {
        guard bytes.starts(with: "ID3".utf8) else { return [] }
        return frames(ofSound: bytes).compactMap { id, content in
            guard ["WOAF", "WOAS", "TGID"].contains(id) else { return nil }
            // A text begins with the byte of its encoding. One of two bytes per character is no address that is compared.
            let text = content.drop { $0 < 0x20 }.prefix { $0 != 0 }
            return text.starts(with: "http".utf8) ? String(decoding: text, as: UTF8.self) : nil
        }
    }

    /// The frames in the tags of a sound, as far as they were read: the name of each, and its content.
    private static func frames(ofSound bytes: [UInt8]) -> [(id: String, content: ArraySlice<UInt8>)] {
        guard bytes.count > 20, let version = bytes.dropFirst(3).first, (3...4).contains(version) else { return [] }
        var frames: [(id: String, content: ArraySlice<UInt8>)] = []
        var at = 10
        while at + 10 <= bytes.count {
            let id = String(decoding: bytes[at..<(at + 4)], as: UTF8.self)
            // Each byte of a size has seven bits in version 4.
            let size = bytes[(at + 4)..<(at + 8)].reduce(0) { $0 << (version == 4 ? 7 : 8) | Int($1) }
            guard bytes[at] >= UInt8(ascii: "A"), size > 0, size < 1 << 28 else { break }
            frames.append((id, bytes[(at + 10)..<min(bytes.count, at + 10 + size)]))
            at += 10 + size
        }
        return frames
    }

    /// The same tags of MP4: the address of the feed, the mark of a podcast, and the identifier of the episode.
    private static func sourceTags(ofMovie bytes: [UInt8]) -> [PieceOfEvidence] {
        guard bytes.contains("ilst") else { return [] }
        let found = ["purl", "pcst", "egid"].first { name in
            guard let at = bytes.index(of: name) else { return false }
            return bytes.dropFirst(at + 8).starts(with: "data".utf8)
        }
        return found.map { [PieceOfEvidence(Kind.sourceTag, 1, $0)] } ?? []
    }

    private static func json(_ bytes: [UInt8]) -> [PieceOfEvidence] {
        let text = bytes.prefix(4_096)
        let isCrash = crashFields.contains { $0.isName(in: text) } || threadFields.allSatisfy { $0.isName(in: text) }
        if isCrash { return [PieceOfEvidence(Kind.crashReport)] }
        if blockerFields.allSatisfy({ $0.isName(in: text) }) {
            return [PieceOfEvidence(Kind.publishedList, 1, "rules of a content blocker")]
        }
        return FieldEvidence(json: bytes).pieces
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

    /// Source: Apple's JSON crash reports (Interpreting the JSON format of a crash report), KSCrash's report format.
    private static let crashFields = [
        "bug_type", "incident_id", "binary_images", "usedImages", "callStackSymbols", "callStackReturnAddresses",
    ].map(Field.init)
    /// Messages have threads as well, but no traces.
    private static let threadFields = ["threads", "backtrace"].map(Field.init)

    private static let blockerFields = ["trigger", "action", "url-filter"].map(Field.init)

    /// The form of a list that a server publishes for everyone: filters with the address and the age of the list in its
    /// first comments, or names of hosts. Nil for other texts.
    private static func publishedList(_ bytes: [UInt8]) -> String? {
        if isFeed(bytes) { return "a feed" }
        let lines = bytes.prefix(4_096).split(separator: UInt8(ascii: "\n")).prefix(24)
        func count(_ beginnings: [String]) -> Int {
            beginnings.count { beginning in lines.contains { $0.starts(with: beginning.utf8) } }
        }
        if lines.first?.starts(with: "[Adblock".utf8) == true { return "filters" }
        let fields = ["! Title:", "! Expires:", "! Homepage:", "! Last modified:", "! TimeUpdated:", "! Version:"]
        if count(fields) >= 2 { return "filters" }
        let hosts = lines.count { $0.starts(with: "0.0.0.0 ".utf8) || $0.starts(with: "127.0.0.1 ".utf8) }
        return hosts >= 8 ? "names of hosts" : nil
    }

    /// A calendar that states its source and how often to fetch it again (RFC 7986 §5.7 and §5.8).
    private static func isPublishedCalendar(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: "BEGIN:VCALENDAR".utf8) else { return false }
        let head = Array(bytes.prefix(1_024))
        return head.contains("\nSOURCE;VALUE=URI:http") && head.contains("\nREFRESH-INTERVAL")
    }

    /// Records of a log in JSON with a level and a message, each after its length.
    private static func areRecordsOfLog(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 8, bytes[0] == 0, bytes[4] == UInt8(ascii: "{") else { return false }
        let length = Int(bytes[1]) << 16 | Int(bytes[2]) << 8 | Int(bytes[3])
        let record = bytes[4...].prefix(min(length, 4_096))
        return ["level", "message"].allSatisfy { Field($0).isName(in: record) }
    }

    /// Returns true for RSS 2.0 and Atom (RFC 4287) with the entries of a publisher.
    private static func isFeed(_ bytes: [UInt8]) -> Bool {
        guard bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<") else { return false }
        let start = Array(bytes.prefix(1_024))
        return start.contains("<rss") && bytes.contains("<channel>")
            || start.contains("<feed") && start.contains("http://www.w3.org/2005/Atom")
    }

    /// Crash reports and the lines of a log. Source: Apple, Examining the fields in a crash report.
    private static func plainText(_ bytes: [UInt8]) -> [PieceOfEvidence] {
        let text = bytes.prefix(4_096)
        let marks = ["Incident Identifier:", "Exception Type:", "Binary Images:", "Thread 0 Crashed"]
        if marks.contains(where: { text.contains($0) }) { return [PieceOfEvidence(Kind.crashReport)] }
        if LogLines.areLog(text) { return [PieceOfEvidence(Kind.logLines)] }
        if areTraces(text) { return [PieceOfEvidence(Kind.crashReport)] }
        if WrittenText.isWritten(text) { return [PieceOfEvidence(Kind.writtenText)] }
        // Colors of a terminal, as programs print them.
        let colors = zip(text, text.dropFirst()).count { $0.0 == 0x1b && $0.1 == UInt8(ascii: "[") }
        return colors >= 3 ? [PieceOfEvidence(Kind.logLines, 0.5)] : []
    }

    /// Returns true for at least three frames of calls: of Dart, Java and Kotlin, and of native code.
    private static func areTraces(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(separator: UInt8(ascii: "\n")).count { line in
            let line = String(decoding: line.prefix(200), as: UTF8.self).drop { $0 == " " || $0 == "\t" }
            let isDart = line.first == "#" && line.dropFirst().first?.isNumber ?? false && line.contains("package:")
            let isJava = line.hasPrefix("at ") && line.hasSuffix(")") && line.contains(".") && line.contains(":")
            let isNative = line.first?.isNumber ?? false && line.contains(" 0x0000") && line.contains(" + ")
            return isDart || isJava || isNative
        } >= 3
    }
}

extension Collection<UInt8> where Index == Int {
    /// Returns the index of a text in the bytes.
    fileprivate func index(of text: String) -> Int? {
        let found = withContiguousStorageIfAvailable { UnsafeRawBufferPointer($0).position(of: Array(text.utf8)) }
        return (found ?? nil).map { startIndex + $0 }
    }

    fileprivate func contains(_ text: String) -> Bool { index(of: text) != nil }
}
