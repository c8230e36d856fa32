internal import FileSystem

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
        // Judging a page takes longer than reading it.
        let threads = 2
        let parts = (0..<threads).map { _ in SummaryPart() }
        try manifest.pages(isIndexed: false) { page in
            let share = (page.count + threads - 1) / threads
            Invocation.current.concurrentPerform(iterations: threads) { number in
                parts[number].summaries.withLock { summaries in
                    for row in page.dropFirst(number * share).prefix(share) {
                        summaries.add(row, entry: judge(row).entry)
                    }
                }
            }
            guard parts.allSatisfy({ $0.count <= Self.mostDomains }) else { throw Self.tooManyDomains }
        }
        var all = DomainSummaries()
        for part in parts { all.add(part.summaries.withLock { $0 }) }
        guard all.count <= Self.mostDomains else { throw Self.tooManyDomains }
        return all.summaries.values.sorted { $0.domain.name.utf8.lexicographicallyPrecedes($1.domain.name.utf8) }
    }

    private static let mostDomains = 100_000
    private static var tooManyDomains: MobileBackupError {
        MobileBackupError(.tooLarge, description: "Manifest.db has more than 100,000 domains.")
    }
}

/// The summaries of the rows that one thread has judged.
private final class SummaryPart: Sendable {
    let summaries = LockedValue(DomainSummaries())
    var count: Int { summaries.withLock { $0.count } }
}

/// The summaries of several domains.
private struct DomainSummaries {
    private(set) var summaries: [BackupDomain: DomainSummary] = [:]
    var count: Int { summaries.count }

    /// Adds a row, with its entry if it is usable.
    mutating func add(_ row: ManifestRow, entry: StoredEntry?) {
        guard let domain = entry?.entry.domain ?? row.validDomain else { return }
        summaries[domain, default: DomainSummary(domain)].add(entry)
    }

    mutating func add(_ other: DomainSummaries) {
        summaries.merge(other.summaries) { $0.adding($1) }
    }
}

extension DomainSummary {
    /// Adds an entry, or a row that cannot be used.
    fileprivate mutating func add(_ entry: StoredEntry?) {
        switch entry?.entry.kind {
        case .file:
            files += 1
            bytes.addClamped(entry?.size ?? 0)
        case .directory: directories += 1
        case .symbolicLink: links += 1
        case nil: unusableRows += 1
        }
    }

    /// Returns the sum of two summaries of one domain.
    fileprivate func adding(_ other: DomainSummary) -> DomainSummary {
        var sum = self
        sum.files += other.files
        sum.directories += other.directories
        sum.links += other.links
        sum.bytes.addClamped(other.bytes)
        sum.unusableRows += other.unusableRows
        return sum
    }
}

extension UInt64 {
    /// Adds a number; an overflow results in the maximum.
    fileprivate mutating func addClamped(_ other: UInt64) {
        let (sum, isOver) = addingReportingOverflow(other)
        self = isOver ? .max : sum
    }
}
