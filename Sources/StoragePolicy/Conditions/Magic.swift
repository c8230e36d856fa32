/// A format that content shows by its first bytes.
///
/// Source: sqlite.org/fileformat.html; realm-core (the mnemonic at byte 16); the formats' own specifications;
/// tensorflow/lite/schema/schema.fbs; hermes/BCGen/HBC/BytecodeFileFormat.h.
enum Magic: String, CaseIterable, Sendable {
    case sqlite, realm, plist, pdf, zip, jpeg, png, gif, rtf, office, iso, tflite, hermes

    /// A file with fewer bytes is of none of these formats.
    static let shortest = 3

    private static let signatures: [(Magic, offset: Int, bytes: [UInt8])] = [
        (.sqlite, 0, Array("SQLite format 3\0".utf8)),
        (.realm, 16, Array("T-DB".utf8)),
        (.plist, 0, Array("bplist00".utf8)),
        (.pdf, 0, Array("%PDF-".utf8)),
        (.zip, 0, [0x50, 0x4b, 0x03, 0x04]),
        (.jpeg, 0, [0xff, 0xd8, 0xff]),
        (.png, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        (.gif, 0, Array("GIF8".utf8)),
        (.rtf, 0, Array("{\\rtf".utf8)),
        (.office, 0, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
        (.iso, 4, Array("ftyp".utf8)),
        (.tflite, 4, Array("TFL3".utf8)),
        (.hermes, 0, [0xc6, 0x1f, 0xbc, 0x03, 0xc1, 0x03, 0x19, 0x1f]),
    ]

    init?(_ bytes: [UInt8]) {
        let found = Self.signatures.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
        guard let found else { return nil }
        self = found.0
    }

    /// What it is called.
    var title: String {
        switch self {
        case .sqlite: "an SQLite database"
        case .realm: "a Realm database"
        case .plist: "a binary property list"
        case .pdf: "a PDF document"
        case .zip: "a ZIP archive or an Office document"
        case .jpeg, .png, .gif: "a picture"
        case .rtf: "a text with styles"
        case .office: "an Office document"
        case .iso: "a film or a recording"
        case .tflite: "a model for TensorFlow Lite"
        case .hermes: "scripts compiled for Hermes"
        }
    }
}
