internal import BackupRepository
internal import FileSystem
internal import SystemPackage
internal import TextOutput

/// A private directory beside a target that does not exist. A restore creates the tree in it, and it gets the name of the
/// target when everything in it is on disk.
///
/// An interrupted restore leaves it. The next restore of the same items into the same target continues in it: it compares
/// the content of what is there, and replaces what does not match.
struct StagingDirectory: Sendable {
    let folder: Folder
    /// True if it is of an interrupted restore.
    let isResumed: Bool
    private let parent: Folder
    private let name: FilePath
    private let target: FilePath
    /// The path for messages.
    private let path: String

    private static let prefix = ".sandboxbackup-restore-"

    /// Opens or creates the directory. Returns nil if the target cannot have one: its name is taken, or its parent cannot be
    /// opened.
    ///
    /// - Throws: `misplaced` if the name of the directory is taken by something that no restore of this user has created.
    init?(beside path: FilePath, for options: RestoreOptions) throws(BackupError) {
        guard let (above, target) = path.split, target != ".", target != ".." else { return nil }
        self.target = target
        name = FilePath(Self.prefix + Self.identity(of: target, options))
        self.path = ByteText.escaped(above.appending(name.components).bytes)
        guard let parent = try? Folder(opening: above.isEmpty ? "." : above) else { return nil }
        self.parent = parent
        do throws(FileSystemError) {
            guard try parent.statusIfPresent(target) == nil else { return nil }
            isResumed = try !Self.create(name, in: parent)
        } catch { return nil }
        do throws(FileSystemError) { folder = try parent.openFolder(noFollow: name) } catch {
            guard isResumed else { throw BackupError(error) }
            throw Self.refusal(of: self.path, "is not a directory that this user can open")
        }
        guard let status = try? folder.status("") else { return nil }
        // Nobody else can have created anything in it.
        guard status.owner.user == Host.user, status.permissions & 0o022 == 0 else {
            throw Self.refusal(of: self.path, "belongs to another user, or others can write into it")
        }
        Invocation.current.interruption.note =
            "The restored part is in “\(self.path)”; the same command continues in it."
    }

    /// Returns false if the name is taken.
    private static func create(_ name: FilePath, in parent: Folder) throws(FileSystemError) -> Bool {
        do throws(FileSystemError) { try parent.createDirectory(name, permissions: 0o700) } catch {
            guard error.errno == .fileExists else { throw error }
            return false
        }
        return true
    }

    /// Returns digits that identify the target and the items to restore.
    private static func identity(of target: FilePath, _ options: RestoreOptions) -> String {
        let key = """
            \(target.bytes) \(options.snapshot.id) \(options.snapshot.root) \(options.paths) \(options.preservesSetIDBits)
            \(options.included?.texts ?? []) \(options.excluded?.texts ?? [])
            """
        return String(ContentHash(of: Array(key.utf8)).hexadecimal.prefix(32))
    }

    private static func refusal(of path: String, _ reason: String) -> BackupError {
        BackupError(
            .misplaced, what: "“\(path)”, in which the restore would create the items, \(reason); nothing was written",
            hint: "remove it, or name another target")
    }

    /// Returns the error for an item that the interrupted restore did not create.
    func refusal(ofItem item: [UInt8]) -> BackupError {
        BackupError(
            .misplaced, what: "“\(path)” contains “\(ByteText.escaped(item))”, which is not an item of this restore",
            hint: "move it away and run the command again, or remove the directory")
    }

    /// Checks that no other restore uses the directory.
    ///
    /// - Throws: `locked`.
    func requireSole(isLocked: Bool) throws(BackupError) {
        let found: FileStatus?, own: FileStatus
        do throws(FileSystemError) { (found, own) = try (parent.statusIfPresent(name), folder.status("")) } catch {
            throw BackupError(error)
        }
        // Another restore may have renamed it since it was opened. Without locks, it may still be at work.
        guard let found, found.identity == own.identity, isLocked || !isResumed else {
            throw BackupError(
                .locked, what: "another restore may be using “\(path)”",
                hint: "wait until it ends; if no restore runs, remove the directory")
        }
    }

    /// Gives the directory, whose content is on disk, the name of the target.
    ///
    /// - Throws: `failed` if the name is taken.
    func publish() throws(BackupError) {
        do throws(FileSystemError) {
            try parent.rename(name, to: target, in: parent)
            Invocation.current.interruption.note = "“\(ByteText.escaped(target.bytes))” is complete."
            try folder.sync()
            try parent.sync()
        } catch {
            guard error.errno == .fileExists else { throw BackupError(error) }
            throw BackupError(
                .failed, what: "“\(ByteText.escaped(target.bytes))” was created by another process during the restore",
                hint: "move it away and run the command again")
        }
    }

    /// Removes the directory if it is empty.
    ///
    /// - Returns: The error that ended the restore, with the path of the directory if it is left.
    func remains(after error: BackupError) -> BackupError {
        if (try? parent.removeEmptyDirectory(name)) != nil { return error }
        switch error.code {
        case .locked, .misplaced, .interrupted: return error
        default:
            let hint = error.code == .full ? "free disk space and run" : "run"
            return BackupError(
                error.code, what: "\(error.what); the restored part is in “\(path)”",
                hint: hint + " the command again, which continues in it, or remove it")
        }
    }
}
