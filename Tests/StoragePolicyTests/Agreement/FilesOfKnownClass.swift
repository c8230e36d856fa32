import DatabaseInspection
import Foundation
import TestSupport

/// A container with files of known classes, half of which a store of the app names. The same seed gives the same files.
struct FilesOfKnownClass {
    let seed: UInt64

    /// The paths of what the user would miss, and of what nothing says.
    private(set) var dear: Set<String> = []

    init(seed: UInt64) { self.seed = seed }

    private static let contents: [(ending: String, bytes: [UInt8])] = [
        ("jpg", [0xff, 0xd8, 0xff, 0xe1, 0, 32] + Array("Exif\0\0II*\0".utf8)),
        ("m4a", [0, 0, 0, 24] + Array("ftypM4A ".utf8)),
        ("wav", Array("RIFF\0\0\0\0WAVEfmt ".utf8)), ("caf", Array("caff\0\u{1}".utf8)),
        ("mov", [0, 0, 0, 20] + Array("ftypqt  ".utf8)), ("txt", Array("Dear diary".utf8)),
        ("pdf", Array("%PDF-1.7 /Author (A)".utf8)), ("drawing", Array("drawing".utf8)), ("bin", [1, 2, 3, 4]),
    ]
    private static let places = [
        "tmp", "tmp/uploads", "Documents", "Documents/Recordings", "Library/Application Support/com.example.app/media",
        "Library/Caches/com.example.app/pending",
    ]
    /// Directories and names that SDKs are known to fill with what can be downloaded again.
    private static let caches = [
        "Library/Caches/com.hackemist.SDImageCache/default/%@",
        "Library/Caches/com.onevcat.Kingfisher.ImageCache.default/%@",
        "tmp/CFNetworkDownload_%@.tmp",
    ]

    mutating func make(at container: URL) throws {
        var random = SeededNumbers(seed: seed)
        let support = "Library/Application Support/com.example.app"
        try container.makeDirectories("Documents", "Library/Preferences", "tmp", support)
        var named: [String] = []
        let old = Date(timeIntervalSince1970: 1_760_000_000)
        func write(_ bytes: [UInt8], _ path: String) throws {
            try container.makeDirectories((path as NSString).deletingLastPathComponent)
            let filling = Array(repeating: UInt8(7), count: Int.random(in: 100...5000, using: &random))
            try container.write(Data(bytes + filling), to: path)
            let age = Double(Int.random(in: 0...40, using: &random) * 86_400)
            try FileManager.default.setAttributes(
                [.modificationDate: old.addingTimeInterval(-age)], ofItemAtPath: container.path + "/" + path)
        }
        for number in 0..<24 {
            guard let place = Self.places.randomElement(using: &random),
                let content = Self.contents.randomElement(using: &random)
            else { continue }
            let name =
                [
                    "take \(number)", "IMG_\(1000 + number)", "täg\(number)", UUID(seed: number, &random).uuidString,
                ].randomElement(using: &random) ?? "a"
            let path = "\(place)/\(name).\(content.ending)"
            try write(content.bytes, path)
            dear.insert(path)
            if number % 2 == 0 {
                named.append([path, "\(name).\(content.ending)"].randomElement(using: &random) ?? path)
            }
        }
        for number in 0..<8 {
            guard let form = Self.caches.randomElement(using: &random) else { continue }
            let name = form.hasPrefix("tmp") ? "aB3x\(10 + number)" : String(format: "%032x", number * 7919)
            let path = form.replacing("%@", with: name)
            try write([0xff, 0xd8, 0xff], path)
            // A file that a store of the app names is never removed without asking, whoever wrote it.
            if number % 2 == 0 {
                named.append((path as NSString).lastPathComponent)
                dear.insert(path)
            }
        }
        switch seed % 3 {
        case 0:
            let values = named.map { "('\($0.replacing("'", with: "''"))')" }.joined(separator: ", ")
            let files = try DatabaseRecipe([
                "CREATE TABLE item (id INTEGER PRIMARY KEY, file TEXT)",
                "INSERT INTO item (file) VALUES \(values)",
            ]).files()
            for (file, bytes) in files {
                try container.write(Data(bytes), to: "\(support)/app.db\(file.rawValue)")
            }
        case 1:
            try container.write(
                JSONSerialization.data(withJSONObject: ["items": named.map { ["file": $0] }]),
                to: "\(support)/items.json")
        default:
            try container.write(
                PropertyListSerialization.data(fromPropertyList: ["items": named], format: .binary, options: 0),
                to: "Library/Preferences/com.example.app.plist")
        }
    }
}

extension UUID {
    fileprivate init(seed: Int, _ random: inout SeededNumbers) {
        func byte() -> UInt8 { UInt8.random(in: 0...255, using: &random) }
        self.init(
            uuid: (
                byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(),
                byte(), byte(), UInt8(truncatingIfNeeded: seed)
            ))
    }
}
