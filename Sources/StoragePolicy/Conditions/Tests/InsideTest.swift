/// `inside: cache-directory`: a directory above the item, in the same location, is named as a cache.
struct InsideTest: Test {
    static let key = "inside"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case cacheDirectory = "cache-directory" }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("directory", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .insideCache }

    func isDecided(by signals: Signals) -> Bool { true }

    func holds(for subject: inout Subject) -> Bool {
        guard let name = subject.place.cacheDirectory else { return false }
        subject.note("directory", name)
        return true
    }

    /// Names of directories that hold what can be made again, in small letters.
    static let names: Set<String> = [
        "cache", "caches", "imagecache", "image_cache", "image-cache", "imagecaches", "thumbnails", "thumbnailcache",
        "tilecache", "diskcache", "webcache",
    ]
}
