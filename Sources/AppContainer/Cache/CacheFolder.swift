internal import FileSystem
internal import Foundation
internal import SystemPackage

/// The directory of a cache, which the system or another process may remove at any time.
final class CacheFolder: Sendable {
    /// An entry while it is open.
    struct Entry {
        let file: OpenFile
        let status: FileStatus
        /// Nil on a file system without attributes.
        let record: CacheRecord?
    }

    let container: Container
    /// The path of the directory in the container.
    let path: FilePath
    private let isExcluded: Bool
    private let opened = LockedValue<Folder?>(nil)

    init(_ container: Container, _ path: FilePath, isExcluded: Bool) {
        (self.container, self.path, self.isExcluded) = (container, path, isExcluded)
    }

    /// Calls `body` with the directory. Returns nil if it does not exist, or if `body` returns nil.
    func existing<Value>(_ body: (Folder) throws(FileSystemError) -> Value?) throws(ContainerError) -> Value? {
        do throws(FileSystemError) {
            while true {
                let isKnown = opened.withLock { $0 != nil }
                guard let folder = try openIfPresent() else { return nil }
                if let value = try body(folder) { return value }
                // Another process may have made the directory again after a purge.
                guard isKnown, isRemoved(folder) else { return nil }
                opened.withLock { $0 = nil }
            }
        } catch { throw readingError(error) }
    }

    /// Calls `body` with the directory, which is made if it is missing, and again if it is removed meanwhile.
    func made(_ body: (Folder) throws(AtomicWriteError) -> Void) throws(ContainerError) {
        // A directory that this object has opened, or made, is made again only after it was removed.
        var isKnown = opened.withLock { $0 != nil }
        var isRecreated = false
        try container.repeatingAfterPurges(in: nil) { () throws(ContainerError) in
            let (folder, isNew) = try make()
            isRecreated = isRecreated || (isNew && isKnown)
            isKnown = true
            do throws(AtomicWriteError) { try body(folder) } catch {
                if error.cause.errno == .noSuchFileOrDirectory { opened.withLock { $0 = nil } }
                throw ContainerError(error)
            }
            if isRemoved(folder) {
                opened.withLock { $0 = nil }
                throw ContainerError(FileSystemError("save in", path: path, errno: .noSuchFileOrDirectory))
            }
        }
        if isRecreated { container.report(.recreated, container.containerPath(path)) }
    }

    /// Returns the directory, and true if it was missing.
    private func make() throws(ContainerError) -> (Folder, isNew: Bool) {
        do throws(FileSystemError) {
            if let folder = try openIfPresent(), !isRemoved(folder) { return (folder, false) }
        } catch { throw ContainerError(error) }
        let item = container.containerPath(path)
        // The directory of all kept caches, before the first entry, so that no backup contains one.
        if isExcluded, let parent = item.parent {
            try container.createDirectory(parent)
            try container.excludeFromBackup(parent)
        }
        try container.createDirectory(item)
        do throws(FileSystemError) {
            let folder = try container.folder.openFolder(noLinks: path)
            opened.withLock { $0 = folder }
            return (folder, true)
        } catch { throw ContainerError(error) }
    }

    private func openIfPresent() throws(FileSystemError) -> Folder? {
        if let folder = opened.withLock(\.self) { return folder }
        do throws(FileSystemError) {
            let folder = try container.folder.openFolder(noLinks: path)
            opened.withLock { $0 = folder }
            return folder
        } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
            return nil
        }
    }

    /// Returns true if the directory has no name any more.
    private func isRemoved(_ folder: Folder) -> Bool { (try? folder.status("").links) == 0 }

    private func readingError(_ error: FileSystemError) -> ContainerError {
        let isOwn = error.path == path || error.path.isEmpty || error.path == "."
        return ContainerError(
            reading: FileSystemError(error.operation, path: isOwn ? path : path.joined(error.path), errno: error.errno))
    }

    /// Opens an entry. Returns nil if it does not exist.
    func open(_ name: EscapedName, key: String) throws(ContainerError) -> Entry? {
        try existing { folder throws(FileSystemError) -> Entry? in
            let found: (OpenFile, FileStatus)?
            do throws(FileSystemError) {
                found = try folder.openFile(named: Array(name.text.utf8CString))
            } catch {
                throw FileSystemError(error.operation, path: FilePath(name.text), errno: error.errno)
            }
            guard let (file, status) = found else { return nil }
            let record = try Self.record(of: file)
            // A shortened name does not say which key it has.
            guard name.isWhole || record?.key == key else { return nil }
            return Entry(file: file, status: status, record: record)
        }
    }

    /// Returns the record of an entry, or nil on a file system without attributes.
    static func record(of file: OpenFile) throws(FileSystemError) -> CacheRecord? {
        do throws(FileSystemError) {
            return try file.attribute(CacheRecord.attribute).flatMap { CacheRecord($0) }
        } catch {
            guard [.notSupported, .notSupportedOnSocket].contains(error.errno) else { throw error }
            return nil
        }
    }
}
