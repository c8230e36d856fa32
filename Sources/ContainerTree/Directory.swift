package import AppContainer

/// The properties of a directory that its content shares, determined once before the directory is read.
package final class Directory: Sendable {
    /// The path as bytes relative to the container, separated by `/`. Empty for the container itself.
    package let path: [UInt8]
    /// The number of components of the path.
    package let depth: Int
    /// The nearest location of the table: this directory or a parent directory.
    package let location: Location
    /// True if the directory is exactly the location's directory.
    package let isLocation: Bool
    /// True if backups include the directory unless a mark excludes it: by its location, and by its kind and name.
    package let isBackedUp: Bool
    /// The backup exclusion of this directory or a parent directory.
    package let exclusion: BackupExclusion
    /// True if the blocks of files are those of the original.
    let keepsHoles: Bool
    /// The decisions of a backup about the directory and its items.
    private let backup: BackupPosition

    private init(
        path: [UInt8], depth: Int, location: Location, isLocation: Bool, of container: Container,
        exclusion: BackupExclusion, backup: BackupPosition
    ) {
        self.path = path
        self.depth = depth
        self.location = location
        self.isLocation = isLocation
        // In a group's container, everything is backed up unless a rule excludes it.
        let isByLocation = location == .root ? container.kind == .group : location.backup == .backedUp
        isBackedUp = isByLocation && (backup.decision.isStored || backup.decision.reason.isByMark)
        self.exclusion = exclusion
        keepsHoles = container.keepsHoles
        self.backup = backup
    }

    /// Creates the container's root directory.
    package static func root(
        _ item: Item, of container: Container, by rules: BackupRules = BackupRules()
    ) -> Directory {
        let outside = item.carriesAttributes ? BackupExclusion.included : .unknown
        return Directory(
            path: [], depth: 0, location: .root, isLocation: true, of: container,
            exclusion: effective(item, path: [], above: outside),
            backup: BackupPosition(root: BackupItem(item), of: container, rules))
    }

    /// Creates a subdirectory.
    package func subdirectory(_ item: Item, of container: Container) -> Directory {
        let path = path(of: item)
        let own = isLocation || depth < Self.deepestLocation ? location(at: path, in: container) : nil
        return Directory(
            path: path, depth: depth + 1, location: own ?? location, isLocation: own != nil, of: container,
            exclusion: exclusion(of: item),
            backup: backup.entering(BackupItem(item), at: own, of: container, path: path))
    }

    /// The decision of a backup for the directory itself.
    package var decision: BackupDecision { backup.decision }

    /// Returns the decision of a backup for an item in this directory that is not a directory.
    package func decision(for item: Item) -> BackupDecision {
        backup.decision(on: BackupItem(item), path: path(of: item))
    }

    /// Returns the path of an item in this directory.
    package func path(of item: Item) -> [UInt8] { path(of: item.name) }

    /// Returns the path for a name in this directory. An empty name is the directory itself.
    package func path(of name: UnsafeRawBufferPointer) -> [UInt8] {
        guard !name.isEmpty else { return path }
        return [UInt8](unsafeUninitializedCapacity: path.count + 1 + name.count) { buffer, count in
            for byte in path {
                buffer[count] = byte
                count += 1
            }
            if count > 0 {
                buffer[count] = UInt8(ascii: "/")
                count += 1
            }
            for byte in name {
                buffer[count] = byte
                count += 1
            }
        }
    }

    /// Returns the backup exclusion of an item in this directory, with the evidence.
    package func exclusion(of item: Item) -> BackupExclusion {
        guard !item.marks.isEmpty || !item.carriesAttributes else { return exclusion }
        return Self.effective(item, path: path(of: item), above: exclusion)
    }

    /// Returns the state of the backup exclusion without the evidence, which is faster.
    package func exclusion(stateOf item: Item) -> BackupState {
        if !item.marks.isEmpty { return .excluded }
        return item.carriesAttributes || exclusion.state == .excluded ? exclusion.state : .unknown
    }

    private static func effective(_ item: Item, path: [UInt8], above: BackupExclusion) -> BackupExclusion {
        if let mark = item.marks.first {
            return BackupExclusion(state: .excluded, mark: mark, carrier: String(decoding: path, as: UTF8.self))
        }
        return item.carriesAttributes || above.state == .excluded ? above : .unknown
    }

    private func location(at path: [UInt8], in container: Container) -> Location? {
        let components = path.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        return container.location(components)
    }

    private static let deepestLocation =
        Location.table.map { $0.path.split(separator: "/").count }.max() ?? 0
}

extension BackupItem {
    fileprivate init(_ item: Item) {
        self.init(
            name: item.name, item.status, mark: item.marks.first, attributes: item.attributes,
            carriesAttributes: item.carriesAttributes)
    }
}
