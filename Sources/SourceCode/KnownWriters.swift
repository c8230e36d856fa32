/// Files that the system or an SDK writes, so that no line of the app does.
struct KnownWriter: Sendable {
    /// The start of the path in a container, or a name anywhere in it: one that ends in `*` is the start of a name.
    let path: String
    let writer: String

    private init(_ path: String, writer: String) { (self.path, self.writer) = (path, writer) }

    /// Sources: “File System Basics” in Apple's File System Programming Guide, and the repositories of the SDKs.
    private static let all: [KnownWriter] = [
        .init(".com.apple.mobile_container_manager.metadata.plist", writer: "the system"),
        .init("Library/SplashBoard", writer: "the system"),
        .init("Library/Saved Application State", writer: "the system"),
        .init("Library/Cookies", writer: "the system"), .init("Library/HTTPStorages", writer: "the system"),
        .init("Library/WebKit", writer: "WebKit"), .init("Library/Caches/WebKit", writer: "WebKit"),
        .init("StoreKit", writer: "StoreKit"),
        .init("SystemData", writer: "the system"), .init("Library/SyncedPreferences", writer: "the system"),
        .init("Library/Caches/Snapshots", writer: "the system"), .init("Library/Keyboard", writer: "the system"),
        .init("Library/Preferences/com.apple.*", writer: "the system"), .init("com.apple.*", writer: "the system"),
        .init("google-heartbeat-storage", writer: "Firebase"), .init("com.google.*", writer: "a Google SDK"),
        .init("google-sdks-events", writer: "Firebase"), .init("com.firebase.*", writer: "Firebase"),
        .init("com.crashlytics.*", writer: "Crashlytics"),
        .init("com.google.firebase.*", writer: "Firebase"), .init("io.sentry", writer: "Sentry"),
        .init("com.facebook.*", writer: "the Facebook SDK"),
        .init("com.hackemist.SDImageCache", writer: "SDWebImage"),
        .init("com.onevcat.Kingfisher.ImageCache.default", writer: "Kingfisher"),
        .init("fsCachedData", writer: "URLCache"), .init("com.bugsnag.*", writer: "Bugsnag"),
        .init("com.plausiblelabs.crashreporter.data", writer: "PLCrashReporter"),
        .init("com.microsoft.appcenter", writer: "App Center"), .init("MTGSDK", writer: "Mintegral"),
        .init("Mixpanel*", writer: "Mixpanel"),
        .init("io.realm", writer: "Realm"), .init("RCTAsyncLocalStorage_V1", writer: "AsyncStorage"),
    ]

    /// Returns the name of the writer of an item, or nil if a line of the app may write it.
    static func name(of path: [UInt8]) -> String? {
        let components = path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        return all.first { $0.matches(components) }?.writer
    }

    private func matches(_ components: [String]) -> Bool {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 1 else {
            return components.count >= parts.count && zip(parts, components).allSatisfy { Self.isMatch($0, name: $1) }
        }
        // A name such as `StoreKit` may be the app's own further below.
        let isAnywhere =
            path.contains(".") && path.first != "." || path.contains("-") || path.contains("_") || path.contains("*")
        return components.prefix(isAnywhere ? components.count : 1).contains { Self.isMatch(path, name: $0) }
            || !isAnywhere && path.first(where: \.isLowercase) == path.first && components.contains(path)
    }

    private static func isMatch(_ part: String, name: String) -> Bool {
        part.hasSuffix("*") ? name.hasPrefix(part.dropLast()) : name == part
    }
}
