internal import AppContainer
internal import BackupPlan
internal import BackupRepository
internal import DatabaseInspection
internal import FileSystem
internal import SystemPackage

/// A reader for the items of a plan that stores their content and attributes. Not thread-safe.
final class FileArchiver {
    private let container: Container
    private let plan: Plan
    private let writer: ObjectWriter
    private let reader: ContentWriter
    /// The directory for copies of databases. It belongs to this run and is removed at the end.
    private let staging: FilePath

    /// Creates an archiver; `partRead` is called with the number of bytes read of a large file since the last call.
    init(
        _ builder: SnapshotBuilder, writer: ObjectWriter, partRead: @escaping (UInt64) -> Void
    ) throws(BackupError) {
        container = builder.container
        plan = builder.plan
        self.writer = writer
        staging = try writer.stagingPath
        reader = try ContentWriter(writer, level: builder.level, partRead: partRead)
    }

    /// Reads and stores the items of a task.
    ///
    /// - Throws: Errors of the repository. Errors of the container are in the results.
    func read(_ task: ArchiveTask) throws(BackupError) -> [BackupIndex.Update] {
        var isDatabase = false
        let main = try reading(task.index) { file, result in
            guard plan[task.index].kind == .file else { return }
            // A new or an encrypted database has no header, but its writers have a lock.
            isDatabase = try Self.isDatabase(file) || DatabaseLock.isWriting(to: file)
            if isDatabase { return }
            try record(file, into: &result)
            isDatabase = DatabaseLock.isWriting(to: file)
        }
        if isDatabase { return try readDatabase(task) }
        return task.companions.isEmpty ? [main] : try readTogether([task.index] + task.companions)
    }

    /// Reads files that may be consistent only together, such as an encrypted database and its log. If one changes
    /// while another is read, all are read again.
    private func readTogether(_ indexes: [Int]) throws(BackupError) -> [BackupIndex.Update] {
        var results: [BackupIndex.Update] = []
        for _ in 0..<ContentWriter.tries {
            let before = indexes.map(changed)
            before.compactMap(\.self).max()?.waitUntilPast()
            results = []
            for index in indexes { results.append(try readItem(index)) }
            if indexes.map(changed) == before { return results }
        }
        Self.markUnstable(&results, reason: "changed-while-read")
        return results
    }

    private func changed(_ index: Int) -> Timestamp? {
        (try? container.folder.statusIfPresent(FilePath(bytes: plan[index].path)))?.changed
    }

    private func readItem(_ index: Int) throws(BackupError) -> BackupIndex.Update {
        try reading(index) { file, result in try record(file, into: &result) }
    }

    private func record(_ file: OpenFile, into result: inout BackupIndex.Update) throws {
        guard plan[result.index].kind == .file else { return }
        let content = try reader.save(file)
        (result.item.content, result.status) = (content.object, content.status)
        if content.isUnstable { result.markUnstable("changed-while-read") }
    }

    /// Opens an item, calls `body`, and stores the attributes.
    private func reading(
        _ index: Int, _ body: (OpenFile, inout BackupIndex.Update) throws -> Void
    ) throws(BackupError) -> BackupIndex.Update {
        let entry = plan[index]
        var result = BackupIndex.Update(index: index)
        do {
            let file = try container.folder.open(FilePath(bytes: entry.path), followingLinks: false)
            // Reading the content would download it.
            guard try !file.status().isDataless else { throw FileSystemError("read", path: "", errno: .deadlock) }
            try body(file, &result)
            guard try (result.status ?? file.status()).kind == entry.kind else {
                throw FileSystemError("read", path: "", errno: .noSuchFileOrDirectory)
            }
            try keepAttributes(of: file, &result)
        } catch let error as FileSystemError {
            result = BackupIndex.Update(index: index)
            result.incident = Self.reason(error)
            result.item.isSkipped = true
        } catch { throw BackupError(error) }
        return result
    }

    /// Stores the attributes, also if the plan saw none: the file may have got its first one since.
    private func keepAttributes(of file: OpenFile, _ result: inout BackupIndex.Update) throws {
        var attributes: [Repository.Attribute] = []
        do throws(FileSystemError) {
            let values = try file.attributeValues(skippingUnreadable: true).filter {
                $0.name != Container.deviceStateAttribute
            }
            attributes = Repository.Attribute.list(values)
            if attributes.count < values.count { result.incident = result.incident ?? "attribute-not-kept" }
        } catch {
            let isUnsupported = error.errno == .notSupported || error.errno == .notSupportedOnSocket
            guard isUnsupported, plan[result.index].attributes.isEmpty else { throw error }
        }
        if !attributes.isEmpty { result.item.attributes = try writer.add(attributes) ?? 0 }
    }

