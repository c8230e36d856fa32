package import FileSystem
internal import PropertyLists
package import SystemPackage

/// A backup in a directory of backups, such as `MobileSync/Backup` of Finder and iTunes, with the properties that its
/// files state. They are not verified.
package struct DeviceBackup: Sendable, Hashable {
    /// The directory of the backup, relative to the listed one.
    package let path: FilePath
    /// The name that the user gave the device.
    package let deviceName: String?
    /// The model identifier, such as `iPhone14,5`.
    package let productType: String?
    /// The iOS version.
    package let productVersion: String?
    /// The date of the backup in seconds since 1970-01-01T00:00:00Z.
    package let date: Int64?
    /// True if the backup is declared as encrypted; nil if it is unknown.
    package let isEncrypted: Bool?

    /// The maximum number of directories that are examined.
    private static let maximumCount = 10_000

    /// Returns the backups in a directory of backups, sorted by name: the directory itself, or `Backup` or
    /// `MobileSync/Backup` below it. A directory with `Manifest.db` or `Manifest.mbdb` counts as a backup.
    ///
    /// - Throws: `failed` if the directory cannot be listed.
    package static func backups(in folder: Folder) throws(MobileBackupError) -> [DeviceBackup] {
        for prefix in ["", "Backup", "MobileSync/Backup"] {
            let below = FilePath(prefix)
            guard let parent = prefix.isEmpty ? folder : try? folder.openFolder(below) else { continue }
            let names: [FilePath]
            do throws(FileSystemError) { names = try parent.names() } catch { throw MobileBackupError(reading: error) }
            let found = names.prefix(maximumCount).compactMap { name -> DeviceBackup? in
                guard let one = try? parent.openFolder(noFollow: name), isBackup(one) else { return nil }
                return DeviceBackup(one, at: below.appending(name.components))
            }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Returns true if a directory contains the manifest of a backup, of any version.
    package static func isBackup(_ folder: Folder) -> Bool {
        ["Manifest.db", "Manifest.mbdb"].contains { (try? folder.statusIfPresent(FilePath($0)))??.kind == .file }
    }

    private init(_ folder: Folder, at path: FilePath) {
        self.path = path
        let facts = BackupFacts(folder)
        let information = (try? facts.list("Info.plist")) ?? nil
        deviceName = information?.root["Device Name"]?.string
        productType = information?.root["Product Type"]?.string
        productVersion = information?.root["Product Version"]?.string
        date = BackupFacts.date(information?.root["Last Backup Date"])
        switch (try? facts.list("Manifest.plist"))??.root["IsEncrypted"]?.node {
        case .boolean(let isEncrypted): self.isEncrypted = isEncrypted
        default: isEncrypted = nil
        }
    }
}
