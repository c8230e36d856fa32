import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The remedies of the rules with Apple's frameworks; those of this file need Foundation alone. They are compiled, not run:
/// on Linux those of this file, and by `scripts/check-darwin-swift` all except those with a framework that is not Apple's.
enum AppleRemedies {
    static func excludeDirectory() throws {
        // shown in exclude-directory/Foundation
        var directory = URL.applicationSupportDirectory.appending(path: "Maps")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try directory.setResourceValues(values)
        // end
    }

    static func excludeFile(file: inout URL) throws {
        // shown in exclude-file/Foundation
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try file.setResourceValues(values)
        // end
    }

    static func saveExcluded(file: inout URL, data: Data) throws {
        // shown in save-excluded/Foundation
        try data.write(to: file, options: .atomic)
        // The save has replaced the file, and with it the exclusion.
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try file.setResourceValues(values)
        // end
    }

    static func includeInBackup(file: inout URL) throws {
        // shown in include-in-backup/Foundation
        var values = URLResourceValues()
        values.isExcludedFromBackup = false
        try file.setResourceValues(values)
        // end
    }

    static func saveInCaches(data: Data) throws {
        // shown in save-in-caches/Foundation
        try data.write(to: .cachesDirectory.appending(path: "8.png"), options: .atomic)
        // end
    }

    static func keepOffline(data: Data) throws {
        // shown in keep-offline/Foundation
        var directory = URL.applicationSupportDirectory.appending(path: "Downloads")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try directory.setResourceValues(values)
        try data.write(to: directory.appending(path: "8.png"), options: .atomic)
        // end
    }

    static func moveToCaches(directory: URL) throws {
        // shown in move-to-caches/Foundation
        try FileManager.default.moveItem(at: directory, to: .cachesDirectory.appending(path: "Maps"))
        // end
    }

    static func logInCaches(data: Data) throws {
        // shown in log-in-caches/Foundation
        let logs = URL.cachesDirectory.appending(path: "Logs")
        try FileManager.default.createDirectory(at: logs, withIntermediateDirectories: true)
        try data.write(to: logs.appending(path: "app.log"))
        // end
    }

    static func saveUserDocument(data: Data) throws {
        // shown in save-user-document/Foundation
        try data.write(to: .documentsDirectory.appending(path: "Letter.txt"), options: .atomic)
        // end
    }

    static func saveAppFile(data: Data) throws {
        // shown in save-app-file/Foundation
        let directory = URL.applicationSupportDirectory.appending(path: "com.example.app")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try data.write(to: directory.appending(path: "index.json"), options: .atomic)
        // end
    }

