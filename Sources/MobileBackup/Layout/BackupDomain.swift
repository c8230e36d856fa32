/// The part of a device that an entry belongs to: an app's container, a plug-in's, a group's, or one of the system's.
package struct BackupDomain: Sendable, Hashable {
    /// Whose container it is.
    package enum Owner: Sendable, Hashable, CaseIterable {
        case app, plugin, group, system

        fileprivate var prefix: String {
            switch self {
            case .app: "AppDomain-"
            case .plugin: "AppDomainPlugin-"
            case .group: "AppDomainGroup-"
            case .system: ""
            }
        }
    }

    /// The name as the manifest spells it, such as `AppDomain-com.acme.reader`.
    package let name: String

    /// The domain of an app, a plug-in or a group by its identifier; of the system by its name.
    ///
    /// - Throws: `domainInvalid` for an identifier that is empty or holds a NUL or a slash.
    package init(_ owner: Owner, _ identifier: String) throws(EntryRefusal) {
        guard let domain = BackupDomain(name: owner.prefix + identifier), !identifier.isEmpty else {
            throw EntryRefusal(.domainInvalid, "“\(identifier)” is no identifier of an app or a group")
        }
        self = domain
    }

    /// Nil for what is no domain's name: nothing, or a text with a NUL or a slash.
    init?(name: String) {
        guard !name.isEmpty, !name.utf8.contains(0), !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        self.name = name
    }

    /// Texts that Swift holds to be the same may be different domains.
    package static func == (left: BackupDomain, right: BackupDomain) -> Bool {
        left.name.utf8.elementsEqual(right.name.utf8)
    }
    package func hash(into hasher: inout Hasher) { for byte in name.utf8 { hasher.combine(byte) } }

    /// Whose container it is.
    package var owner: Owner { Owner.allCases.first { $0 != .system && name.hasPrefix($0.prefix) } ?? .system }

    /// The identifier of the app, the plug-in or the group; nil for a domain of the system.
    package var bundleID: String? { owner == .system ? nil : String(name.dropFirst(owner.prefix.count)) }
}
