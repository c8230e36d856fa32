package import BackupRepository
internal import FileSystem
package import MobileBackup

extension BackedUpDevice {
    /// A device that a snapshot can be said to be of, since a snapshot knows none. It is the same for the same snapshot,
    /// and its identifier the same for the same app.
    package init(standingFor snapshot: Snapshot, of store: BackupStore, bundleIdentifier: String) throws(BackupError) {
        // 40 digits, as devices before 2018 have.
        let identifier = ContentHash(of: Array("sandboxbackup \(bundleIdentifier)".utf8)).hexadecimal.prefix(40)
        let hash = try store.hash(of: snapshot)
        let digits = Array(hash.hexadecimal.uppercased())
        // A UUID of one's own making says so by its version, 8 (RFC 9562).
        let parts = [digits[0..<8], digits[8..<12], ["8"] + digits[13..<16], ["A"] + digits[17..<20], digits[20..<32]]
        self.init(
            identifier: String(identifier), name: "sandboxbackup", productType: "iPhone14,5", productName: "iPhone 13",
            productVersion: "17.5.1", buildVersion: "21F90", serialNumber: String(digits[32..<44]),
            backupIdentifier: parts.map { String($0) }.joined(separator: "-"), date: snapshot.taken.seconds)
    }
}

extension BackupDomain {
    /// Where Apple's layout has a container.
    init(of kind: String, _ bundleIdentifier: String) throws(EntryRefusal) {
        let owner: Owner =
            switch kind {
            case "group": .group
            case "plugin": .plugin
            default: .app
            }
        try self.init(owner, bundleIdentifier)
    }

    /// As a snapshot calls what it is of; nil for a domain of the system.
    var snapshotKind: String? {
        switch owner {
        case .app: "application"
        case .group: "group"
        case .plugin: "plugin"
        case .system: nil
        }
    }
}
