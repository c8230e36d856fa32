package import FileSystem
internal import AppContainer
internal import MobileBackup
package import SystemPackage

/// The directory of a device backup: in place, or extracted from an archive.
package struct BackupDirectory {
    /// The directory that contains `Manifest.db`.
    package let folder: Folder
    /// The parts of the archive that were not extracted as they are, one sentence each.
    package let gaps: [String]
    /// Keeps the extracted files until they are no longer used.
    private let archive: ScratchArchive?

    /// Opens a directory, or extracts an archive and opens the only backup in it. Whether a directory is a backup is not
    /// checked.
    ///
    /// - Throws: `InputError` if the path cannot be read, or if an archive has no backup or several.
    package init(_ path: FilePath) throws(InputError) {
        if let folder = try InputReader.folder(at: path) {
            (self.folder, gaps, archive) = (folder, [], nil)
            return
        }
        let shown = path.string
        let archive = try ScratchArchive(path, shown: shown)
        (self.archive, gaps) = (archive, archive.gaps)
        let top = archive.scratch.folder
        if DeviceBackup.isBackup(top) {
            folder = top
            return
        }
        let backups = InputReader.backups(in: top)
        guard let only = backups.first else {
            throw InputError(
                "“\(shown)” contains no device backup",
                hint: "`sandboxbackup create` stores a container in an archive.")
        }
        guard backups.count == 1 else {
            let names = backups.prefix(10).map { "“\($0.path.string.printable)”" }.joined(separator: ", ")
            throw InputError(
                "“\(shown)” contains several device backups: \(names)\(backups.count > 10 ? ", …" : "")",
                hint: "Extract the archive, and name one of them.")
        }
        do throws(FileSystemError) { folder = try top.openFolder(only.path) } catch {
            throw InputError(ContainerError(reading: error))
        }
    }
}
