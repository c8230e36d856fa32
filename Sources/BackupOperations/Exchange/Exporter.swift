internal import BackupPlan
package import BackupRepository
internal import ContainerTree
internal import ExternalPrograms
package import FileSystem
package import MobileBackup

/// An export of a snapshot as a backup in Apple's layout, which Finder, iTunes and backup tools read.
///
/// Content is copied in pieces and verified by its hash. `LAYOUT.md` lists the details that the layout cannot store;
/// the outcome contains all of them.
package struct Exporter {
    package let repository: Repository
    package let snapshot: Snapshot
    /// The device that the backup describes.
    package let device: BackedUpDevice
    private let domain: BackupDomain
    /// The maximum number of zeros that an export writes for holes. A hole takes no space in a repository, but could
    /// take days and disks to write. A file that exceeds the limit is reported.
    var maximumHoleBytes: UInt64 = 64 << 30
    /// Called with the number of files and bytes in the backup.
    package var progress: (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    /// Creates an export for the given app, or for the app of the snapshot. `adapt` changes the properties of the
    /// device.
    ///
    /// - Throws: `notFound` without a bundle identifier, `failed` for an invalid one.
    package init(
        _ snapshot: Snapshot, of repository: Repository, bundleIdentifier: String? = nil,
        adapting adapt: (inout BackedUpDevice) -> Void = { _ in }
    ) throws(BackupError) {
        guard let identifier = bundleIdentifier ?? snapshot.bundleIdentifier else {
            throw BackupError(
                .notFound, what: "snapshot \(snapshot.number) has no bundle identifier",
                hint: "name the app with --bundle-id")
        }
        do throws(EntryRefusal) { domain = try BackupDomain(of: snapshot.kind, identifier) } catch {
            throw BackupError(.failed, what: error.description, hint: "name the app with --bundle-id")
        }
        self.repository = repository
        self.snapshot = snapshot
        var device = try BackedUpDevice(standingFor: snapshot, of: repository, bundleIdentifier: identifier)
        adapt(&device)
        self.device = device
    }

    /// The result of an export.
    package struct Outcome: Sendable {
        package let snapshot: Int64
        /// The name of the backup's directory.
        package let folder: String
        package var files = 0
        package var directories = 0
        package var links = 0
        package var bytes: UInt64 = 0
        /// Items that are missing or incomplete in the backup; by path.
        package var incidents: [Snapshot.Incident] = []
        /// Items of an incomplete snapshot that it lacks, or does not have as they were in the container; by path.
        package internal(set) var missing: [Snapshot.Incident] = []
        /// Items that are stored with less detail; by path.
        package var losses: [Snapshot.Incident] = []
        /// The number of items whose modification time lost its fraction of a second.
        package var roundedTimes = 0
        /// True if the rows or the content of an item are damaged.
        package var isDamaged: Bool { incidents.contains { $0.reason == "damaged" } }
        /// True if the backup has everything that a backup of the container includes.
        package var isComplete: Bool { incidents.isEmpty && missing.isEmpty }
    }

    /// Writes the backup beneath a directory. It is recognizable as a backup only when it is complete.
    ///
    /// - Throws: `damaged` if the entry of the container is damaged; `failed` for errors of the layout or the disk;
    ///   `interrupted`. Nothing of the backup remains then. A damaged file or directory is an incident and is omitted.
    package func export(into root: Folder) throws(BackupError) -> Outcome {
        let interruption = Invocation.current.interruption
        return try interruption.during { () throws(BackupError) in
            do {
                let writer = try MobileBackupWriter(in: root, of: device)
                var run = try ExportRun(self, domain: domain, writer: writer)
                try repository.visit(snapshot) { path, entry throws(BackupError) in
                    try run.add(entry, at: path)
                } damaged: { path in
                    run.record(path, reason: "damaged")
                }
                try writer.finish(before: interruption.throwIfRequested)
                return run.outcome
            } catch { throw BackupError(error) }
        }
    }
}

/// One run of an export.
struct ExportRun {
    private let repository: Repository
    private let domain: BackupDomain
    private let writer: MobileBackupWriter
    private let reader: ObjectReader
    private let interruption = Invocation.current.interruption
    private let progress: (Int, UInt64) -> Void
    private(set) var outcome: Exporter.Outcome
    /// The number of zeros that may still be written for holes.
    private var zerosLeft: UInt64

    init(_ plan: Exporter, domain: BackupDomain, writer: MobileBackupWriter) throws(BackupError) {
        repository = plan.repository
        self.domain = domain
        self.writer = writer
        progress = plan.progress
        reader = try ObjectReader(plan.repository)
        zerosLeft = plan.maximumHoleBytes
        outcome = Exporter.Outcome(snapshot: plan.snapshot.number, folder: plan.device.identifier)
        outcome.missing = Snapshot.Incident.sorted(plan.snapshot.incidents)
    }

    mutating func add(_ entry: SnapshotEntry, at path: [UInt8]) throws(BackupError) {
        try interruption.throwIfRequested()
        let attributes: [Repository.Attribute]
        do throws(BackupError) {
            attributes = try entry.attributes.map { set throws(BackupError) in try repository.attributes(set) } ?? []
        } catch {
            guard error.code == .damaged else { throw error }
            record(path, reason: "damaged")
            attributes = []
        }
        let exported: BackupEntry
        do throws(EntryRefusal) {
            guard let kind = try kind(of: entry) else { return record(path, reason: "not-kept") }
            exported = try makeEntry(
                entry, kind: kind, at: path, attributes: attributes.map { .init(name: $0.name, value: $0.value) })
        } catch { return record(path, reason: error.code.rawValue) }
        do {
            let size = try writer.add(exported) { payload throws in
                guard try !write(entry, to: payload) else { return }
                outcome.losses.append(Snapshot.Incident(path: path, reason: "hole-filled"))
            }
            outcome.bytes.addClamped(size)
        } catch let error as BackupError where error.code == .damaged {
            return record(path, reason: "damaged")
        } catch is HoleTooLarge {
            return record(path, reason: "hole-too-large")
        } catch let error as MobileBackupError where error.code == .taken {
            return record(path, reason: error.code.rawValue)
        } catch { throw BackupError(error) }
        count(entry, at: path)
    }

    private mutating func count(_ entry: SnapshotEntry, at path: [UInt8]) {
        switch entry.kind {
        case .file: outcome.files += 1
        case .symbolicLink: outcome.links += 1
        default: outcome.directories += path.isEmpty ? 0 : 1
        }
        if entry.kind != .directory, entry.links > 1 {
            outcome.losses.append(Snapshot.Incident(path: path, reason: "hard-link"))
        }
        if entry.state == .unstable { outcome.losses.append(Snapshot.Incident(path: path, reason: "unstable")) }
        if entry.modified.nanoseconds != 0 { outcome.roundedTimes += 1 }
        progress(outcome.files, outcome.bytes)
    }

    private func kind(of entry: SnapshotEntry) throws(EntryRefusal) -> BackupEntry.Kind? {
        switch entry.kind {
        case .file: return .file
        case .directory: return .directory
        case .symbolicLink:
            return try entry.target.map { target throws(EntryRefusal) in
                try .symbolicLink(targetBytes: target)
            }
        default: return nil
        }
    }

    /// Returns the entry for an item; without its attributes if they are too large.
    private mutating func makeEntry(
        _ entry: SnapshotEntry, kind: BackupEntry.Kind, at path: [UInt8], attributes: [BackupEntry.Attribute]
    ) throws(EntryRefusal) -> BackupEntry {
        let backupPath = try BackupPath(bytes: path)
        let facts = BackupEntry.Facts(
            permissions: entry.permissions, modified: entry.modified.seconds, changed: entry.changed.seconds,
            // The creation time is not stored. It is not later than this.
            birth: min(entry.modified, entry.changed).seconds, user: Int64(entry.user), group: Int64(entry.group),
            inode: entry.inode, protectionClass: entry.kind == .file ? 3 : 0)
        do throws(EntryRefusal) {
            return try BackupEntry(domain, path: backupPath, kind: kind, facts: facts, attributes: attributes)
        } catch {
            guard error.code == .attributesTooLarge, !attributes.isEmpty else { throw error }
            let plain = try BackupEntry(domain, path: backupPath, kind: kind, facts: facts)
            record(path, reason: error.code.rawValue)
            return plain
        }
    }

    /// Writes the content of a file.
    ///
    /// - Returns: False if a hole was written as zeros.
    /// - Throws: `HoleTooLarge` before anything is written.
    private mutating func write(_ entry: SnapshotEntry, to payload: Payload) throws -> Bool {
        guard let object = entry.object else { throw BackupError(.damaged, what: "a file entry has no content object") }
        let size = try reader.size(of: object)
        let zeros = try reader.holeSize(of: object)
        guard zeros <= zerosLeft else { throw HoleTooLarge() }
        zerosLeft -= zeros
        var isFilled = false
        func fill(to position: UInt64) throws {
            while payload.size < position {
                isFilled = true
                try interruption.throwIfRequested()
                try payload.write(Array(Self.zeros.prefix(Int(min(position - payload.size, 1 << 20)))))
            }
        }
        try reader.read(object) { position, piece in
            try fill(to: position)
            try interruption.throwIfRequested()
            try payload.write(piece)
            var bytes = outcome.bytes
            bytes.addClamped(payload.size)
            progress(outcome.files, bytes)
        }
        try fill(to: size)
        return !isFilled
    }

    /// The holes of a file exceed the limit.
    private struct HoleTooLarge: Error {}

    private static let zeros = [UInt8](repeating: 0, count: 1 << 20)

    mutating func record(_ path: [UInt8], reason: String) {
        outcome.incidents.append(Snapshot.Incident(path: path, reason: reason))
    }
}

extension BackedUpDevice {
    /// Creates the properties of a device from a snapshot. They are the same for every export of the snapshot, and the
    /// identifier is the same for every snapshot of the app.
    package init(standingFor snapshot: Snapshot, of repository: Repository, bundleIdentifier: String)
        throws(BackupError)
    {
        // 40 digits, as for devices before 2018.
        let identifier = ContentHash(of: Array("sandboxbackup \(bundleIdentifier)".utf8)).hexadecimal.prefix(40)
        let hash = try repository.hash(of: snapshot)
        let digits = Array(hash.hexadecimal.uppercased())
        // Version 8 marks a UUID with a custom layout (RFC 9562).
        let parts = [digits[0..<8], digits[8..<12], ["8"] + digits[13..<16], ["A"] + digits[17..<20], digits[20..<32]]
        self.init(
            identifier: String(identifier), name: "sandboxbackup", productType: "iPhone14,5", productName: "iPhone 13",
            productVersion: "17.5.1", buildVersion: "21F90", serialNumber: String(digits[32..<44]),
            backupIdentifier: parts.map { String($0) }.joined(separator: "-"), date: snapshot.taken.seconds)
    }
}

extension BackupDomain {
    /// Creates the domain of a container in Apple's layout.
    init(of kind: String, _ bundleIdentifier: String) throws(EntryRefusal) {
        let owner: Owner =
            switch kind {
            case "group": .group
            case "plugin": .plugin
            default: .app
            }
        try self.init(owner, identifier: bundleIdentifier)
    }

    /// The kind of the container in a snapshot; nil for a domain of the system.
    var snapshotKind: String? {
        switch owner {
        case .app: "application"
        case .group: "group"
        case .plugin: "plugin"
        case .system: nil
        }
    }
}
