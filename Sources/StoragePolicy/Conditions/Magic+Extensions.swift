extension Magic {
    /// The formats that go by an extension; nil for one that says nothing of its content.
    static func formats(ofExtension word: UInt64) -> Set<Magic>? { byExtension[word] }

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