    private static func reason(_ error: FileSystemError) -> String {
        switch error.errno {
        case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels: "vanished"
        case .permissionDenied, .notPermitted: "permission-denied"
        // iCloud has evicted the item since it was planned.
        case .deadlock: "not-downloaded"
        default: "unreadable"
        }
    }

    /// Returns true if a file starts with the magic string of SQLite.
    static func isDatabase(_ file: OpenFile) throws -> Bool {
        try file.read(upTo: DatabaseHeader.magic.count) == DatabaseHeader.magic
    }
}

/// Databases.
extension FileArchiver {
    /// The maximum size of a database that is checked. SQLite needs memory for each page, even in a hole.
    private static let mostChecked: UInt64 = 1 << 38

    private func readDatabase(_ task: ArchiveTask) throws(BackupError) -> [BackupIndex.Update] {
        var indexes: [DatabaseFile: Int] = [.main: task.index]
        for index in task.companions { if let file = Self.kind(of: plan[index].path) { indexes[file] = index } }
        // Without a consistent copy, store the files as they are and report it.
        guard
            let set = DatabaseFiles.consistentCopy(
                of: plan[task.index].path, in: container.folder, having: Set(indexes.keys),
                copyingTo: staging)
        else { return try readInconsistent(task) }
        var results: [BackupIndex.Update] = []
        for index in [task.index] + task.companions {
            let file = index == task.index ? .main : Self.kind(of: plan[index].path)
            if let file, file == .main || set.origin == .copy, let status = set.statuses[file],
                let copy = set.open(file)
            {
                results.append(try record(copy, status: status, of: set, at: index))
            } else {
                // SQLite recreates the file, or the copy contains its content.
                results.append(BackupIndex.Update(index: index, item: BackupIndex.Item(isSkipped: true)))
            }
        }
        if hasForeignLog(set, of: task, remark: &results[0].remark) {
            Self.markUnstable(&results, reason: "foreign-log")
        }
        return results
    }

    /// Returns true if the log of a copied database is foreign. Sets the remark for one that is damaged or not checked.
    private func hasForeignLog(_ set: DatabaseFiles, of task: ArchiveTask, remark: inout String?) -> Bool {
        let isForeign = set.foreignLog != nil
        guard set.statuses[.main]?.size ?? 0 <= Self.mostChecked else {
            remark = "store-not-checked"
            return isForeign
        }
        // SQLite cannot read an encrypted database.
        guard let copy = set.open(.main), (try? Self.isDatabase(copy)) == true else { return isForeign }
        do throws(DatabaseReadError) {
            guard let problem = try set.problems().first else { return isForeign }
            if !isForeign, set.origin == .copy, try isIntactWithoutLog(task, problem: problem) { return true }
            remark = "store-damaged-in-the-container"
        } catch { remark = "store-not-checked" }
        return isForeign
    }

    /// Returns true if the log of a database causes a problem that SQLite finds.
    private func isIntactWithoutLog(_ task: ArchiveTask, problem: String) throws(DatabaseReadError) -> Bool {
        var limits = DatabaseLimits()
        (limits.bytes, limits.seconds) = (.max, 600)
        guard let source = FolderDatabase(at: plan[task.index].path, in: container.folder) else { return false }
        return try DatabaseCopy.foreignLog(of: source, causing: problem, limits: limits) != nil
    }

    private func record(
        _ copy: OpenFile, status: FileStatus, of set: DatabaseFiles, at index: Int
    ) throws(BackupError) -> BackupIndex.Update {
        var result = BackupIndex.Update(index: index, status: status)
        do {
            result.item.content = try reader.save(copy).object
            // The journal may be gone by now; its copy still belongs to the main file.
            if let original = try? container.folder.open(FilePath(bytes: plan[index].path), followingLinks: false) {
                try keepAttributes(of: original, &result)
            }
        } catch let error as FileSystemError { result.incident = Self.reason(error) } catch { throw BackupError(error) }
        if set.origin == .onlineBackup {
            result.item.state = .consistentCopy
            if status.links == 1 { result.status = status.with(inode: BackupIndex.identity(of: set.statuses)) }
        }
        return result
    }

    private func readInconsistent(_ task: ArchiveTask) throws(BackupError) -> [BackupIndex.Update] {
        var results: [BackupIndex.Update] = []
        for index in [task.index] + task.companions { results.append(try readItem(index)) }
        Self.markUnstable(&results, reason: "no-consistent-copy")
        return results
    }

    /// Marks the stored ones of several results.
    private static func markUnstable(_ results: inout [BackupIndex.Update], reason: String) {
        for index in results.indices where !results[index].item.isSkipped { results[index].markUnstable(reason) }
    }

    private static func kind(of path: [UInt8]) -> DatabaseFile? {
        let text = String(decoding: path.suffix(8), as: UTF8.self)
        return DatabaseFile.allCases.first { $0 != .main && text.hasSuffix($0.rawValue) }
    }
}
