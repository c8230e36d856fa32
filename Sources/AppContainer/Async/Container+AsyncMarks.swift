public import Foundation

// Async versions of the blocking calls of the same names. See Container+AsyncSave.
extension Container {
    // MARK: - Backups

    /// Returns true if backups include an item. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func isBackedUp(_ item: ContainerPath) async throws(ContainerError) -> Bool? {
        try await inBackground { container throws(ContainerError) in try container.isBackedUp(item) }
    }

    /// Returns the backup exclusion of an item. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func exclusion(of item: ContainerPath) async throws(ContainerError) -> BackupExclusion {
        try await inBackground { container throws(ContainerError) in try container.exclusion(of: item) }
    }

    /// Returns the marks on the item itself. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func ownMarks(of item: ContainerPath) async throws(ContainerError) -> [ExclusionMark] {
        try await inBackground { container throws(ContainerError) in try container.ownMarks(of: item) }
    }

    /// Excludes a file or directory from backup. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func excludeFromBackup(
        _ item: ContainerPath, recursively: Bool = false, force: Bool = false
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.excludeFromBackup(item, recursively: recursively, force: force)
        }
    }

    /// Includes an item in backup. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func includeInBackup(_ item: ContainerPath, recursively: Bool = false) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.includeInBackup(item, recursively: recursively)
        }
    }

    /// Toggles the backup exclusion of an item. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    @discardableResult
    public func toggleBackupExclusion(
        of item: ContainerPath, force: Bool = false
    ) async throws(ContainerError) -> BackupExclusion {
        try await inBackground { container throws(ContainerError) in
            try container.toggleBackupExclusion(of: item, force: force)
        }
    }

    /// Returns all items with an exclusion mark of their own. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func excludedItems() async throws(ContainerError) -> [ContainerPath] {
        try await inBackground { container throws(ContainerError) in try container.excludedItems() }
    }

    /// Sets the data protection of a file or directory. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func setProtection(_ protection: FileProtection, of item: ContainerPath) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.setProtection(protection, of: item)
        }
    }

    /// Returns the data protection of a file or directory. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func protection(of item: ContainerPath) async throws(ContainerError) -> FileProtection? {
        try await inBackground { container throws(ContainerError) in try container.protection(of: item) }
    }

    // MARK: - Provenance and suppressions

    /// Returns the provenance of a file. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func provenance(of item: ContainerPath) async throws(ContainerError) -> Provenance? {
        try await inBackground { container throws(ContainerError) in try container.provenance(of: item) }
    }

    /// Returns the line of source code that saved a file. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func source(of item: ContainerPath) async throws(ContainerError) -> CodeLocation? {
        try await inBackground { container throws(ContainerError) in try container.source(of: item) }
    }

    /// Suppresses a rule of the linter on an item. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func suppress(
        _ rule: String, reason: String, until: Date? = nil, at item: ContainerPath
    ) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in
            try container.suppress(rule, reason: reason, until: until, at: item)
        }
    }

    /// Removes the suppressions of a rule from an item. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func unsuppress(_ rule: String, at item: ContainerPath) async throws(ContainerError) {
        try await inBackground { container throws(ContainerError) in try container.unsuppress(rule, at: item) }
    }

    /// Returns the suppressions on an item itself. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func suppressions(of item: ContainerPath) async throws(ContainerError) -> [Suppression] {
        try await inBackground { container throws(ContainerError) in try container.suppressions(of: item) }
    }
}
