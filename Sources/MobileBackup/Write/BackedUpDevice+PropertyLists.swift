internal import PropertyLists

/// The three property lists beside the manifest, with the keys that the readers of other people need (dissect.target
/// 3.25.1, mvt 2026.10.26, pyiosbackup 0.2.4, iOSbackup 0.9.925) and those that pymobiledevice3 and idevicebackup2 write.
/// No device was at hand; what one asks for beyond that is not known.
extension BackedUpDevice {
    /// `Status.plist`, without which a backup is not finished.
    var status: PropertyList {
        .dictionary([
            ("BackupState", .string("new")), ("Date", appleDate), ("IsFullBackup", .boolean(true)),
            ("SnapshotState", .string("finished")), ("UUID", .string(backupIdentifier)), ("Version", .string("3.3")),
        ])
    }

    /// `Manifest.plist`, with the apps, plug-ins and groups whose domains there are.
    func manifest(_ domains: [BackupDomain]) -> PropertyList {
        .dictionary([
            ("Applications", .dictionary(domains.compactMap(application))),
            // Without the key iOSbackup 0.9.925 does not open a backup, encrypted or not.
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

    /// `Info.plist`, with the apps whose domains there are.
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
