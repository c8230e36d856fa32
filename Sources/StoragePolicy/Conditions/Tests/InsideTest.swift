/// `inside: cache-directory` or `log-directory`: a directory above the item, in the same location, is named so.
struct InsideTest: Test {
    static let key = "inside"
    static let cost = Cost.free

    private enum Word: String, CaseIterable {
        case cacheDirectory = "cache-directory"
        case logDirectory = "log-directory"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("directory", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { word == .cacheDirectory ? .insideCache : .insideLogs }

    func isDecided(by signals: Signals) -> Bool { true }

    func holds(for subject: inout Subject) -> Bool {
        let place = subject.place
        guard let name = word == .cacheDirectory ? place.cacheDirectory : place.logDirectory else { return false }
        subject.note("directory", name)
        return true
    }

    /// Names of directories that hold what can be made again, in small letters.
    static let names: Set<String> = [
        "cache", "caches", "imagecache", "image_cache", "image-cache", "imagecaches", "thumbnails", "thumbnailcache",
        "tilecache", "diskcache", "webcache",
    ]
    /// Names of directories that hold logs, in small letters.
    static let logNames: Set<String> = ["log", "logs"]
}
