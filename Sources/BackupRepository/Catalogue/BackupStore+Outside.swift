package import FileSystem
package import SystemPackage
internal import TextOutput

extension BackupStore {
    /// Refuses a directory to write to that is the repository or lies in it: what is restored there would take the
    /// place of what the repository is made of, or be removed by `prune`.
    ///
    /// - Parameter path: A directory, which need not be there yet.
    /// - Throws: `misplaced`.
    package func requireOutside(_ path: FilePath) throws(BackupError) {
        var place = path
        var nearest = try? Folder(opening: place.isEmpty ? "." : place)
        while nearest == nil, !place.components.isEmpty {
            place.removeLastComponent()
            nearest = try? Folder(opening: place.isEmpty ? "." : place)
        }
        guard var above = try? nearest?.absolutePath() else { return }
        // By what the directories are, and not by their names: one may be mounted elsewhere as well.
        let own = [folder, objects].compactMap { (try? $0.status(""))?.identity }
        while true {
            if let identity = (try? Folder(opening: above).status(""))?.identity,
                own.contains(where: { $0 == identity })
            {
                throw BackupError(
                    .misplaced,
                    "“\(ByteText.escaped(path.bytes))” lies in the repository “\(ByteText.escaped(folder.path.bytes))”, "
                        + "which would be damaged; nothing was written",
                    hint: "name a directory outside the repository")
            }
            guard !above.components.isEmpty else { return }
            above.removeLastComponent()
        }
    }

    /// Whether a directory is the repository itself.
    package func isItself(_ status: FileStatus) -> Bool {
        guard let own = (try? folder.status(""))?.identity else { return false }
        return status.kind == .directory && status.identity == own
    }
}
