import Foundation

#if canImport(CoreData)
import CoreData
#endif
#if canImport(RealmSwift)
import RealmSwift
#endif
#if canImport(Security)
import Security
#endif
#if canImport(SQLite3)
import SQLite3
#endif
#if canImport(UIKit)
import UIKit
#endif

// The remedies with the frameworks that only Apple's systems have, and with Realm.

#if canImport(Darwin)
extension AppleRemedies {
    static func removeOrigin(file: URL) throws {
        // shown in remove-origin/Darwin
        removexattr(file.path, "com.apple.metadata:kMDItemWhereFroms", 0)
        // end
    }
}
#endif

#if canImport(Security)
extension AppleRemedies {
    static func storeInKeychain(token: Data) throws {
        // shown in store-in-keychain/Security
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "session", kSecValueData: token,
            // Not in backups for other devices; …AfterFirstUnlock is in encrypted ones.
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        let status = SecItemAdd(item as CFDictionary, nil)
        // end
        _ = status
    }

    static func storePortableKey(key: Data) throws {
        // shown in store-portable-key/Security
        let item: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: "database", kSecValueData: key,
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
        ]
        let status = SecItemAdd(item as CFDictionary, nil)
        // end
        _ = status
    }
}
#endif

#if canImport(SQLite3)
extension AppleRemedies {
    static func openInApplicationSupport() throws {
        // shown in open-in-application-support/SQLite3
        let directory = URL.applicationSupportDirectory.appending(path: "Letters")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        var database: OpaquePointer?
        let code = sqlite3_open(directory.appending(path: "Letters.sqlite").path, &database)
        // end
        _ = code
    }

    static func checkpoint(database: OpaquePointer) throws {
        // shown in checkpoint/SQLite3
        sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        // end
    }

    static func vacuum(database: OpaquePointer) throws {
        // shown in vacuum/SQLite3
        sqlite3_exec(database, "VACUUM", nil, nil, nil)
        // end
    }

    static func copyDatabase(database: OpaquePointer) throws {
        // shown in copy-database/SQLite3
        sqlite3_exec(database, "VACUUM INTO 'Copy.sqlite'", nil, nil, nil)
        // end
    }
}
#endif

#if canImport(CoreData)
extension AppleRemedies {
    static func moveCoreData(coordinator: NSPersistentStoreCoordinator, old: URL, new: URL) throws {
        // shown in move-core-data/CoreData
        try coordinator.replacePersistentStore(at: new, withPersistentStoreFrom: old, type: .sqlite)
        try coordinator.destroyPersistentStore(at: old, type: .sqlite)
        // end
    }

    static func deleteManagedObjects(context: NSManagedObjectContext, objects: [NSManagedObject]) throws {
        // shown in delete-managed-objects/CoreData
        for object in objects { context.delete(object) }
        try context.save()
        // end
    }
}
#endif

#if canImport(RealmSwift)
extension AppleRemedies {
    static func deleteRealm(configuration: Realm.Configuration) throws {
        // shown in delete-realm/RealmSwift
        let isDeleted = try Realm.deleteFiles(for: configuration)
        // end
        _ = isDeleted
    }
}
#endif

#if canImport(UIKit)
@MainActor final class CoveringDelegate {
    var window: UIWindow?
    let cover: UIView

    init(cover: UIView) { self.cover = cover }

    // shown in cover-content/UIKit
    func sceneWillResignActive(_ scene: UIScene) {
        window?.addSubview(cover)
    }
    // end
}
#endif
