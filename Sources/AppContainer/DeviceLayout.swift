internal import FileSystem
package import SystemPackage

/// The owner of a container according to its path, which has the layout of a device, of a Mac, or of an extracted backup.
///
/// Such a path shows that a directory is a container, and whose, if it records no identifier and has none of the
/// directories of an app: `Shared/AppGroup/UUID`, `Data/PluginKitPlugin/UUID`, `Group Containers/group.com.example.app`,
/// `AppDomainGroup-group.com.example.app`.
package struct DeviceLayout: Sendable {
    /// The owner of a container.
    package enum Role: String, Sendable, CaseIterable {
        /// The app's own container.
        case data
        /// The container of an app group.
        case group
        /// The container of an app extension.
        case plugIn = "plug-in"
    }

    /// The directories that hold containers by UUID, relative to a `Containers` directory.
    package static let directories: [(path: FilePath, role: Role)] = [
        ("Data/Application", .data), ("Shared/AppGroup", .group), ("Data/PluginKitPlugin", .plugIn),
    ]
    /// The ends of the paths of `directories`, each with a slash before it.
    private static let directoryEnds = directories.map { (end: "/" + $0.path.string, role: $0.role) }
    /// On a Mac, the directory of a group has its identifier as its name.
    private static let macOSGroups = "Group Containers"
    /// Directories whose directories are containers, wherever they are.
    private static let holders: [String: Role] = ["AppGroup": .group, "PluginKitPlugin": .plugIn, macOSGroups: .group]
    /// The beginnings of the names of domains in a device backup.
    private static let domains: [(prefix: String, role: Role)] = [
        ("AppDomain-", .data), ("AppDomainGroup-", .group), ("AppDomainPlugin-", .plugIn),
    ]

    /// The end of the name of the directory beside a container in which the tools keep undo data:
    /// `<container>.sandboxlint-undo`. It is no container, whatever is in it.
    package static let undoSuffix = ".sandboxlint-undo"

    /// Returns true for the name of a directory with undo data.
    package static func isUndoFolder(_ name: FilePath) -> Bool {
        name.bytes.reversed().starts(with: undoSuffix.utf8.reversed())
    }

    package let role: Role
    /// The identifier that the path contains; nil if a UUID is the name.
    package let identifier: String?
    /// The directory of the device or the backup; nil if the path does not contain it.
    package let device: FilePath?

    /// Returns nil for a path of another layout.
    package init?(of path: FilePath) {
        guard let (parent, last) = path.split else { return nil }
        let (name, holder) = (last.string, parent.split?.name.string)
        if let role = Self.directoryRole(of: parent) {
            (self.role, identifier) = (role, nil)
            device = parent.split?.parent.split?.parent
        } else if let role = holder.flatMap({ Self.holders[$0] }), StoredPath.isIdentifier(name) {
            (self.role, identifier, device) = (role, nil, nil)
        } else if holder == Self.macOSGroups, Container.isIdentifier(name) {
            (role, identifier, device) = (.group, name, nil)
        } else if let domain = Self.domains.first(where: { name.hasPrefix($0.prefix) }),
            case let identifier = String(name.dropFirst(domain.prefix.count)), Container.isIdentifier(identifier)
        {
            (role, self.identifier, device) = (domain.role, identifier, parent)
        } else {
            return nil
        }
    }

    /// Returns the role of the containers in a directory such as `…/Shared/AppGroup`; nil for a directory that may hold
    /// something else.
    package static func role(ofContainersIn path: FilePath) -> Role? {
        path.split.flatMap { holders[$0.name.string] } ?? directoryRole(of: path)
    }

    /// Returns the role of the containers in one of `directories`. In a debug build, `FilePath.ends(with:)` would check the
    /// whole path for each component.
    private static func directoryRole(of path: FilePath) -> Role? {
        let text = "/" + path.string
        return directoryEnds.first { text.hasSuffix($0.end) }?.role
    }
}
