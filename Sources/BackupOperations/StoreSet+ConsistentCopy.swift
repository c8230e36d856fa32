internal import BackupPlan
internal import DatabaseInspection
internal import FileSystem
internal import SystemPackage

extension DatabaseFiles {
    /// Copies one consistent state of a database: its files if no one writes to them, or the result of SQLite's online
    /// backup.
    ///
    /// - Parameters: + path: The main file, beneath `root`. + root: The directory of the container. + files: The files
    ///   that the copy may have. A database with others is written as one file, because without its journal or log the
    ///   main file may be inconsistent. + scratch: The directory for the copies.
    /// - Returns: Nil if no consistent state can be read.
    static func consistentCopy(
        of path: [UInt8], in root: Folder, having files: Set<DatabaseFile> = Set(DatabaseFile.allCases),
        copyingTo scratch: FilePath
    ) -> DatabaseFiles? {
        let (parent, name) = (FilePath(bytes: path).removingLastComponent(), PathOrder.depthAndName(of: path).name)
        guard let folder = try? parent.isEmpty ? root : root.openFolder(parent) else { return nil }
        let source = FolderDatabase(name, in: folder)
        do throws(DatabaseReadError) {
            let set = try DatabaseFiles(copying: source, in: scratch)
            return files.isSuperset(of: set.statuses.keys) ? set : try DatabaseFiles(folding: set, in: scratch)
        } catch { guard error.code == .changing else { return nil } }
        guard let directory = try? folder.absolutePath() else { return nil }
        return try? DatabaseFiles(
            backingUp: source, at: directory.appending(String(decoding: name, as: UTF8.self)).string, in: scratch)
    }
}
