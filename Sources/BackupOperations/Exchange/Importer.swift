internal import AppContainer
internal import BackupPlan
package import BackupRepository
internal import ContainerTree
package import FileSystem
internal import Foundation
package import MobileBackup

/// An import of the containers of a backup in Apple's layout, each as a snapshot.
///
/// The backup is not trusted: a row that is invalid, or leads out of its container, becomes an incident of the
/// snapshot.
package struct Importer {
    private let backup: MobileBackup
    private let domains: [BackupDomain]
    private let systemDomains: Int
    /// True if items keep the owner and group of the backup. Otherwise they get those of this process, because a
    /// restore as root would create files of any user.
    package var preservesOwners = false
    /// Called with the number of imported files and bytes.
    package var progress: (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    /// The result of an import.
    package struct Outcome: Sendable {
        package var snapshots: [Snapshot] = []
        /// The number of system domains, which are not imported.
        package let systemDomains: Int
        /// The number of items with the owner and group of this process instead of the backup's.
        package var replacedOwners = 0
    }

    /// Creates an import of all apps, plug-ins and groups, or of the given one.
    ///
    /// - Throws: `notFound` if the backup does not contain it, or contains no container; `failed`.
    package init(of backup: MobileBackup, bundleIdentifier: String? = nil) throws(BackupError) {
        self.backup = backup
        let all: [BackupDomain]
        do throws(MobileBackupError) { all = try backup.domains() } catch { throw BackupError(error) }
        let containers = all.filter { $0.snapshotKind != nil }
        systemDomains = all.count - containers.count
        domains = containers.filter { domain in
            guard let bundleIdentifier, let identifier = domain.bundleID else { return bundleIdentifier == nil }
            return identifier.utf8.elementsEqual(bundleIdentifier.utf8)
        }
        guard domains.isEmpty else { return }
        throw BackupError(
            .notFound,
            what: "the backup contains no container" + (bundleIdentifier.map { " of “\($0)”" } ?? " of an app"),
            hint: containers.isEmpty ? "" : "omit --bundle-id to import all containers")
    }

    /// Returns the number of files to import, according to the manifest.
    ///
    /// - Throws: `failed` if the manifest cannot be read.
    package func fileCount() throws(BackupError) -> Int {
        do throws(MobileBackupError) { return try backup.fileCount(of: domains) } catch { throw BackupError(error) }
    }

    /// Imports the containers one after the other. Finished snapshots stay if a later one fails. The date of the
    /// snapshots is that of the backup, or `now` if it has none.
    ///
    /// - Throws: `full`, `readOnly`, `damaged` for the repository; `failed` if the backup cannot be read.
    package func importContainers(into repository: Repository, now: Timestamp) throws(BackupError) -> Outcome {
        var outcome = Outcome(systemDomains: systemDomains)
        do {
            let date = try backup.date().map { Timestamp(seconds: $0) }
            if date == nil { try Snapshot.requireClock(now) }
            let taken = date ?? now
            var (files, bytes) = (0, UInt64(0))
            for domain in domains {
                let result = try importContainer(domain, into: repository, taken: taken) {
                    files += $0
                    bytes.addClamped($1)
                    progress(files, bytes)
                }
                outcome.snapshots.append(result.snapshot)
                outcome.replacedOwners += result.replacedOwners
            }
        } catch { throw BackupError(error) }
        return outcome
    }

    private func importContainer(
        _ domain: BackupDomain, into repository: Repository, taken: Timestamp, done: @escaping (Int, UInt64) -> Void
    ) throws -> (snapshot: Snapshot, replacedOwners: Int) {
        let writer = try ObjectWriter(repository)
        do {
            let owner = preservesOwners ? nil : (user: UInt32(geteuid()), group: UInt32(getegid()))
            var run = try ImportRun(backup, repository: repository, writer: writer, owner: owner, done: done)
            try backup.entries(of: domain) { row throws in try run.importRow(row) }
            let tree = try run.writeTree(made: taken)
            let snapshot = Snapshot(
                taken: taken, bundleIdentifier: domain.bundleID, kind: domain.snapshotKind ?? "",
                view: (backup.isEncrypted ? BackupView.finder : .finderUnencrypted).rawValue, tree: tree.directory,
                files: tree.files,
                bytes: tree.bytes, incidents: Snapshot.Incident.sorted(tree.incidents))
            return (try writer.finish(adding: snapshot), run.replacedOwners)
        } catch {
            writer.abandon()
            throw error
        }
    }
}

/// The import of one container, row by row.
struct ImportRun {
    private let backup: MobileBackup
    private let repository: Repository
    private let reader: ContentWriter
    private let done: (_ files: Int, _ bytes: UInt64) -> Void
    /// The owner and group for items; nil to use those of the backup.
    private let owner: (user: UInt32, group: UInt32)?
    private var tree = ImportedTree()
    /// The number of items with another owner than in the backup.
    private(set) var replacedOwners = 0

    /// Creates the import of a container; `done` is called with the number of further files and bytes.
    init(
        _ backup: MobileBackup, repository: Repository, writer: ObjectWriter, owner: (user: UInt32, group: UInt32)?,
        done: @escaping (Int, UInt64) -> Void
    ) throws(BackupError) {
        self.backup = backup
        self.repository = repository
        self.done = done
        self.owner = owner
        reader = try ContentWriter(writer, level: 3) { done(0, $0) }
        let faults: [String]
        do throws(MobileBackupError) { faults = try backup.manifestFaults() } catch { throw BackupError(error) }
        // A snapshot has one incident per path.
        var reasons = backup.incidents.map(\.kind.rawValue)
        if !faults.isEmpty { reasons.append(BackupProblem.Kind.manifestDamaged.rawValue) }
        if !reasons.isEmpty { try tree.record([], reason: reasons.joined(separator: "-and-")) }
    }

    /// Imports the item of a row, or records an incident.
    ///
    /// - Throws: Errors of the repository; `failed` above the memory limit.
    mutating func importRow(_ row: Result<StoredEntry, BackupProblem>) throws {
        switch row {
        case .success(let stored):
            let path = Array(stored.entry.path.bytes)
            defer { if stored.entry.kind == .file { done(1, 0) } }
            do {
                try importEntry(stored, at: path)
            } catch let problem as BackupProblem {
                try tree.record(path, reason: problem.kind.rawValue)
            } catch is FileSystemError {
                try tree.record(path, reason: BackupProblem.Kind.payloadUnreadable.rawValue)
            }
        case .failure(let problem): try tree.record(problem.path, reason: problem.kind.rawValue)
        }
    }

    private mutating func importEntry(_ stored: StoredEntry, at path: [UInt8]) throws {
        let facts = stored.entry.facts
        if let refusal = tree.refusal(of: path) { return try tree.record(path, reason: refusal) }
        guard let user = Self.owner(facts.user), let group = Self.owner(facts.group),
            let attributes = Self.attributes(stored.entry)
        else { return try tree.record(path, reason: BackupProblem.Kind.fieldInvalid.rawValue) }
        var entry = SnapshotEntry(name: PathOrder.split(path).name, kind: .directory)
        // A restore as root would give a program of an untrusted backup the rights of any user.
        entry.permissions = facts.permissions & ~SnapshotEntry.setIDBits
        (entry.user, entry.group) = owner ?? (user, group)
        entry.modified = Timestamp(seconds: facts.modified)
        entry.changed = Timestamp(seconds: facts.changed)
        entry.inode = facts.inode
        entry.links = 1
        switch stored.entry.kind {
        case .directory: break
        case .symbolicLink(let target):
            entry.kind = .symbolicLink
            entry.target = Array(target.utf8)
            entry.size = UInt64(target.utf8.count)
        case .file:
            let content = try backup.content(of: stored)
            if let digest = stored.digest, try !content.matches(digest) {
                return try tree.record(path, reason: BackupProblem.Kind.payloadChanged.rawValue)
            }
            let saved = try save(content)
            entry.kind = .file
            entry.object = saved.object
            entry.size = saved.size
            // The parts of a larger file are reported already.
            if entry.size <= ObjectWriter.partSize { done(0, entry.size) }
            if let problem = content.problem { try tree.record(path, reason: problem.kind.rawValue) }
            if saved.isUnstable {
                entry.state = .unstable
                try tree.record(path, reason: "changed-while-read")
            }
        }
        entry.attributes = try repository.insertAttributes(attributes)
        try tree.add(entry, at: path)
        if entry.permissions != facts.permissions { try tree.record(path, reason: "set-id-bits-dropped") }
        if (entry.user, entry.group) != (user, group) { replacedOwners += 1 }
    }

    /// Writes the directories after all rows.
    mutating func writeTree(made: Timestamp) throws(BackupError) -> ImportedTree.Written {
        try tree.write(into: repository, made: made)
    }

    /// Returns the number of an owner: small negative numbers such as −2 stand for large ones.
    private static func owner(_ number: Int64) -> UInt32? {
        UInt32(exactly: number) ?? Int32(exactly: number).map { UInt32(bitPattern: $0) }
    }

    /// Returns the attributes of an entry by name, or nil if a name is invalid or occurs twice.
    private static func attributes(_ entry: BackupEntry) -> [Repository.Attribute]? {
        var last: String?
        for attribute in entry.attributes {
            guard !attribute.name.isEmpty, !attribute.name.utf8.contains(0),
                last.map({ !$0.utf8.elementsEqual(attribute.name.utf8) }) ?? true
            else { return nil }
            last = attribute.name
        }
        return entry.attributes.map { Repository.Attribute(name: $0.name, value: $0.value) }
    }

    /// Stores a content, which is decrypted while it is read.
    private func save(_ content: PayloadContent) throws -> (object: Int64, size: UInt64, isUnstable: Bool) {
        guard content.isEncrypted else {
            let saved = try reader.save(content.stored)
            return (saved.object, saved.status.size, saved.isUnstable)
        }
        let before = try content.stored.status()
        let object = try reader.save(size: content.size) { try content.read(into: $0, from: $1) }
        let after = try content.stored.status()
        let isSame = before.size == after.size && before.modified == after.modified && before.changed == after.changed
        return (object, content.size, !isSame)
    }
}

/// The memory limits for one imported container, a hundred times above any known one.
struct ImportLimits {
    private let mostItems: Int
    private let mostBytes: Int
    private var items = 0
    private var bytes = 0

    init(items: Int = 2_000_000, bytes: Int = 256 << 20) { (mostItems, mostBytes) = (items, bytes) }

    /// Counts an item, a created directory or an incident, with its path and link target.
    ///
    /// - Throws: `failed` above the limit.
    mutating func add(_ path: [UInt8], _ target: [UInt8] = []) throws(BackupError) {
        items += 1
        bytes += path.count + target.count
        guard items <= mostItems, bytes <= mostBytes else {
            throw BackupError(
                .failed,
                what: "a container of the backup exceeds the memory limit of \(mostItems) items, created directories "
                    + "and incidents, or \(mostBytes) bytes of paths",
                hint: "import the other containers with --bundle-id")
        }
    }
}
