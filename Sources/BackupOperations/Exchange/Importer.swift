internal import BackupPlan
package import BackupRepository
internal import Crypto
package import FileSystem
internal import Foundation
package import MobileBackup

/// Takes the containers of a backup in Apple's layout into a store, each as a snapshot.
///
/// Nothing that the backup says is believed: a row that leads out, lies or is garbage is an incident of the snapshot, and
/// what it tells of is not in it.
package struct Importer {
    private let backup: MobileBackup
    private let domains: [BackupDomain]
    private let systemDomains: Int
    /// Whether items keep the owner and group that the backup says. Else they get those of this process: nothing proves
    /// what a backup says, and root would restore files of any user from it.
    package var preservesOwners = false
    /// Is told how many files and bytes have been taken.
    package var progress: (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    /// What was taken.
    package struct Outcome: Sendable {
        package var snapshots: [Snapshot] = []
        /// How many of the backup's domains are the system's, and so no containers.
        package let systemDomains: Int
        /// How many items got this process's owner and group instead of those that the backup says.
        package var replacedOwners = 0
    }

    /// Looks which containers a backup holds: apps', plug-ins' and groups', or the one that is asked for.
    ///
    /// - Throws: `notFound` where the backup does not hold it, or no container at all; `failed`.
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
            .notFound, "the backup holds no container" + (bundleIdentifier.map { " of “\($0)”" } ?? " of an app"),
            hint: containers.isEmpty ? "" : "leave --bundle-id out to import all that it holds")
    }

    /// How many files there are to be taken, by what the manifest says.
    ///
    /// - Throws: `failed` where it cannot be read on.
    package func fileCount() throws(BackupError) -> Int {
        do throws(MobileBackupError) { return try backup.fileCount(of: domains) } catch { throw BackupError(error) }
    }

    /// Takes one container after the other. What has been taken stays, whatever comes later. The snapshots are said to
    /// be taken when the backup was made, or `now` where it does not say that.
    ///
    /// - Throws: `full`, `readOnly`, `damaged` where the store is, `failed` where the backup cannot be read on.
    package func importContainers(into repository: Repository, now: Timestamp) throws(BackupError) -> Outcome {
        var outcome = Outcome(systemDomains: systemDomains)
        do {
            let date = try backup.date().map { Timestamp(seconds: $0) }
            if date == nil { try Snapshot.requireClock(now) }
            let taken = date ?? now
            var (files, bytes) = (0, UInt64(0))
            for domain in domains {
                let result = try take(domain, into: repository, taken: taken) {
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

    private func take(
        _ domain: BackupDomain, into repository: Repository, taken: Timestamp, done: @escaping (Int, UInt64) -> Void
    ) throws -> (snapshot: Snapshot, replacedOwners: Int) {
        let writer = try ObjectWriter(repository)
        do {
            let owner = preservesOwners ? nil : (user: UInt32(geteuid()), group: UInt32(getegid()))
            var run = try ImportRun(backup, repository, writer, owner: owner, done: done)
            try backup.entries(of: domain) { row throws in try run.take(row) }
            let tree = try run.writeTree(made: taken)
            let snapshot = Snapshot(
                taken: taken, bundleIdentifier: domain.bundleID, kind: domain.snapshotKind ?? "",
                // What a backup that is not encrypted has.
                view: BackupView.finderUnencrypted.rawValue, tree: tree.directory, files: tree.files,
                bytes: tree.bytes, incidents: Snapshot.Incident.sorted(tree.incidents))
            return (try writer.finish(adding: snapshot), run.replacedOwners)
        } catch {
            writer.abandon()
            throw error
        }
    }
}

/// The taking of one container: row by row into the store.
struct ImportRun {
    private let backup: MobileBackup
    private let repository: Repository
    private let reader: ContentWriter
    private let done: (_ files: Int, _ bytes: UInt64) -> Void
    /// The owner that items get instead of the one that the backup says; nil to believe the backup.
    private let owner: (user: UInt32, group: UInt32)?
    private var tree = ImportedTree()
    /// Items that got another owner than the backup says.
    private(set) var replacedOwners = 0

    /// `done` is told how much more has been taken.
    init(
        _ backup: MobileBackup, _ repository: Repository, _ writer: ObjectWriter, owner: (user: UInt32, group: UInt32)?,
        done: @escaping (Int, UInt64) -> Void
    ) throws(BackupError) {
        self.backup = backup
        self.repository = repository
        self.done = done
        self.owner = owner
        reader = try ContentWriter(writer, level: 3) { done(0, $0) }
        if !backup.manifestFaults.isEmpty { try tree.note([], BackupProblem.Kind.manifestDamaged.rawValue) }
    }

    /// Takes what a row tells of, or notes why not.
    ///
    /// - Throws: What ails the store; `failed` for more rows than are held in memory.
    mutating func take(_ row: Result<StoredEntry, BackupProblem>) throws {
        switch row {
        case .success(let stored):
            let path = Array(stored.entry.path.bytes)
            defer { if stored.entry.kind == .file { done(1, 0) } }
            do {
                try take(stored, at: path)
            } catch let problem as BackupProblem {
                try tree.note(path, problem.kind.rawValue)
            } catch is FileSystemError {
                try tree.note(path, BackupProblem.Kind.payloadUnreadable.rawValue)
            }
        case .failure(let problem): try tree.note(problem.path, problem.kind.rawValue)
        }
    }

    private mutating func take(_ stored: StoredEntry, at path: [UInt8]) throws {
        let facts = stored.entry.facts
        if let refusal = tree.refusal(of: path) { return try tree.note(path, refusal) }
        guard let user = Self.owner(facts.user), let group = Self.owner(facts.group),
            let attributes = Self.attributes(stored.entry)
        else { return try tree.note(path, BackupProblem.Kind.fieldInvalid.rawValue) }
        var entry = SnapshotEntry(name: ImportedTree.place(of: path).name, kind: .directory)
        // Who restores the snapshot as root would give a program of the backup's maker the rights of any user.
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
            let payload = try backup.payload(of: stored)
            guard try Self.isAsTold(payload, stored) else {
                return try tree.note(path, BackupProblem.Kind.payloadChanged.rawValue)
            }
            let kept = try reader.keep(payload)
            entry.kind = .file
            entry.object = kept.object
            entry.size = kept.status.size
            // Of a larger one its parts have been told.
            if entry.size <= ObjectWriter.partSize { done(0, entry.size) }
            if kept.isUnstable {
                entry.state = .unstable
                try tree.note(path, "changed-while-read")
            }
        }
        entry.attributes = try repository.attributes(attributes)
        try tree.add(entry, at: path)
        if entry.permissions != facts.permissions { try tree.note(path, "set-id-bits-dropped") }
        if (entry.user, entry.group) != (user, group) { replacedOwners += 1 }
    }

    /// Writes the directories, when all rows have been taken.
    mutating func writeTree(made: Timestamp) throws(BackupError) -> ImportedTree.Written {
        try tree.write(into: repository, made: made)
    }

    /// A number of an owner: −2 and other small ones below zero stand for large ones.
    private static func owner(_ number: Int64) -> UInt32? {
        UInt32(exactly: number) ?? Int32(exactly: number).map { UInt32(bitPattern: $0) }
    }

    /// The attributes of an entry, by name; nil where one is named twice or as no attribute can be.
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

    /// Whether a payload has the sum that its record says, where it says one.
    private static func isAsTold(_ payload: OpenFile, _ stored: StoredEntry) throws -> Bool {
        guard let digest = stored.digest else { return true }
        var sum = Insecure.SHA1()
        var position: UInt64 = 0
        while true {
            let bytes = try payload.read(upTo: 1 << 20, from: position)
            if bytes.isEmpty { break }
            sum.update(data: bytes)
            position += UInt64(bytes.count)
        }
        return sum.finalize().elementsEqual(digest)
    }
}

/// How much of one container an importation holds in memory: no container that was seen has a hundredth of it, and a
/// hostile manifest must not take all there is.
struct ImportLimits {
    private let mostItems: Int
    private let mostBytes: Int
    private var items = 0
    private var bytes = 0

    init(items: Int = 2_000_000, bytes: Int = 256 << 20) { (mostItems, mostBytes) = (items, bytes) }

    /// Takes the room of an item, of a directory that is made or of what is named, which has a path, and of a link's
    /// target.
    ///
    /// - Throws: `failed` where there is no more.
    mutating func take(_ path: [UInt8], _ target: [UInt8] = []) throws(BackupError) {
        items += 1
        bytes += path.count + target.count
        guard items <= mostItems, bytes <= mostBytes else {
            throw BackupError(
                .failed,
                "the backup tells of more in one container than is held in memory: \(mostItems) items, made directories "
                    + "and incidents, and \(mostBytes) bytes of their paths",
                hint: "import the other containers one by one with --bundle-id")
        }
    }
}
