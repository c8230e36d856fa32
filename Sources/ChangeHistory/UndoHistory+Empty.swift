internal import FileSystem
internal import SystemPackage

extension UndoHistory {
    /// The limits above which undo data is removed.
    package struct Limits: Sendable {
        /// The age in seconds above which a change is removed; nil for any age.
        package var age: Int64?
        /// The bytes that all changes together may keep; nil for any number.
        package var bytes: UInt64?
        /// The number of changes that are kept; nil for any number.
        package var count: Int?
        /// True to keep the newest change whatever its age and size.
        package var keepsNewest = true

        package init(age: Int64?, bytes: UInt64?, count: Int? = nil, keepsNewest: Bool = true) {
            (self.age, self.bytes, self.count, self.keepsNewest) = (age, bytes, count, keepsNewest)
        }

        /// The limits after each change: 30 days, and for all together 1 GiB and 1,000 changes.
        package static let automatic = Limits(age: 30 * 86_400, bytes: 1 << 30, count: 1_000)
        /// Everything.
        package static let none = Limits(age: nil, bytes: 0, keepsNewest: false)
    }

    /// Returns the changes that exceed the limits.
    package func excess(of limits: Limits, now: Int64 = Timestamp.now.seconds) throws -> [Change] {
        var sum: UInt64 = 0
        let changes = try changes().filter { !$0.state.isUnfinished }
        return changes.enumerated().filter { position, change in
            let isNewest = position == 0
            let (total, isOver) = sum.addingReportingOverflow(change.kept)
            sum = isOver ? .max : total
            if isNewest, limits.keepsNewest { return false }
            if let count = limits.count, position >= count { return true }
            if let age = limits.age, now.subtractingReportingOverflow(change.summary.date).partialValue > age {
                return true
            }
            // A change that keeps nothing still has a journal.
            return limits.bytes.map { sum > $0 || $0 == 0 } ?? false
        }.map(\.element)
    }

    /// Removes the undo data of changes, which can then no longer be reverted. The container must be locked.
    ///
    /// - Parameters:
    ///   - limits: The limits that the remaining changes meet.
    ///   - now: The time in seconds since 1970.
    ///   - check: Called during long removals. An error ends the removal, which the next change or undo completes.
    /// - Returns: The removed changes.
    /// - Throws: `FileSystemError`, and the error of `check`.
    @discardableResult
    package func empty(
        _ limits: Limits, now: Int64 = Timestamp.now.seconds, check: () throws -> Void = {}
    ) throws -> [Change] {
        let excess = try excess(of: limits, now: now)
        guard !excess.isEmpty, let folder = try open() else { return [] }
        for change in excess {
            try check()
            let entry = ChangeEntry(try folder.openFolder(noFollow: name(of: change.number)))
            let lock = try Lock(entry.folder, within: .seconds(10))
            defer { lock.release() }
            try entry.forget(check: check)
            try remove(change.number, entry)
        }
        return excess
    }
}
