package import AppContainer
package import FileSystem

/// The treatment of an item by Finder and iCloud backups, with what decided it.
package struct BackupDecision: Sendable, Hashable {
    /// The treatment.
    package enum State: String, Sendable, CaseIterable {
        case backedUp = "backed-up"
        case notBackedUp = "not-backed-up"
        /// The location's treatment is not documented, or the file system cannot store an exclusion.
        case unknown
    }

    /// The origin of a decision.
    package enum Decider: Sendable, Hashable {
        /// The location of the item.
        case location(Location)
        /// A backup exclusion on the item with this number: the item itself or a directory above it.
        case exclusion(ExclusionMark, carrier: Int)
        /// The kind of the item: pipes, sockets and devices have no content.
        case kind(FileKind)
        /// A file system that cannot store a backup exclusion.
        case fileSystem
    }

    package let state: State
    package let decider: Decider
}

extension ContainerIndex {
    /// Returns the nearest location of an item.
    package func location(of number: Int) -> Location { records[number].location }

    /// Returns the state of the backup exclusion of an item.
    package func exclusion(of number: Int) -> BackupExclusion.State { records[number].exclusion }

    /// Returns the exclusion mark of the item itself that Apple's backups honor, if any.
    package func ownMark(of number: Int) -> ExclusionMark? { records[number].mark }

    /// Returns true if an item, without its content, is backed up or may be, and its provenance does not state that it
    /// can be downloaded or derived again. False for a directory.
    func mayBeUserData(_ number: Int) -> Bool {
        let item = self[number]
        guard item.kind != .directory, backup(of: number).state != .notBackedUp else { return false }
        return item.maker != .downloaded && item.maker != .derived
    }

    /// Returns the treatment of an item by backups. The location precedes an exclusion, which precedes the kind.
    package func backup(of number: Int) -> BackupDecision {
        let record = records[number]
        let location = record.location
        // In a group's container, everything is backed up unless an exclusion says otherwise.
        let isGroupRoot = location == .root && container.kind == .group
        if location.backup == .notBackedUp, !isGroupRoot {
            return BackupDecision(state: .notBackedUp, decider: .location(location))
        }
        if record.exclusion == .excluded, record.carrier != IndexRecord.none,
            let mark = records[Int(record.carrier)].mark
        {
            return BackupDecision(state: .notBackedUp, decider: .exclusion(mark, carrier: Int(record.carrier)))
        }
        switch record.kind {
        case .file, .directory, .symbolicLink: break
        case let kind: return BackupDecision(state: .notBackedUp, decider: .kind(kind))
        }
        if location.backup == .unknown { return BackupDecision(state: .unknown, decider: .location(location)) }
        if record.exclusion == .unknown { return BackupDecision(state: .unknown, decider: .fileSystem) }
        return BackupDecision(state: .backedUp, decider: .location(location))
    }
}
