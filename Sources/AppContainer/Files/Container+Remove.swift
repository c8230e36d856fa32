internal import FileSystem
internal import Foundation
internal import SystemPackage

extension Container {
    /// Removes an item if it exists. Otherwise like `remove(_:)`.
    ///
    /// - Returns: True if it existed.
    /// - Throws: The errors of `remove(_:)`, except for `notFound`.
    @discardableResult
    public func removeIfPresent(_ item: ContainerPath) throws(ContainerError) -> Bool {
        do throws(ContainerError) {
            try remove(item)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    /// Removes some of the items in a directory: those that match all conditions.
    ///
    ///     try container.removeAll(in: .library / "Logs", matching: "*.log", keepingNewest: 5)
    ///     try container.removeAll(in: .caches / "covers", except: Set(books.map { "\($0.id).jpg" }))
    ///
    /// - Parameters:
    ///   - directory: The directory. Does nothing if a standard directory does not exist.
    ///   - pattern: A pattern for the names, with `*` and `?`. Nil for all.
    ///   - age: Keeps items that were modified within this time. Nil for no condition.
    ///   - number: Keeps so many of the items that match the pattern, those that were modified last.
    ///   - names: Keeps the items with these names.
    /// - Returns: The removed items.
    /// - Throws: The errors of `items(in:matching:)` and of `remove(_:)`. Items removed before the failure remain
    ///   removed.
    @discardableResult
    public func removeAll(
        in directory: ContainerPath, matching pattern: String? = nil, olderThan age: Duration? = nil,
        keepingNewest number: Int = 0, except names: Set<String> = []
    ) throws(ContainerError) -> [ContainerPath] {
        let path = try relativeItem(directory)
        try refuseMetadata(path)
        let items = try items(in: directory, matching: pattern).filter { item in
            !item.name.utf8.starts(with: AtomicWrite.stagingPrefix.utf8)
        }
        let newest = items.sorted { $0.attributes.modified > $1.attributes.modified }.prefix(max(0, number))
        let kept = Set(newest.map(\.path))
        let limit = age.map { age in
            let (seconds, attoseconds) = age.components
            return Date(timeIntervalSinceNow: -(Double(seconds) + Double(attoseconds) / 1e18))
        }
        var removed: [ContainerPath] = []
        for item in items where !kept.contains(item.path) && !names.contains(item.name) {
            if let limit, item.attributes.modified > limit { continue }
            if try removeIfPresent(item.path) { removed.append(item.path) }
        }
        return removed
    }

    /// The policy of a move of several items for names that are taken.
    public enum MoveConflict: Sendable, Hashable {
        /// The item in the target remains, and the other one is removed.
        case keepExisting
        /// The moved item replaces the existing one. A directory is merged with an existing directory.
        case replace
        /// The moved item gets a free name: `note 2.txt`.
        case keepBoth
        /// The move stops with `alreadyExists`.
        case stop
    }

    /// Moves the content of a directory to another one, for instance from the place of an earlier version of the app,
    /// and removes the empty directory.
    ///
    ///     try container.move(contentsOf: .documents / "Caches", to: .caches, conflict: .keepExisting)
    ///
    /// Each item is moved as `move` does. A call that was interrupted can be repeated. Does nothing if the directory
    /// does not exist.
    ///
    /// - Parameters:
    ///   - directory: The directory to empty. It is removed, unless it is a standard one.
    ///   - target: The directory for its content. It is made if it is missing.
    ///   - container: The container of the target. Nil for this one.
    ///   - conflict: The policy for names that are taken.
    /// - Throws: `alreadyExists`, and the errors of `move` and `remove`.
    public func move(
        contentsOf directory: ContainerPath, to target: ContainerPath, in container: Container? = nil,
        conflict: MoveConflict = .stop
    ) throws(ContainerError) {
        guard try exists(directory) else { return }
        let other = container ?? self
        for item in try list(directory) where !item.name.utf8.starts(with: AtomicWrite.stagingPrefix.utf8) {
            let destination = target.appending(entry: FilePath(item.name))
            guard try other.exists(destination) else {
                try move(item, to: destination, in: other)
                continue
            }
            switch conflict {
            case .stop:
                throw ContainerError(
                    .alreadyExists, try other.relative(destination),
                    "“\(destination)” already exists, and “\(item)” was not moved. Items before it were moved. Choose a policy "
                        + "for conflicts.")
            case .keepExisting: try remove(item)
            case .keepBoth: try move(item, to: try other.freePath(for: destination), in: other)
            case .replace:
                let kinds = (try attributes(of: item).kind, try other.attributes(of: destination).kind)
                if kinds == (.directory, .directory) {
                    try move(contentsOf: item, to: destination, in: other, conflict: conflict)
                } else if kinds.0 == .file, kinds.1 == .file {
                    try move(item, to: destination, in: other, overwrite: .replace)
                } else {
                    try other.remove(destination)
                    try move(item, to: destination, in: other)
                }
            }
        }
        if !directory.isStandardDirectory { try removeIfPresent(directory) }
    }
}
