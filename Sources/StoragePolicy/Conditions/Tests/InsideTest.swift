/// `inside: cache-directory` or `log-directory`: a directory above the item, in the same location, is named so.
struct InsideTest: Test {
    static let key = "inside"
    static let cost = Cost.free

    enum Word: String, CaseIterable, Sendable {
        case cacheDirectory = "cache-directory"
        case logDirectory = "log-directory"

        /// Names of such directories, in small letters.
        var names: Set<String> {
            switch self {
            case .cacheDirectory: InsideTest.names
            case .logDirectory: ["log", "logs"]
            }
        }
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("directory", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { [] }

    func holds(for subject: inout Subject) -> Bool {
        guard let name = subject.place.inside[word] else { return false }
        subject.note("directory", name)
        return true
    }

    /// Names of directories that hold what can be made again, in small letters.
    static let names: Set<String> = [
        "cache", "caches", "imagecache", "image_cache", "image-cache", "imagecaches", "thumbnails", "thumbnailcache",
        "tilecache", "diskcache", "webcache",
    ]
}
