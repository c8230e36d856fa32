/// The files that a type or a function writes under a name that its caller states, or under a default name.
struct CodeDefaults: Sendable {
    /// The identifier of the type or the function.
    let word: String
    /// The path of what it writes, or its end: `{}` is the argument, `*` any name, and `/` at the end stands for everything
    /// below a directory.
    let path: String
    /// The documentation or the source code that states the path.
    let source: String
    /// True if the file is written whether or not there is an argument.
    var isUnnamed: Bool { !path.contains("{}") }

    private init(_ word: String, path: String, source: String) {
        (self.word, self.path, self.source) = (word, path, source)
    }

    static let all: [CodeDefaults] = [
        .init(
            "NSPersistentContainer", path: "{}.sqlite",
            source: "developer.apple.com/documentation/coredata/nspersistentcontainer/init(name:)"),
        .init(
            "NSPersistentCloudKitContainer", path: "{}.sqlite",
            source: "developer.apple.com/documentation/coredata/nspersistentcloudkitcontainer"),
        .init(
            "ModelContainer", path: "default.store",
            source: "developer.apple.com/documentation/swiftdata/modelconfiguration"),
        .init(
            "modelContainer", path: "default.store",
            source: "developer.apple.com/documentation/swiftui/scene/modelcontainer(for:)"),
        .init("LoggerStore", path: "com.github.kean.logger/", source: "github.com/kean/Pulse, LoggerStore"),
        .init("PersistentLogHandler", path: "com.github.kean.logger/", source: "github.com/kean/PulseLogHandler"),
        .init(
            "ModelConfiguration", path: "{}.store",
            source: "developer.apple.com/documentation/swiftdata/modelconfiguration"),
        .init(
            "initWithSuiteName", path: "Library/Preferences/{}.plist",
            source: "developer.apple.com/documentation/foundation/userdefaults"),
        .init(
            "suiteName", path: "Library/Preferences/{}.plist",
            source: "developer.apple.com/documentation/foundation/userdefaults"),
        .init("URLCache", path: "{}/Cache.db", source: "developer.apple.com/documentation/foundation/urlcache"),
        .init("Realm", path: "default.realm", source: "github.com/realm/realm-swift, RLMRealmConfiguration"),
        .init("RLMRealm", path: "default.realm", source: "github.com/realm/realm-swift, RLMRealmConfiguration"),
        .init("openBox", path: "{}.hive", source: "github.com/isar/hive, StorageBackendVm"),
        .init("openLazyBox", path: "{}.hive", source: "github.com/isar/hive, StorageBackendVm"),
        .init("GetStorage", path: "{}.gs", source: "github.com/jonataslaw/get_storage"),
        .init("Isar", path: "{}.isar", source: "github.com/isar/isar, Isar.open"),
        .init("MMKV", path: "mmkv/", source: "github.com/Tencent/MMKV, MMKV.rootDir"),
        .init("createMMKV", path: "mmkv/{}", source: "github.com/mrousavy/react-native-mmkv"),
        .init(
            "AsyncStorage", path: "RCTAsyncLocalStorage_V1/",
            source: "github.com/react-native-async-storage/async-storage"),
        .init("driftDatabase", path: "{}.sqlite", source: "github.com/simolus3/drift, drift_flutter"),
        .init("openDatabaseSync", path: "SQLite/{}", source: "docs.expo.dev/versions/latest/sdk/sqlite"),
        .init("openDatabaseAsync", path: "SQLite/{}", source: "docs.expo.dev/versions/latest/sdk/sqlite"),
        .init(
            "createConnection", path: "CapacitorDatabase/{}SQLite.db", source: "github.com/capacitor-community/sqlite"),
        .init(
            "ImageCache", path: "com.onevcat.Kingfisher.ImageCache.{}/",
            source: "github.com/onevcat/Kingfisher, DiskStorage"),
        .init(
            "SDImageCache", path: "com.hackemist.SDImageCache/{}/",
            source: "github.com/SDWebImage/SDWebImage, SDImageCache"),
        .init("DataCache", path: "{}/", source: "github.com/kean/Nuke, DataCache"),
        .init("DiskConfig", path: "{}/", source: "github.com/hyperoslo/Cache, DiskConfig"),
        .init("PINCache", path: "com.pinterest.PINDiskCache.{}/", source: "github.com/pinterest/PINCache"),
        .init("DefaultCacheManager", path: "libCachedImageData/", source: "github.com/Baseflow/flutter_cache_manager"),
        .init("DDFileLogger", path: "Logs/", source: "github.com/CocoaLumberjack/CocoaLumberjack, DDFileLogger"),
        .init("CBLDatabase", path: "{}.cblite2/", source: "docs.couchbase.com/couchbase-lite"),
        .init("setupCoreDataStackWithStoreNamed", path: "{}", source: "github.com/magicalpanda/MagicalRecord"),
    ]
}

extension CodeDefaults {
    /// The hashes of the words, in the same order.
    static let hashes: [UInt32] = all.map { CodeHash.of($0.word.utf8) }

    /// Returns true if the item is what the type writes, with an argument.
    func matches(_ item: ItemPath, argument: ArraySlice<UInt8> = []) -> Bool {
        let slash = UInt8(ascii: "/")
        let isDirectory = path.hasSuffix("/")
        let text = path.replacing("Library/Preferences/", with: "")
        if text.utf8.count != path.utf8.count, item.location != .preferences { return false }
        let parts = text.utf8.split(separator: slash).map { part -> [UInt8] in
            let part = Array(part)
            guard let hole = part.indices.dropLast().first(where: { part[$0] == 0x7b && part[$0 + 1] == 0x7d }) else {
                return part
            }
            return Array(part[..<hole]) + argument + part[(hole + 2)...]
        }
        let components = item.components
        guard parts.count <= components.count else { return false }
        // A directory is anywhere in the path, a file at its end.
        let starts =
            isDirectory
            ? 0...(components.count - parts.count) : (components.count - parts.count)...(components.count - parts.count)
        return starts.contains { start in
            zip(parts, components[start...]).allSatisfy { CodeDefaults.isEqual($0, name: $1) }
        }
    }

    /// Returns true if the item may be what the type writes with an argument that is not known.
    func mayMatch(_ item: ItemPath) -> Bool {
        guard let hole = path.firstRange(of: "{}"), let name = item.components.last else { return false }
        if path.hasPrefix("Library/Preferences/") {
            return item.location == .preferences && item.components.count == 1
        }
        let end = path[hole.upperBound...]
        guard end.utf8.count >= 3, !path.contains("/") else { return false }
        return name.count > end.utf8.count && name.suffix(end.utf8.count).elementsEqual(end.utf8)
    }

    /// Compares without case; `-wal`, `-shm`, `.lock` and the like at the end of a database's name belong to it.
    private static func isEqual(_ part: [UInt8], name: [UInt8]) -> Bool {
        guard name.count >= part.count else { return false }
        guard zip(part, name).allSatisfy({ $0.asciiLowercased == $1.asciiLowercased }) else { return false }
        let rest = String(decoding: name[part.count...], as: UTF8.self)
        return ["", "-wal", "-shm", "-journal", ".lock", ".management", ".note"].contains(rest)
    }
}
