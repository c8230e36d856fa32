internal import AppContainer
internal import ExternalPrograms
internal import FileSystem
internal import MobileBackup
internal import SystemPackage
internal import TextOutput

/// Returns the password of an encrypted backup, by the name of the backup; nil without one. Called at most once for each
/// backup, and only if it is needed.
package typealias BackupPassword = (_ backup: String) throws -> String?

/// The reading of an input that is a path: a directory in place, an archive or a backup through an extraction.
struct InputReader {
    /// The input in messages.
    let shown: String
    /// The apps to take; empty for all.
    let bundleIdentifiers: [String]
    let bundle: AppContents?
    let password: BackupPassword

    /// Returns the containers of a path, with their labels.
    ///
    /// - Throws: `InputError` if no container is found, or if the path cannot be read.
    func containers(at path: FilePath) throws(InputError) -> ContainerSearch.Result {
        guard let folder = try Self.folder(at: path) else { return try archive(at: path) }
        return try containers(in: folder, at: path) { () throws(InputError) in
            var found = try ContainerSearch.containers(at: path, shown: shown)
            found.containers = Input.labelled(found)
            return found
        }
    }

    /// Opens a directory. Returns nil if the path is that of another file.
    static func folder(at path: FilePath) throws(InputError) -> Folder? {
        do throws(FileSystemError) { return try Folder(opening: path) } catch {
            guard error.errno == .notDirectory, (try? OpenFile(opening: path).status().kind) == .file else {
                throw InputError(ContainerError(reading: error))
            }
            return nil
        }
    }

    /// Returns the backups in a directory, or else the containers that `search` finds.
    private func containers(
        in folder: Folder, at path: FilePath, search: () throws(InputError) -> ContainerSearch.Result
    ) throws(InputError) -> ContainerSearch.Result {
        if DeviceBackup.isBackup(folder) { return try contents(of: [BackupInput(folder, of: self)]) }
        let failure: InputError
        do throws(InputError) {
            var found = try search()
            let backups = found.kind == .folder ? Self.backups(in: folder) : []
            if let first = backups.first {
                found.gaps.append(
                    "“\(shown)” also has \(Quantity.count(backups.count, "device backup")), such as "
                        + "“\(first.path.string.printable)”. Specify backups as separate inputs.")
            }
            return found
        } catch { failure = error }
        let backups = Self.backups(in: folder)
        guard !backups.isEmpty else { throw failure }
        var opened: [BackupInput] = []
        var gaps: [String] = []
        for backup in backups {
            do throws(InputError) {
                let one: Folder
                do throws(FileSystemError) { one = try folder.openFolder(backup.path) } catch {
                    throw InputError(ContainerError(reading: error))
                }
                opened.append(try BackupInput(one, at: backup.path, of: self))
            } catch {
                // A single backup is the input itself.
                guard backups.count > 1 else { throw error }
                gaps.append(error.description)
            }
        }
        var result = try contents(of: opened)
        result.gaps = gaps + result.gaps
        return result
    }

    static func backups(in folder: Folder) -> [DeviceBackup] { (try? DeviceBackup.backups(in: folder)) ?? [] }

    private func contents(of backups: [BackupInput]) throws(InputError) -> ContainerSearch.Result {
        var result = ContainerSearch.Result(kind: .backup, containers: [])
        for backup in backups { try backup.extract(into: &result) }
        result.containers = Input.labelled(result)
        guard !result.containers.isEmpty || !result.others.isEmpty else {
            throw InputError(
                "“\(shown)” is a device backup without apps",
                hint: "The backup of a device contains the apps that are installed.")
        }
        return result
    }

    /// Extracts an archive into a private directory, and returns the containers or backups in it.
    private func archive(at path: FilePath) throws(InputError) -> ContainerSearch.Result {
        let archive = try ScratchArchive(path, shown: shown)
        let scratch = archive.scratch
        var found = try containers(in: scratch.folder, at: scratch.path) { () throws(InputError) in
            var found = try ContainerSearch.containers(
                in: scratch, shown: shown, keepsAttributes: archive.carriesAttributes)
            found.containers = Input.labelled(found)
            return found
        }
        if found.kind != .backup { found.kind = .archive }
        found.gaps += archive.gaps
        return found
    }
}
