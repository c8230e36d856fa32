/// The number of entries of a domain, according to the manifest.
package struct DomainSummary: Sendable, Hashable {
    package let domain: BackupDomain
    package fileprivate(set) var files = 0
    package fileprivate(set) var directories = 0
    package fileprivate(set) var links = 0
    /// The recorded size of the files in bytes.
    package fileprivate(set) var bytes: UInt64 = 0
    /// The number of rows that cannot be used.
    package fileprivate(set) var unusableRows = 0

    fileprivate init(_ domain: BackupDomain) { self.domain = domain }
}

extension MobileBackup {
    /// Returns the domains with their numbers of entries, sorted by name, in one pass over the manifest and without its
    /// indexes. No payload is opened.
    ///
    /// - Throws: `tooLarge` for more than 100,000 domains, `tooSlow`, `damaged`.
    package func summaries() throws -> [DomainSummary] {
        var summaries: [BackupDomain: DomainSummary] = [:]
        var current: DomainSummary?
        func keep() throws(MobileBackupError) {
            if let current { summaries[current.domain] = current }
            guard summaries.count <= 100_000 else {
                throw MobileBackupError(.tooLarge, "Manifest.db has more than 100,000 domains.")
            }
        }
        try manifest.rows(isIndexed: false) { row in
            let (entry, _) = judge(row)
            guard let domain = entry?.entry.domain ?? row.validDomain else { return }
            if current?.domain != domain {
                try keep()
                current = summaries[domain] ?? DomainSummary(domain)
            }
            switch entry?.entry.kind {
            case .file:
                current?.files += 1
                current?.bytes.addClamped(entry?.size ?? 0)
            case .directory: current?.directories += 1
            case .symbolicLink: current?.links += 1
            case nil: current?.unusableRows += 1
            }
        }
        try keep()
        return summaries.values.sorted { $0.domain.name.utf8.lexicographicallyPrecedes($1.domain.name.utf8) }
    }
}

extension UInt64 {
    /// Adds a number; an overflow results in the maximum.
    fileprivate mutating func addClamped(_ other: UInt64) {
        let (sum, isOver) = addingReportingOverflow(other)
        self = isOver ? .max : sum
    }
}
