internal import FileSystem
internal import Foundation
internal import SystemPackage

/// The directory for the temporary files of a run, in the directory `staging`. Its lock shows that the run has not ended.
final class Staging: Sendable {
    static let parent: FilePath = "staging"
    /// Another run may remove the empty parent at the same time.
    private static let attempts = 5

    let folder: Folder
    private let repository: Folder
    private let path: FilePath
    private let lock: Lock

    /// Creates the directory, and removes those of runs that have ended. The run must be the only one that does so now.
    convenience init(of repository: Repository) throws(BackupError) {
        do throws(FileSystemError) { try self.init(in: repository.folder) } catch { throw BackupError(error) }
    }

    private init(in repository: Folder) throws(FileSystemError) {
        self.repository = repository
        var failure = FileSystemError("make the directory", path: Self.parent, errno: .fileExists)
        var made: (path: FilePath, folder: Folder, lock: Lock)?
        for attempt in 0..<Self.attempts where made == nil {
            let path = Self.parent.appending("\(ProcessInfo.processInfo.processIdentifier)-\(attempt)")
            do throws(FileSystemError) {
                try repository.createDirectories(Self.parent, permissions: Repository.privateDirectory)
                try Self.removeLeftovers(in: repository.openFolder(noFollow: Self.parent))
                try repository.createDirectory(path, permissions: Repository.privateDirectory)
                let folder = try repository.openFolder(noFollow: path)
                made = (path, folder, try Lock(folder, within: .zero))
            } catch {
                // Another run of this process has the name, or the parent is gone.
                guard error.errno == .fileExists || error.errno == .noSuchFileOrDirectory else { throw error }
                failure = error
            }
        }
        guard let made else { throw failure }
        (path, folder, lock) = made
        TemporaryFileRegistry.register(directory: path, in: repository)
        TemporaryFileRegistry.register(directory: Self.parent, in: repository)
    }

    private static func removeLeftovers(in parent: Folder) throws(FileSystemError) {
        for name in try parent.names() {
            if let folder = try? parent.openFolder(noFollow: name) {
                guard let lock = try? Lock(folder, within: .zero) else { continue }
                lock.release()
            }
            try parent.removeWithoutSync(name)
        }
    }

    /// Removes the directory. If it cannot be removed now, the next run removes it.
    func remove() {
        try? repository.removeWithoutSync(path)
        try? repository.removeEmptyDirectory(Self.parent)
        TemporaryFileRegistry.unregister(path, in: repository)
        TemporaryFileRegistry.unregister(Self.parent, in: repository)
        lock.release()
    }
}
