internal import PropertyLists
internal import Crypto
internal import FileSystem
internal import SystemPackage

extension MobileBackup {
    /// The numbers of rows, files and problems of a verified backup.
    package struct Verified: Sendable, Hashable {
        package var rows = 0
        package var files = 0
        /// The size of the payloads, all of which were read.
        package var bytes: UInt64 = 0
        package var problems = 0
    }

    /// Verifies every row and every byte, and reports each problem: of the manifest first, then row by row, then files
    /// without a row by name. The result is deterministic.
    ///
    /// A payload that changed without changing its size is found only if its record has a `Digest`.
    ///
    /// - Throws: `tooSlow`, `noCopy`, `failed`; errors of `body`. A manifest that cannot be read to its end is a
    ///   problem and not an error; rows after the damage are skipped.
    package func verify(_ body: (BackupProblem) throws -> Void) throws -> Verified {
        var verified = Verified()
        func report(_ problem: BackupProblem) throws {
            verified.problems += 1
            try body(problem)
        }
        var parents = ParentCheck(manifest)
        func look(at row: ManifestRow) throws {
            verified.rows += 1
            let (entry, problems) = judge(row)
            for problem in problems { try report(problem) }
            if problems.contains(where: { $0.kind == .identifierWrong }), try parents.isListed(row) {
                try report(BackupProblem(.duplicate, domain: row.domain.bytes, path: row.path.bytes, row: row.row))
            }
            guard let entry else { return }
            if try manifest.rows(with: entry.identifier.text, flags: 0).count > 1 {
                try report(entry.problem(.duplicate))
            }
            if try !parents.hasParent(entry.entry) { try report(entry.problem(.parentMissing)) }
            guard entry.entry.kind == .file else { return }
            verified.files += 1
            do {
                verified.bytes += try read(entry, report)
            } catch let problem as BackupProblem { try report(problem) }
        }
        do {
            for fault in try manifest.faults() { try report(BackupProblem(.manifestDamaged, fault)) }
            // The rows are read below.
            for incident in incidents where incident.kind != .domainInvalid { try report(incident) }
            // Not used here, but other readers refuse a backup without it.
            if (try? BackupFacts(folder).list("Info.plist")) ?? nil == nil {
                try report(BackupProblem(.informationDamaged, path: Array("Info.plist".utf8)))
            }
            try manifest.rows { row in try look(at: row) }
            try reportForeign(report)
        } catch let error as MobileBackupError where error.code == .damaged {
            try report(BackupProblem(.manifestDamaged, "the rows cannot be read to the end"))
        }
        return verified
    }

    /// Reads a content to its end and compares it with its record.
    private func read(
        _ entry: StoredEntry, _ report: (BackupProblem) throws -> Void
    ) throws -> UInt64 {
        let content = try content(of: entry)
        if let problem = content.problem { try report(problem) }
        guard let digest = entry.digest else {
            return try reading(entry) { () throws(FileSystemError) in try content.readToEnd() }
        }
        guard try reading(entry, { () throws(FileSystemError) in try content.matches(digest) }) else {
            throw entry.problem(.payloadChanged)
        }
        return content.size
    }

    private func reading<Result>(
        _ entry: StoredEntry, _ body: () throws(FileSystemError) -> Result
    ) throws(BackupProblem) -> Result {
        do throws(FileSystemError) { return try body() } catch {
            throw entry.problem(.payloadUnreadable, error.errno.description)
        }
    }

    private static let known: Set<String> = [
        "Info.plist", "Manifest.plist", "Status.plist", "Manifest.db",
        // Other readers leave these files beside the manifest.
        "Manifest.db-wal", "Manifest.db-shm", "Manifest.db-journal",
    ]

    /// Reports files in the backup that no row describes.
    private func reportForeign(_ report: (BackupProblem) throws -> Void) throws {
        for name in try names(in: folder) {
            let status = try? folder.status(name)
            let isPrefix = name.bytes.count == 2 && name.bytes.allSatisfy(FileIdentifier.isDigit)
            guard status?.kind == .directory, isPrefix else {
                if status?.kind != .file || !Self.known.contains(name.string) {
                    try report(BackupProblem(.foreign, path: name.bytes))
                }
                continue
            }
            for payload in try names(in: folder, name) {
                let path = name.bytes + [UInt8(ascii: "/")] + payload.bytes
                guard let identifier = FileIdentifier(payload.bytes), identifier.folder == name.string else {
                    try report(BackupProblem(.foreign, path: path))
                    continue
                }
                if try !manifest.rows(with: identifier.text, flags: 1).isOfKind {
                    try report(BackupProblem(.payloadOrphaned, path: path))
                }
            }
        }
    }
}

extension MobileBackup {
    private func names(in folder: Folder, _ name: FilePath = ".") throws(MobileBackupError) -> [FilePath] {
        do throws(FileSystemError) { return try folder.openFolder(noFollow: name).names() } catch {
            throw MobileBackupError(reading: error)
        }
    }
}

/// A check that the manifest describes the parent directories of entries, cached for siblings.
private struct ParentCheck {
    private let manifest: ManifestReader
    private var last: (domain: BackupDomain, path: BackupPath, isThere: Bool)?

    init(_ manifest: ManifestReader) { self.manifest = manifest }

    mutating func hasParent(_ entry: BackupEntry) throws -> Bool {
        guard let parent = entry.path.parent else { return true }
        if let last, last.domain == entry.domain, last.path == parent { return last.isThere }
        let isThere = try manifest.rows(with: FileIdentifier(of: entry.domain, parent).text, flags: 2).isOfKind
        last = (entry.domain, parent, isThere)
        return isThere
    }

    /// Returns true if another row has the identifier that matches a row with a wrong one.
    func isListed(_ row: ManifestRow) throws -> Bool {
        guard let domain = String(utf8: row.domain.bytes).flatMap({ BackupDomain(name: $0) }),
            let path = try? BackupPath(bytes: row.path.bytes)
        else { return false }
        return try manifest.rows(with: FileIdentifier(of: domain, path).text, flags: 0).count > 0
    }
}
