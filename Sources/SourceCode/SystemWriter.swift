/// Files that the system writes, so that no line of the app does. Those of SDKs are in the registry of the rules.
struct SystemWriter: Sendable {
    /// The start of the path in a container, or a name anywhere in it: one that ends in `*` is the start of a name.
    let path: String
    let writer: String

    private init(_ path: String, writer: String = "the system") { (self.path, self.writer) = (path, writer) }

    /// Source: “File System Basics” in Apple's File System Programming Guide.
    private static let all: [SystemWriter] = [
        .init(".com.apple.mobile_container_manager.metadata.plist"), .init("Library/SplashBoard"),
        .init("Library/Saved Application State"), .init("Library/Cookies"), .init("Library/HTTPStorages"),
        .init("Library/WebKit", writer: "WebKit"), .init("Library/Caches/WebKit", writer: "WebKit"),
        .init("StoreKit", writer: "StoreKit"), .init("SystemData"), .init("Library/SyncedPreferences"),
        .init("Library/Caches/Snapshots"), .init("Library/Keyboard"), .init("Library/Preferences/com.apple.*"),
        .init("com.apple.*"), .init("fsCachedData", writer: "URLCache"),
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
