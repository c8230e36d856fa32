internal import BackupPlan
internal import BackupRepository
internal import FileSystem
internal import MobileBackup

/// One run of an exportation: item by item into the backup.
struct ExportationRun {
    private let store: BackupStore
    private let domain: BackupDomain
    private let writer: MobileBackupWriter
    private let reader: ObjectReader
    private let progress: (Int, UInt64) -> Void
    private(set) var outcome: Exportation.Outcome
    /// How many bytes of holes may still be written as zeros.
    private var zerosLeft: UInt64

    init(_ plan: Exportation, _ domain: BackupDomain, _ writer: MobileBackupWriter) throws(BackupError) {
        store = plan.store
        self.domain = domain
        self.writer = writer
        progress = plan.progress
        reader = try ObjectReader(plan.store)
        zerosLeft = plan.mostZeros
        outcome = Exportation.Outcome(snapshot: plan.snapshot.number, folder: plan.device.identifier)
    }

    mutating func add(_ entry: SnapshotEntry, at path: [UInt8]) throws(BackupError) {
        try RunInterruption.check()
        let attributes: [BackupStore.Attribute]
        do throws(BackupError) {
            attributes = try entry.attributes.map { set throws(BackupError) in try store.attributes(set) } ?? []
        } catch {
            guard error.code == .damaged else { throw error }
            note(path, "damaged")
            attributes = []
        }
        let told: BackupEntry
        do throws(EntryRefusal) {
            guard let kind = try kind(of: entry) else { return note(path, "not-kept") }
            told = try self.told(entry, kind, at: path, attributes.map { .init(name: $0.name, value: $0.value) })
        } catch { return note(path, error.code.rawValue) }
        do {
            let size = try writer.add(told) { payload throws in
                guard try !write(entry, to: payload) else { return }
                outcome.losses.append(Snapshot.Incident(path: path, reason: "hole-filled"))
            }
            outcome.bytes.addClamped(size)
        } catch let error as BackupError where error.code == .damaged {
            return note(path, "damaged")
        } catch is HoleTooLarge {
            return note(path, "hole-too-large")
        } catch let error as MobileBackupError where error.code == .taken {
            return note(path, error.code.rawValue)
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

    /// An item as the layout tells it; without its attributes where they are too large.
    private mutating func told(
        _ entry: SnapshotEntry, _ kind: BackupEntry.Kind, at path: [UInt8], _ attributes: [BackupEntry.Attribute]
    ) throws(EntryRefusal) -> BackupEntry {
        let place = try BackupPath(bytes: path)
        let facts = BackupEntry.Facts(
            permissions: entry.permissions, modified: entry.modified.seconds, changed: entry.changed.seconds,
            // When it was made is not kept: not later than this.
            birth: min(entry.modified, entry.changed).seconds, user: Int64(entry.user), group: Int64(entry.group),
            inode: entry.inode, protectionClass: entry.kind == .file ? 3 : 0)
        do throws(EntryRefusal) {
            return try BackupEntry(domain, place, kind, facts, attributes: attributes)
        } catch {
            guard error.code == .attributesTooLarge, !attributes.isEmpty else { throw error }
            let bare = try BackupEntry(domain, place, kind, facts)
            note(path, error.code.rawValue)
            return bare
        }
    }

    /// Gives a file's bytes to its payload; false where zeros that take no room in the store took some there.
    ///
    /// - Throws: `HoleTooLarge` before anything is written.
    private mutating func write(_ entry: SnapshotEntry, to payload: Payload) throws -> Bool {
        guard let object = entry.object else { throw BackupError(.damaged, "a file without content") }
        let size = try reader.size(of: object)
        let zeros = try reader.holeSize(of: object)
        guard zeros <= zerosLeft else { throw HoleTooLarge() }
        zerosLeft -= zeros
        var isFilled = false
        func fill(to position: UInt64) throws {
            while payload.size < position {
                isFilled = true
                try RunInterruption.check()
                try payload.write(Array(Self.zeros.prefix(Int(min(position - payload.size, 1 << 20)))))
            }
        }
        try reader.read(object) { position, piece in
            try fill(to: position)
            try RunInterruption.check()
            try payload.write(piece)
            var bytes = outcome.bytes
            bytes.addClamped(payload.size)
            progress(outcome.files, bytes)
        }
        try fill(to: size)
        return !isFilled
    }

    /// More zeros than one export writes.
    private struct HoleTooLarge: Error {}

    private static let zeros = [UInt8](repeating: 0, count: 1 << 20)

    mutating func note(_ path: [UInt8], _ reason: String) {
        outcome.incidents.append(Snapshot.Incident(path: path, reason: reason))
    }
}
