internal import BackupPlan
internal import ContainerStores
internal import FileSystem
internal import SystemPackage

extension StoreSet {
    /// Copies one consistent state of a database: its files if no one writes to them, or the result of SQLite's online
    /// backup.
    ///
    /// - Parameters: + path: The main file, beneath `root`. + root: The directory of the container. + files: The files
    ///   that the copy may have. A database with others is written as one file, because without its journal or log the
    ///   main file may be inconsistent. + scratch: The directory for the copies.
    /// - Returns: Nil if no consistent state can be read.
    static func consistentCopy(
        of path: [UInt8], in root: Folder, having files: Set<StoreFile> = Set(StoreFile.allCases),
        copyingTo scratch: FilePath
    ) -> StoreSet? {
        let (parent, name) = (FilePath(bytes: path).removingLastComponent(), PathOrder.depthAndName(of: path).name)
        guard let folder = try? parent.isEmpty ? root : root.folder(parent) else { return nil }
        let source = FolderStore(name, in: folder)
        do throws(StoreError) {
            let set = try StoreSet(copying: source, in: scratch)
            return files.isSuperset(of: set.statuses.keys) ? set : try StoreSet(folding: set, in: scratch)
        } catch { guard error.code == .changing else { return nil } }
        guard let directory = try? folder.absolutePath() else { return nil }
        return try? StoreSet(
            backingUp: source, at: directory.appending(String(decoding: name, as: UTF8.self)).string, in: scratch)
    }
}
