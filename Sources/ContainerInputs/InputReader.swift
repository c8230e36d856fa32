internal import AppContainer
internal import FileSystem
internal import MobileBackup
internal import SystemPackage
internal import TextOutput

/// Returns the password of an encrypted backup, by the name of the backup; nil without one. Called at most once for each
/// backup, and only if it is needed.
package typealias BackupPassword = (_ backup: String) throws -> String?

/// The reading of an input that is a path: a directory in place, an archive or a backup through an extraction.
struct InputReader {
    /// The directory of an input.
    struct Content {
        let folder: Folder
        let path: FilePath
        /// The archive that was extracted into the directory; nil for a directory in place.
        let archive: ScratchArchive?
    }

    /// The input in messages.
    let shown: String
    /// The apps to take; empty for all.
    var bundleIdentifiers: [String] = []
    var bundle: AppContents?
    /// The reason for which only directories in place are taken. See `Input.init`.
    var inPlaceReason: String?
    /// True if one container is taken, without the groups and extensions of its app.
    var isSingle = false
    var password: BackupPassword = { _ in nil }

    /// Returns the containers of a path, with their labels.
    ///
    /// - Throws: `InputError` if no container is found, or if the path cannot be read.
    func containers(at path: FilePath) throws(InputError) -> ContainerSearch.Result {
        let content = try content(of: path)
        var found = try containers(in: content)
        if let archive = content.archive {
            if found.kind != .backup { found.kind = .archive }
            found.notes += archive.notes
            found.gaps += archive.gaps
        }
        return found
    }

    /// Opens a directory, or extracts an archive into a private directory.
    func content(of path: FilePath) throws(InputError) -> Content {
        if let folder = try Self.folder(at: path) { return Content(folder: folder, path: path, archive: nil) }
        try requirePlace("not a directory")
        let archive = try ScratchArchive(path, shown: shown)
        return Content(folder: archive.scratch.folder, path: archive.scratch.path, archive: archive)
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

    /// Throws `notInPlace` if only directories in place are taken. `form` is what the input is instead, after “is”.
    func requirePlace(_ form: String) throws(InputError) {
        guard let inPlaceReason else { return }
        throw InputError(
            "\(inPlaceReason), and “\(shown)” is \(form)",
            hint: "Extract the container, and specify its directory.", code: .notInPlace)
    }

    /// Returns the backups in a directory, or else the containers in it.
    private func containers(in content: Content) throws(InputError) -> ContainerSearch.Result {
        let folder = content.folder
        if DeviceBackup.isBackup(folder) { return try contents(ofBackups: [""], in: folder) }
        let failure: InputError
        do throws(InputError) {
            var found = try search(content)
            let backups = found.kind == .folder ? Self.backups(in: folder) : []
            if let first = backups.first {
                found.gaps.append(
                    "“\(shown)” also has \(Quantity.count(backups.count, "device backup")), such as "
                        + "“\(first.string.printable)”. Specify backups as separate inputs.")
            }
            return found
        } catch { failure = error }
        let backups = Self.backups(in: folder)
        guard !backups.isEmpty else { throw failure }
        return try contents(ofBackups: backups, in: folder)
    }

    private func search(_ content: Content) throws(InputError) -> ContainerSearch.Result {
        var found: ContainerSearch.Result
        if let archive = content.archive {
            found = try ContainerSearch.containers(
                in: archive.scratch, shown: shown, keepsAttributes: archive.carriesAttributes,
                bundleIdentifiers: bundleIdentifiers)
        } else {
            found = try ContainerSearch.containers(
                at: content.path, shown: shown, bundleIdentifiers: bundleIdentifiers)
        }
        found.containers = Input.labelled(found)
        return found
    }

    // MARK: - Backups

    /// Returns the directories of the backups in a directory, relative to it: the directory itself (an empty path), or those
    /// below it.
    static func backups(in folder: Folder) -> [FilePath] {
        DeviceBackup.isBackup(folder) ? [""] : ((try? DeviceBackup.backups(in: folder)) ?? []).map(\.path)
    }

    /// Opens the directory of a backup.
    static func folder(ofBackup path: FilePath, in folder: Folder) throws(InputError) -> Folder {
        do throws(FileSystemError) { return try path.isEmpty ? folder : folder.openFolder(path) } catch {
            throw InputError(ContainerError(reading: error))
        }
    }

    private func contents(
        ofBackups paths: [FilePath], in folder: Folder
    ) throws(InputError) -> ContainerSearch.Result {
        try requirePlace("a device backup")
        var result = ContainerSearch.Result(kind: .backup, containers: [])
        var backups: [(backup: BackupInput, parts: [BackupInput.Part])] = []
        for path in paths {
            do throws(InputError) {
                let backup = try BackupInput(Self.folder(ofBackup: path, in: folder), at: path, of: self)
                backups.append((backup, try backup.parts()))
            } catch {
                // A single backup is the input itself.
                guard paths.count > 1 else { throw error }
                result.gaps.append(error.description)
            }
        }
        // Nothing is extracted if the selection is ambiguous.
        let selected: [String?] = backups.flatMap { one in
            one.parts.filter(one.backup.isSelected).map { $0.identifier }
        }
        if isSingle, selected.count > 1 { throw Input.several(selected, in: shown) }
        for (backup, parts) in backups { try backup.extract(parts, into: &result) }
        result.containers = Input.labelled(result)
        guard !result.containers.isEmpty || !result.others.isEmpty else {
            throw InputError(
                "“\(shown)” is a device backup without apps",
                hint: "The backup of a device contains the apps that are installed.")
        }
        return result
    }
}
