/// A format that content shows by its first bytes.
///
/// Source: sqlite.org/fileformat.html; realm-core (the mnemonic at byte 16); the formats' own specifications.
package enum Magic: String, CaseIterable, Sendable {
    case sqlite, realm, plist, xml, pdf, zip, gzip, jpeg, png, gif, tiff, webp, bmp, rtf, office, iso, wave, mp3
    case caf, flac, ogg, aiff, matroska
    case lmdb
    case tflite, hermes, gguf, ggml
    case appleDouble = "apple-double"
    case dsStore = "ds-store"

    case writeAheadLog = "write-ahead-log"
    case logIndex = "log-index"
    case rollbackJournal = "rollback-journal"
    case levelDB = "leveldb"

    /// A file with fewer bytes is of none of these formats.
    package static let shortest = 3

    private static let signatures: [(Magic, offset: Int, bytes: [UInt8])] = [
        (.sqlite, 0, Array("SQLite format 3\0".utf8)),
        (.realm, 16, Array("T-DB".utf8)),
        (.plist, 0, Array("bplist00".utf8)),
        (.xml, 0, Array("<?xml".utf8)),
        (.xml, 0, [0xef, 0xbb, 0xbf] + Array("<?xml".utf8)),
        (.xml, 0, Array("<!DOCTYPE plist".utf8)),
        (.xml, 0, Array("<plist".utf8)),
        (.pdf, 0, Array("%PDF-".utf8)),
        (.zip, 0, [0x50, 0x4b, 0x03, 0x04]),
        (.jpeg, 0, [0xff, 0xd8, 0xff]),
        (.png, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        (.gif, 0, Array("GIF8".utf8)),
        (.rtf, 0, Array("{\\rtf".utf8)),
        (.office, 0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
        (.iso, 4, Array("ftyp".utf8)),
        // tensorflow/lite/schema/schema.fbs; hermes/BCGen/HBC/BytecodeFileFormat.h.
        (.tflite, 4, Array("TFL3".utf8)),
        (.hermes, 0, [0xc6, 0x1f, 0xbc, 0x03, 0xc1, 0x03, 0x19, 0x1f]),
        (.gzip, 0, [0x1f, 0x8b]),
        (.tiff, 0, [0x49, 0x49, 0x2a, 0x00]),
        (.tiff, 0, [0x4d, 0x4d, 0x00, 0x2a]),
        (.webp, 8, Array("WEBP".utf8)),
        (.wave, 8, Array("WAVE".utf8)),
        (.mp3, 0, Array("ID3".utf8)),
        // Core Audio Format; RFC 9639; RFC 3533; AIFF 1.3; RFC 8794.
        (.caf, 0, Array("caff".utf8)),
        (.flac, 0, Array("fLaC".utf8)),
        (.ogg, 0, Array("OggS".utf8)),
        (.aiff, 8, Array("AIFF".utf8)),
        (.aiff, 8, Array("AIFC".utf8)),
        (.matroska, 0, [0x1a, 0x45, 0xdf, 0xa3]),
        // lmdb.h: the number of the first page of metadata, after its header of 16 bytes.
        (.lmdb, 16, [0xde, 0xc0, 0xef, 0xbe]),
        // ggml, docs/gguf.md, and its formats before: the numbers ggml, ggjt and ggmf, the lowest byte first.
        (.gguf, 0, Array("GGUF".utf8)),
        (.ggml, 0, Array("lmgg".utf8)),
        (.ggml, 0, Array("tjgg".utf8)),
        (.ggml, 0, Array("fmgg".utf8)),
        // A bitmap of Windows: after the size of the file come four zeros.
        (.bmp, 0, Array("BM".utf8)),
        // RFC 1740; the Finder's buddy allocator (DSStoreFormat, metacpan.org).
        (.appleDouble, 0, [0x00, 0x05, 0x16, 0x07]),
        (.dsStore, 0, [0x00, 0x00, 0x00, 0x01] + Array("Bud1".utf8)),
        // sqlite.org/walformat.html: checksums in either order of bytes; the index begins with its version, 3007000.
        (.writeAheadLog, 0, [0x37, 0x7f, 0x06, 0x82]),
        (.writeAheadLog, 0, [0x37, 0x7f, 0x06, 0x83]),
        (.logIndex, 0, [0x18, 0xe2, 0x2d, 0x00]),
        (.rollbackJournal, 0, [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]),
        // The file CURRENT, which names the manifest. Source: google/leveldb, doc/impl.md.
        (.levelDB, 0, Array("MANIFEST-".utf8)),
    ]

    package init?(_ bytes: [UInt8]) {
        let found = Self.signatures.first { signature in
            bytes.dropFirst(signature.offset).starts(with: signature.bytes)
                && (signature.0 != .bmp || Self.isBitmap(bytes))
        }
        guard let found else { return nil }
        self = found.0
    }

    /// Two letters are too short a signature.
    private static func isBitmap(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 18 && bytes[6...9].allSatisfy { $0 == 0 } && bytes[15...17].allSatisfy { $0 == 0 }
    }

    /// The shortest content that begins with the header of the format.
    package var header: [UInt8] {
        guard let signature = Self.signatures.first(where: { $0.0 == self }) else { return [] }
        return [UInt8](repeating: 0, count: signature.offset) + signature.bytes
    }

    /// The name of the format.
    package var title: String {
        switch self {
        case .sqlite: "an SQLite database"
        case .realm: "a Realm database"
        case .writeAheadLog: "an SQLite write-ahead log"
        case .logIndex: "the index of an SQLite write-ahead log"
        case .rollbackJournal: "an SQLite rollback journal"
        case .levelDB: "a LevelDB database"
        case .plist: "a binary property list"
        case .pdf: "a PDF document"
        case .zip: "a ZIP archive or an Office document"
        case .xml: "XML"
        case .gzip: "a gzip archive"
        case .jpeg: "a JPEG picture"
        case .png: "a PNG picture"
        case .gif: "a GIF picture"
        case .tiff: "a TIFF picture"
        case .webp: "a WebP picture"
        case .bmp: "a bitmap picture"
        case .wave, .mp3, .caf, .flac, .ogg, .aiff: "a recording"
        case .matroska: "a film"
        case .lmdb: "an LMDB database"
        case .gguf, .ggml: "a language model"
        case .appleDouble: "an AppleDouble file"
        case .dsStore: "a Finder .DS_Store file"
        case .rtf: "an RTF document"
        case .office: "an Office document"
        case .iso: "a video or a recording"
        case .tflite: "a TensorFlow Lite model"
        case .hermes: "Hermes bytecode"
        }
    }
}

extension Magic {
    /// The formats that go by an extension; nil for one that says nothing of its content.
    package static func formats(ofExtension word: UInt64) -> Set<Magic>? { byExtension[word] }

    private static let byExtension: [UInt64: Set<Magic>] = {
        let table: [(String, Set<Magic>)] = [
            ("plist", [.plist, .xml]), ("json", []), ("txt", [.xml, .rtf]), ("rtf", [.rtf]),
            // An XML document may bear the extension of the program that reads it.
            ("doc docx xls xlsx ppt pptx", [.office, .zip, .xml, .rtf]), ("pdf", [.pdf]),
            ("zip epub pages numbers key", [.zip]),
            ("sqlite sqlite3", [.sqlite]), ("realm", [.realm]),
            ("jpg jpeg", [.jpeg]), ("png", [.png]), ("gif", [.gif]), ("webp", [.webp]), ("tif tiff", [.tiff]),
            // All are boxes of ISO 14496-12, and programs take one extension for the other.
            ("heic heif avif mp4 m4v mov m4a m4b 3gp", [.iso]), ("wav", [.wave]), ("mp3", [.mp3]),
        ]
        var formats: [UInt64: Set<Magic>] = [:]
        for (names, set) in table {
            for name in names.split(separator: " ") {
                if let word = PathExtension.word(String(name)) { formats[word] = set }
            }
        }
        return formats
    }()
}
