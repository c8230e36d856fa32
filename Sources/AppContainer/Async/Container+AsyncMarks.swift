public import Foundation

// As in Container+AsyncSave: the same as the calls of these names that wait, for a task.
extension Container {
    // MARK: - Backups

    /// Returns whether a backup takes an item: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    public func isBackedUp(_ place: ContainerPath) async throws(ContainerError) -> Bool? {
        try await inBackground { container throws(ContainerError) in try container.isBackedUp(place) }
    }

    /// Returns whether an item is excluded from backup, and by which mark: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    public func exclusion(of place: ContainerPath) async throws(ContainerError) -> BackupExclusion {
        try await inBackground { container throws(ContainerError) in try container.exclusion(of: place) }
    }

    /// Returns the marks on the item itself: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    public func ownMarks(of place: ContainerPath) async throws(ContainerError) -> [ExclusionMark] {
        try await inBackground { container throws(ContainerError) in try container.ownMarks(of: place) }
    }

    /// Excludes a file or directory from backup: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    public func excludeFromBackup(
        _ place: ContainerPath, recursively: Bool = false, force: Bool = false
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.excludeFromBackup(place, recursively: recursively, force: force)
        }
    }

    /// Removes an item's marks: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    public func includeInBackup(_ place: ContainerPath, recursively: Bool = false) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.includeInBackup(place, recursively: recursively)
        }
    }

    /// Excludes an item from backup, or includes it again: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    @discardableResult
    public func toggleBackupExclusion(
        of place: ContainerPath, force: Bool = false
    ) async throws(ContainerError) -> BackupExclusion {
        try await inBackground { container throws(ContainerError) in
            try container.toggleBackupExclusion(of: place, force: force)
        }
    }

    /// Returns everything that has a mark of its own: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    public func excludedItems() async throws(ContainerError) -> [ContainerPath] {
        try await inBackground { container throws(ContainerError) in try container.excludedItems() }
    }

    // MARK: - Provenance and suppressions

    /// Returns who made a file and from where it came: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    public func provenance(of place: ContainerPath) async throws(ContainerError) -> Provenance? {
        try await inBackground { container throws(ContainerError) in try container.provenance(of: place) }
    }

    /// Returns the line of source that saved a file: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    public func source(of place: ContainerPath) async throws(ContainerError) -> CodeLocation? {
        try await inBackground { container throws(ContainerError) in try container.source(of: place) }
    }

    /// Suppresses a rule of the linter on an item: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    public func suppress(
        _ rule: String, reason: String, until: Date? = nil, at place: ContainerPath
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.suppress(rule, reason: reason, until: until, at: place)
        }
    }

    /// Removes the suppressions of a rule from an item: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    public func unsuppress(_ rule: String, at place: ContainerPath) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in try container.unsuppress(rule, at: place) }
    }

    /// Returns the suppressions on an item itself: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what that call throws.
    public func suppressions(of place: ContainerPath) async throws(ContainerError) -> [Suppression] {
        try await inBackground { container throws(ContainerError) in try container.suppressions(of: place) }
    }
}
