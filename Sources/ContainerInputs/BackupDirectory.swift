internal import FileSystem
package import MobileBackup
package import SystemPackage

/// The directory of a device backup: in place, or extracted from an archive.
package struct BackupDirectory {
    /// The directory that contains `Manifest.db`.
    private let folder: Folder
    /// The input in messages.
    private let shown: String
    /// Keeps the extracted files until they are no longer used.
    private let archive: ScratchArchive?
    /// The parts of the archive that were not extracted as they are, one sentence each.
    package var gaps: [String] { archive?.gaps ?? [] }

    /// Opens a directory, or extracts an archive, and finds the only backup in it. A directory without a backup is accepted:
    /// it may be a part of one, which `backup` reports.
    ///
    /// - Throws: `InputError` if the path cannot be read, if it has several backups, or if it has none but a container.
    package init(_ path: FilePath) throws(InputError) {
        shown = path.string
        let content = try InputReader(shown: shown).content(of: path)
        archive = content.archive
        let backups = InputReader.backups(in: content.folder)
        guard backups.count < 2 else {
            let names = backups.prefix(10).map { "“\($0.string.printable)”" }.joined(separator: ", ")
            throw InputError(
                "“\(shown)” contains several device backups: \(names)\(backups.count > 10 ? ", …" : "")",
                hint: archive == nil ? "Name one of them." : "Extract the archive, and name one of them.")
        }
        if let only = backups.first {
            folder = try InputReader.folder(ofBackup: only, in: content.folder)
            return
        }
        folder = content.folder
        let hasContainer = (try? ContainerSearch.containers(at: content.path, shown: shown)) != nil
        guard hasContainer || archive != nil else { return }
        throw InputError(
            "“\(shown)” contains no device backup\(hasContainer ? ", but an app container" : "")",
            hint: hasContainer
                ? "`sandboxbackup create` stores it." : "A device backup is a directory with Manifest.db.")
    }

    /// Opens the backup, which is valid as long as this value exists.
    ///
    /// - Parameters:
    ///   - allowsPartial: True to open an incomplete copy.
    ///   - password: Returns the password of an encrypted backup, by its name; nil without one.
    /// - Returns: The backup.
    /// - Throws: `InputError` if the backup cannot be read, or if its password is missing or wrong.
    package func backup(allowsPartial: Bool, password: BackupPassword) throws(InputError) -> MobileBackup {
        try BackupInput.open(folder, shown: shown, allowsPartial: allowsPartial, password: password)
    }
}
