/// Files that the system or an SDK writes, so that no line of the app does.
struct KnownWriter: Sendable {
    /// The start of the path in a container, or a name anywhere in it: one that ends in `*` is the start of a name.
    let path: String
    let writer: String

    private init(_ path: String, _ writer: String) { (self.path, self.writer) = (path, writer) }

    /// Sources: “File System Basics” in Apple's File System Programming Guide, and the repositories of the SDKs.
    private static let all: [KnownWriter] = [
        .init(".com.apple.mobile_container_manager.metadata.plist", "the system"),
        .init("Library/SplashBoard", "the system"), .init("Library/Saved Application State", "the system"),
        .init("Library/Cookies", "the system"), .init("Library/HTTPStorages", "the system"),
        .init("Library/WebKit", "WebKit"), .init("Library/Caches/WebKit", "WebKit"), .init("StoreKit", "StoreKit"),
        .init("SystemData", "the system"), .init("Library/SyncedPreferences", "the system"),
        .init("Library/Caches/Snapshots", "the system"), .init("Library/Keyboard", "the system"),
        .init("Library/Preferences/com.apple.*", "the system"), .init("com.apple.*", "the system"),
        .init("google-heartbeat-storage", "Firebase"), .init("com.google.*", "a Google SDK"),
        .init("google-sdks-events", "Firebase"), .init("com.firebase.*", "Firebase"),
        .init("com.crashlytics.*", "Crashlytics"),
        .init("com.google.firebase.*", "Firebase"), .init("io.sentry", "Sentry"),
        .init("com.facebook.*", "the Facebook SDK"),
        .init("com.hackemist.SDImageCache", "SDWebImage"),
        .init("com.onevcat.Kingfisher.ImageCache.default", "Kingfisher"),
        .init("fsCachedData", "URLCache"), .init("com.bugsnag.*", "Bugsnag"),
        .init("com.plausiblelabs.crashreporter.data", "PLCrashReporter"),
        .init("com.microsoft.appcenter", "App Center"), .init("MTGSDK", "Mintegral"), .init("Mixpanel*", "Mixpanel"),
        .init("io.realm", "Realm"), .init("RCTAsyncLocalStorage_V1", "AsyncStorage"),
    ]

    /// Returns the name of the writer of an item, or nil if a line of the app may write it.
    static func name(of path: [UInt8]) -> String? {
        let components = path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        return all.first { $0.matches(components) }?.writer
    }

    private func matches(_ components: [String]) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 1 else {
            return components.count >= parts.count && zip(parts, components).allSatisfy { Self.isMatch($0, $1) }
        }
        // A name such as `StoreKit` may be the app's own further below.
        let isAnywhere =
            path.contains(".") && path.first != "." || path.contains("-") || path.contains("_") || path.contains("*")
        return components.prefix(isAnywhere ? components.count : 1).contains { Self.isMatch(path, $0) }
            || !isAnywhere && path.first(where: \.isLowercase) == path.first && components.contains(path)
    }

    private static func isMatch(_ part: String, _ name: String) -> Bool {
        part.hasSuffix("*") ? name.hasPrefix(part.dropLast()) : name == part
    }
}
