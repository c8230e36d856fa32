internal import PropertyLists

/// The properties of the device and of the backup. All of them come from the caller: no clock and no random numbers are
/// used.
package struct BackedUpDevice: Sendable, Hashable {
    /// The UDID, which names the directory of the backup: letters, digits and hyphens.
    package var identifier: String
    /// The name that the user gave the device.
    package var name: String
    /// The model identifier, such as `iPhone14,5`.
    package var productType: String
    /// The model name, such as `iPhone 13`.
    package var productName: String
    /// The iOS version, such as `17.5.1`. Readers refuse versions before 10.2.
    package var productVersion: String
    /// The build, such as `21F90`.
    package var buildVersion: String
    package var serialNumber: String
    /// The UUID of the backup, 36 characters.
    package var backupIdentifier: String
    /// The date of the backup in seconds since 1970-01-01T00:00:00Z. Directories that no entry describes get it as
    /// their times.
    package var date: Int64
    /// The versions of apps, by identifier.
    package var applicationVersions: [String: String]

    package init(
        identifier: String, name: String, productType: String, productName: String, productVersion: String,
        buildVersion: String, serialNumber: String, backupIdentifier: String, date: Int64,
        applicationVersions: [String: String] = [:]
    ) {
        (self.identifier, self.name, self.productType) = (identifier, name, productType)
        (self.productName, self.productVersion, self.buildVersion) = (productName, productVersion, buildVersion)
        (self.serialNumber, self.backupIdentifier, self.date) = (serialNumber, backupIdentifier, date)
        self.applicationVersions = applicationVersions
    }

    var isNamed: Bool { Self.isIdentifier(identifier) }

    /// Returns true if an identifier is a valid directory name.
    package static func isIdentifier(_ identifier: String) -> Bool {
        !identifier.isEmpty && identifier.utf8.count <= 64
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

/// The property lists beside the manifest, with the keys that third-party readers need (dissect.target 3.25.1, mvt
/// 2026.10.26, pyiosbackup 0.2.4, iOSbackup 0.9.925) and that pymobiledevice3 and idevicebackup2 write. Not tested with
/// a device, which may need more.
extension BackedUpDevice {
    /// `Status.plist`, which marks a finished backup.
    var status: PropertyList {
        .dictionary([
            ("BackupState", .string("new")), ("Date", appleDate), ("IsFullBackup", .boolean(true)),
            ("SnapshotState", .string("finished")), ("UUID", .string(backupIdentifier)), ("Version", .string("3.3")),
        ])
    }

    /// `Manifest.plist`, with the apps, plug-ins and groups of the domains.
    func manifest(_ domains: [BackupDomain]) -> PropertyList {
        .dictionary([
            ("Applications", .dictionary(domains.compactMap(application))),
            // iOSbackup 0.9.925 needs this key to open any backup.
            ("BackupKeyBag", .data([])),
            ("Date", appleDate), ("IsEncrypted", .boolean(false)),
            (
                "Lockdown",
                .dictionary([
                    ("BuildVersion", .string(buildVersion)), ("DeviceName", .string(name)),
                    ("ProductType", .string(productType)), ("ProductVersion", .string(productVersion)),
                    ("SerialNumber", .string(serialNumber)), ("UniqueDeviceID", .string(identifier)),
                ])
            ),
            ("SystemDomainsVersion", .string("24.0")), ("Version", .string("10.0")),
            ("WasPasscodeSet", .boolean(false)),
        ])
    }

    /// `Info.plist`, with the apps of the domains.
    func information(_ domains: [BackupDomain]) -> PropertyList {
        let apps = domains.filter { $0.owner == .app }.compactMap(\.bundleID)
        return .dictionary([
            ("Applications", .dictionary(apps.map { (key: $0, value: PropertyList.dictionary([])) })),
            ("Build Version", .string(buildVersion)), ("Device Name", .string(name)), ("Display Name", .string(name)),
            ("GUID", .string(backupIdentifier.filter { $0 != "-" })), ("IMEI", .string("")),
            ("Installed Applications", .array(apps.map { .string($0) })), ("Last Backup Date", appleDate),
            ("Product Name", .string(productName)), ("Product Type", .string(productType)),
            ("Product Version", .string(productVersion)), ("Serial Number", .string(serialNumber)),
            ("Target Identifier", .string(identifier)), ("Target Type", .string("Device")),
            ("Unique Identifier", .string(identifier.uppercased())), ("iTunes Files", .dictionary([])),
            ("iTunes Settings", .dictionary([])), ("iTunes Version", .string("10.0.1")),
        ])
    }

    private func application(_ domain: BackupDomain) -> (key: String, value: PropertyList)? {
        guard let identifier = domain.bundleID else { return nil }
        let content =
            switch domain.owner {
            case .plugin: "Data/PluginKitPlugin"
            case .group: "Shared/AppGroup"
            default: "Data/Application"
            }
        var fields: [(key: String, value: PropertyList)] = [
            ("CFBundleIdentifier", .string(identifier)), ("ContainerContentClass", .string(content)),
        ]
        if let version = applicationVersions[identifier] { fields.append(("CFBundleVersion", .string(version))) }
        return (identifier, .dictionary(fields))
    }

    private var appleDate: PropertyList { .date(Double(date) - 978_307_200) }
}
