/// What a backup says of the device that it is of, and of itself. All of it comes from the caller: no clock is read and
/// no identifier made up.
package struct BackedUpDevice: Sendable, Hashable {
    /// The UDID, which names the backup's folder: letters, digits and hyphens.
    package var identifier: String
    /// The name that a person gave it.
    package var name: String
    /// Such as `iPhone14,5`.
    package var productType: String
    /// Such as `iPhone 13`.
    package var productName: String
    /// Such as `17.5.1`. Readers refuse what is before 10.2.
    package var productVersion: String
    /// Such as `21F90`.
    package var buildVersion: String
    package var serialNumber: String
    /// The backup's own UUID, 36 characters.
    package var backupIdentifier: String
    /// When the backup was made: seconds since 1970-01-01T00:00:00Z. Directories that only stand above others have it
    /// for their times.
    package var date: Int64
    /// The versions of apps, by their identifiers.
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

    /// Whether an identifier names a folder, and nothing else.
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
