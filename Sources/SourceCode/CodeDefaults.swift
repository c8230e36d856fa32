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

    private init(_ word: String, _ path: String, _ source: String) {
        (self.word, self.path, self.source) = (word, path, source)
    }

    static let all: [CodeDefaults] = [
        .init(
            "NSPersistentContainer", "{}.sqlite",
            "developer.apple.com/documentation/coredata/nspersistentcontainer/init(name:)"),
        .init(
            "NSPersistentCloudKitContainer", "{}.sqlite",
            "developer.apple.com/documentation/coredata/nspersistentcloudkitcontainer"),
        .init("ModelContainer", "default.store", "developer.apple.com/documentation/swiftdata/modelconfiguration"),
        .init("ModelConfiguration", "{}.store", "developer.apple.com/documentation/swiftdata/modelconfiguration"),
        .init(
            "initWithSuiteName", "Library/Preferences/{}.plist",
            "developer.apple.com/documentation/foundation/userdefaults"),
        .init("suiteName", "Library/Preferences/{}.plist", "developer.apple.com/documentation/foundation/userdefaults"),
        .init("URLCache", "{}/Cache.db", "developer.apple.com/documentation/foundation/urlcache"),
        .init("Realm", "default.realm", "github.com/realm/realm-swift, RLMRealmConfiguration"),
        .init("RLMRealm", "default.realm", "github.com/realm/realm-swift, RLMRealmConfiguration"),
        .init("openBox", "{}.hive", "github.com/isar/hive, StorageBackendVm"),
        .init("openLazyBox", "{}.hive", "github.com/isar/hive, StorageBackendVm"),
        .init("GetStorage", "{}.gs", "github.com/jonataslaw/get_storage"),
        .init("Isar", "default.isar", "github.com/isar/isar, Isar.defaultName"),
        .init("MMKV", "mmkv/", "github.com/Tencent/MMKV, MMKV.rootDir"),
        .init("createMMKV", "mmkv/{}", "github.com/mrousavy/react-native-mmkv"),
        .init("AsyncStorage", "RCTAsyncLocalStorage_V1/", "github.com/react-native-async-storage/async-storage"),
        .init("driftDatabase", "{}.sqlite", "github.com/simolus3/drift, drift_flutter"),
        .init("openDatabaseSync", "SQLite/{}", "docs.expo.dev/versions/latest/sdk/sqlite"),
        .init("openDatabaseAsync", "SQLite/{}", "docs.expo.dev/versions/latest/sdk/sqlite"),
        .init("createConnection", "CapacitorDatabase/{}SQLite.db", "github.com/capacitor-community/sqlite"),
        .init("ImageCache", "com.onevcat.Kingfisher.ImageCache.{}/", "github.com/onevcat/Kingfisher, DiskStorage"),
        .init("SDImageCache", "com.hackemist.SDImageCache/{}/", "github.com/SDWebImage/SDWebImage, SDImageCache"),
        .init("DataCache", "{}/", "github.com/kean/Nuke, DataCache"),
        .init("DiskConfig", "{}/", "github.com/hyperoslo/Cache, DiskConfig"),
        .init("PINCache", "com.pinterest.PINDiskCache.{}/", "github.com/pinterest/PINCache"),
        .init("DefaultCacheManager", "libCachedImageData/", "github.com/Baseflow/flutter_cache_manager"),
        .init("DDFileLogger", "Logs/", "github.com/CocoaLumberjack/CocoaLumberjack, DDFileLogger"),
        .init("CBLDatabase", "{}.cblite2/", "docs.couchbase.com/couchbase-lite"),
        .init("setupCoreDataStackWithStoreNamed", "{}", "github.com/magicalpanda/MagicalRecord"),
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
            zip(parts, components[start...]).allSatisfy { CodeDefaults.isEqual($0, $1) }
        }
    }

    /// Compares without case; `-wal`, `-shm`, `.lock` and the like at the end of a database's name belong to it.
    private static func isEqual(_ part: [UInt8], _ name: [UInt8]) -> Bool {
        guard name.count >= part.count else { return false }
        guard zip(part, name).allSatisfy({ $0.asciiLowercased == $1.asciiLowercased }) else { return false }
        let rest = String(decoding: name[part.count...], as: UTF8.self)
        return ["", "-wal", "-shm", "-journal", ".lock", ".management", ".note"].contains(rest)
    }
}
