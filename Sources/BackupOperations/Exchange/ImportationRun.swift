internal import BackupRepository
internal import Crypto
internal import FileSystem
internal import MobileBackup

/// The taking of one container: row by row into the store.
struct ImportationRun {
    private let backup: MobileBackup
    private let store: BackupStore
    private let reader: ContentReader
    private let done: (_ files: Int, _ bytes: UInt64) -> Void
    /// The owner that items get instead of the one that the backup says; nil to believe the backup.
    private let owner: (user: UInt32, group: UInt32)?
    private var tree = ImportedTree()
    /// Items that got another owner than the backup says.
    private(set) var replacedOwners = 0

    /// `done` is told how much more has been taken.
    init(
        _ backup: MobileBackup, _ store: BackupStore, _ adder: ObjectAdder, owner: (user: UInt32, group: UInt32)?,
        done: @escaping (Int, UInt64) -> Void
    ) throws(BackupError) {
        self.backup = backup
        self.store = store
        self.done = done
        self.owner = owner
        reader = try ContentReader(adder, level: 3) { done(0, $0) }
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
            if entry.size <= ObjectAdder.partSize { done(0, entry.size) }
            if kept.isUnstable {
                entry.state = .unstable
                try tree.note(path, "changed-while-read")
            }
        }
        entry.attributes = try store.attributes(attributes)
        try tree.add(entry, at: path)
        if entry.permissions != facts.permissions { try tree.note(path, "set-id-bits-dropped") }
        if (entry.user, entry.group) != (user, group) { replacedOwners += 1 }
    }

    /// Writes the directories, when all rows have been taken.
    mutating func writeTree(made: Timestamp) throws(BackupError) -> ImportedTree.Written {
        try tree.write(into: store, made: made)
    }

    /// A number of an owner: −2 and other small ones below zero stand for large ones.
    private static func owner(_ number: Int64) -> UInt32? {
        UInt32(exactly: number) ?? Int32(exactly: number).map { UInt32(bitPattern: $0) }
    }

    /// The attributes of an entry, by name; nil where one is named twice or as no attribute can be.
    private static func attributes(_ entry: BackupEntry) -> [BackupStore.Attribute]? {
        var last: String?
        for attribute in entry.attributes {
            guard !attribute.name.isEmpty, !attribute.name.utf8.contains(0),
                last.map({ !$0.utf8.elementsEqual(attribute.name.utf8) }) ?? true
            else { return nil }
            last = attribute.name
        }
        return entry.attributes.map { BackupStore.Attribute(name: $0.name, value: $0.value) }
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
