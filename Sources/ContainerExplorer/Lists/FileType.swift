internal import FileSystem

/// The type of a file by the extension of its name, for the sums of `du --by kind`. Not a statement about its content.
enum FileType: String, CaseIterable {
    case picture, video, audio, document, database, archive
    case propertyList = "property list"
    case text, code, web, font, other

    private static let extensions: [FileType: [String]] = [
        .picture: ["jpg", "jpeg", "png", "heic", "heif", "gif", "tif", "tiff", "webp", "bmp", "svg", "dng", "ktx"],
        .video: ["mp4", "m4v", "mov", "avi", "mkv", "webm", "ts", "movpkg", "3gp"],
        .audio: ["mp3", "m4a", "aac", "wav", "caf", "flac", "ogg", "opus", "aiff", "m4b"],
        .document: [
            "pdf", "epub", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "pages", "numbers", "key", "rtf", "ics",
        ],
        .database: [
            "sqlite", "sqlite3", "db", "realm", "store", "sqlite-wal", "sqlite-shm", "db-wal", "db-shm", "mdb",
        ],
        .archive: ["zip", "gz", "tar", "tgz", "xz", "zst", "7z", "lz4", "lzfse", "archive"],
        .propertyList: ["plist", "strings", "stringsdict"],
        .text: ["txt", "md", "log", "csv", "json", "xml", "yml", "yaml", "srt", "vtt"],
        .code: ["js", "wasm", "dylib", "metallib", "mlmodelc", "lua"],
        .web: ["html", "htm", "css", "localstorage", "webarchive"],
        .font: ["ttf", "otf", "ttc", "woff", "woff2"],
    ]
    private static let byExtension = Dictionary(
        extensions.flatMap { type, words in words.map { ($0, type) } }, uniquingKeysWith: { first, _ in first })

    /// The type of a regular file with this name.
    init(name: ArraySlice<UInt8>) {
        // The longest extension has eleven characters.
        let end = name.suffix(16)
        guard let dot = end.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
            self = .other
            return
        }
        let word = String(decoding: end[(dot + 1)...], as: UTF8.self).lowercased()
        self = Self.byExtension[word] ?? .other
    }
}