    static func moveToApplicationSupport(file: URL) throws {
        // shown in move-to-application-support/Foundation
        let directory = URL.applicationSupportDirectory.appending(path: "com.example.app")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: file, to: directory.appending(path: "index.json"))
        // end
    }

    #if canImport(Darwin)
    static func saveInGroup(data: Data) throws {
        // shown in save-in-group/Foundation
        let group = FileManager.default.containerURL(
            forSecurityApplicationGroupIdentifier: "group.com.example")
        if let directory = group?.appending(path: "Library/Application Support") {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try data.write(to: directory.appending(path: "shared.json"), options: .atomic)
        }
        // end
    }
    #endif

    static func deleteAfterUse() throws {
        // shown in delete-after-use/Foundation
        let file = FileManager.default.temporaryDirectory.appending(path: "export.zip")
        defer { try? FileManager.default.removeItem(at: file) }
        // end
        _ = file
    }

    static func clearTmp() throws {
        // shown in clear-tmp/Foundation
        let tmp = FileManager.default.temporaryDirectory
        for name in try FileManager.default.contentsOfDirectory(atPath: tmp.path) {
            try FileManager.default.removeItem(at: tmp.appending(path: name))
        }
        // end
    }

    static func takeDownload(download: URL) throws {
        // shown in take-download/Foundation
        try FileManager.default.moveItem(at: download, to: .cachesDirectory.appending(path: "8.png"))
        // end
    }

    static func takeOutOfInbox(received: URL) throws {
        // shown in take-out-of-inbox/Foundation
        let target = URL.documentsDirectory.appending(path: received.lastPathComponent)
        try FileManager.default.moveItem(at: received, to: target)
        // end
    }

    static func delete(file: URL) throws {
        // shown in delete/Foundation
        try FileManager.default.removeItem(at: file)
        // end
    }

    static func expire(cache: URL) throws {
        // shown in expire/Foundation
        let limit = Date.now - 30 * 86_400
        let files = try FileManager.default.contentsOfDirectory(
            at: cache, includingPropertiesForKeys: [.contentModificationDateKey])
        for file in files {
            let values = try file.resourceValues(forKeys: [.contentModificationDateKey])
            let date = values.contentModificationDate ?? .now
            if date < limit { try FileManager.default.removeItem(at: file) }
        }
        // end
    }

    static func limitUrlCache() throws {
        // shown in limit-url-cache/Foundation
        URLCache.shared.diskCapacity = 50 << 20
        URLCache.shared.removeCachedResponses(since: .now - 30 * 86_400)
        // end
    }

    static func rename(file: URL) throws {
        // shown in rename/Foundation
        let renamed = file.deletingLastPathComponent().appending(path: "Draft.txt")
        try FileManager.default.moveItem(at: file, to: renamed)
        // end
    }

    static func storeRelativePath() throws {
        // shown in store-relative-path/Foundation
        UserDefaults.standard.set("Letters/first.txt", forKey: "recent")
        let name = UserDefaults.standard.string(forKey: "recent") ?? ""
        let recent = URL.documentsDirectory.appending(path: name)
        // end
        _ = recent
    }

    static func checkBeforeUse(file: URL, download: () throws -> Void) throws {
        // shown in check-before-use/Foundation
        if !FileManager.default.fileExists(atPath: file.path) { try download() }
        // end
    }

    static func importFile(picked: URL) throws {
        // shown in import-file/Foundation
        let copy = URL.documentsDirectory.appending(path: picked.lastPathComponent)
        try FileManager.default.copyItem(at: picked, to: copy)
        // end
    }

    static func linkRelatively(link: URL) throws {
        // shown in link-relatively/Foundation
        try FileManager.default.createSymbolicLink(
            atPath: link.path, withDestinationPath: "Letters/first.txt")
        // end
    }

    static func saveAtomically(file: URL, data: Data) throws {
        // shown in save-atomically/Foundation
        try data.write(to: file, options: .atomic)
        // end
    }

    static func protectUntilFirstUnlock(directory: URL) throws {
        // shown in protect-until-first-unlock/Foundation
        try FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
            ofItemAtPath: directory.path)
        // end
    }

    static func moveDatabase(old: URL, new: URL) throws {
        // shown in move-database/Foundation
        for suffix in ["-wal", "-journal", ""] {
            let file = old.path + suffix
            guard FileManager.default.fileExists(atPath: file) else { continue }
            try FileManager.default.moveItem(atPath: file, toPath: new.path + suffix)
        }
        // end
    }

    static func deleteDatabase(old: URL) throws {
        // shown in delete-database/Foundation
        for suffix in ["", "-wal", "-shm", "-journal"] {
            try? FileManager.default.removeItem(atPath: old.path + suffix)
        }
        // end
    }

    static func disableUrlCache() throws {
        // shown in disable-url-cache/Foundation
        let session = URLSession(configuration: .ephemeral)
        // end
        _ = session
    }

    static func storeBesidePreferences(data: Data) throws {
        // shown in store-beside-preferences/Foundation
        try data.write(to: .applicationSupportDirectory.appending(path: "cover.png"), options: .atomic)
        UserDefaults.standard.set("cover.png", forKey: "cover")
        // end
    }

    static func setPreference() throws {
        // shown in set-preference/Foundation
        UserDefaults.standard.set(true, forKey: "nightMode")
        // end
    }

    static func nameSuite() throws {
        // shown in name-suite/Foundation
        let defaults = UserDefaults(suiteName: "com.example.app.widget")
        // end
        _ = defaults
    }

    static func nameArchivedClass() throws {
        // shown in name-archived-class/Foundation
        NSKeyedArchiver.setClassName("Bookmark", for: Bookmark.self)
        NSKeyedUnarchiver.setClass(Bookmark.self, forClassName: "Bookmark")
        // end
    }

    static func decodeSecurely(data: Data) throws {
        final class Shelf: NSObject {}
        final class Book: NSObject {}
        // shown in decode-securely/Foundation
        let shelf = try NSKeyedUnarchiver.unarchivedObject(
            ofClasses: [Shelf.self, Book.self], from: data)
        // end
        _ = shelf
    }
}

#if !canImport(Darwin)
extension URL {
    // As on Apple's systems.
    fileprivate static var documentsDirectory: URL { URL(filePath: NSHomeDirectory() + "/Documents") }
    fileprivate static var cachesDirectory: URL { URL(filePath: NSHomeDirectory() + "/Library/Caches") }
    fileprivate static var applicationSupportDirectory: URL {
        URL(filePath: NSHomeDirectory() + "/Library/Application Support")
    }
}
#endif

/// A class of the app, in archives.
final class Bookmark: NSObject {}
