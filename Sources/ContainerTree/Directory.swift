package import AppContainer

/// What is known of a directory before it is read: decided once, shared by all that lies in it.
package final class Directory: Sendable {
    /// Bytes relative to the container, components separated by `/`; empty for the container itself.
    package let path: [UInt8]
    /// How many components the path has.
    package let depth: Int
    /// The nearest location of the table: this directory's own or one above it.
    package let location: Location
    /// Whether this is that location's own directory.
    package let isLocation: Bool
    /// Whether backups take what lies here, if no flag says otherwise.
    package let isBackedUp: Bool
    /// What a flag on this directory or one above it says of what lies here.
    package let exclusion: BackupExclusion

    private init(
        path: [UInt8], depth: Int, location: Location, isLocation: Bool, kind: Container.Kind,
        exclusion: BackupExclusion
    ) {
        self.path = path
        self.depth = depth
        self.location = location
        self.isLocation = isLocation
        // Of a group's container everything is backed up that no rule of its own leaves out.
        isBackedUp = location == .root ? kind == .group : location.backup == .backedUp
        self.exclusion = exclusion
    }

    /// The container's own directory.
    package static func root(_ item: Item, of container: Container) -> Directory {
        let outside = item.carriesAttributes ? BackupExclusion.included : .unknown
        return Directory(
            path: [], depth: 0, location: .root, isLocation: true, kind: container.kind,
            exclusion: effective(item, path: [], above: outside))
    }

    /// A directory in this one.
    package func subdirectory(_ item: Item, of container: Container) -> Directory {
        let path = path(of: item)
        let own = isLocation || depth < Self.deepestLocation ? location(at: path, in: container) : nil
        return Directory(
            path: path, depth: depth + 1, location: own ?? location, isLocation: own != nil, kind: container.kind,
            exclusion: exclusion(of: item))
    }

    /// The path of an item in this directory.
    package func path(of item: Item) -> [UInt8] { path(of: item.name) }

    /// The path of what has this name in this directory; no name is the directory itself.
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

    /// Whether an item in this directory is kept out of backups by a flag, and what says so.
    package func exclusion(of item: Item) -> BackupExclusion {
        guard !item.marks.isEmpty || !item.carriesAttributes else { return exclusion }
        return Self.effective(item, path: path(of: item), above: exclusion)
    }

    /// The same without what says so, which costs nothing.
    package func exclusion(stateOf item: Item) -> BackupExclusion.State {
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
        return Location.exactly(components, bundleIdentifier: container.bundleIdentifier)
    }

    private static let deepestLocation =
        Location.table.map { $0.path.split(separator: "/").count }.max() ?? 0
}
