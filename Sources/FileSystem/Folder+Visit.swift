internal import CFileSystem
package import SystemPackage

extension Folder {
    /// One entry met on a visit.
    package struct Entry {
        /// The directory that holds it.
        package let folder: Folder
        /// Its name there.
        package let name: FilePath
        /// Its path from the folder that is visited.
        package let path: FilePath
        package let status: FileStatus

        /// Opens the entry itself; a link is not followed.
        package func open() throws(FileSystemError) -> OpenFile {
            do throws(FileSystemError) { return try folder.open(name, followingLinks: false) } catch {
                throw FileSystemError(error.operation, path, error.errno)
            }
        }

        /// Removes the entry and all that is in it.
        package func remove() throws(FileSystemError) {
            do throws(FileSystemError) { try folder.remove(name) } catch {
                throw FileSystemError(error.operation, path, error.errno)
            }
        }
    }

    /// Shows everything beneath the directory at `path`, sorted by bytes, a directory before what is in it; `body`
    /// says whether a directory is entered. Links are shown, not followed.
    ///
    /// What goes away meanwhile is passed over. One directory is open at a time, however deep the tree.
    package func visit(
        _ path: FilePath, _ body: (Entry) throws(FileSystemError) -> Bool
    ) throws(FileSystemError) {
        var pending = try entries(in: path, body)
        while let path = pending.popLast() {
            do throws(FileSystemError) { pending += try entries(in: path, body) } catch {
                guard error.errno == .noSuchFileOrDirectory, error.path == path else { throw error }
            }
        }
    }

    /// Shows what is in one directory and gives the directories that are to be entered, the last one first.
    private func entries(
        in path: FilePath, _ body: (Entry) throws(FileSystemError) -> Bool
    ) throws(FileSystemError) -> [FilePath] {
        let folder = try directory(path)
        var entered: [FilePath] = []
        for name in try folder.names() {
            guard let status = try folder.statusIfPresent(name) else { continue }
            let entry = Entry(folder: folder, name: name, path: path.appending(name.components), status: status)
            do throws(FileSystemError) {
                if try body(entry), status.kind == .directory { entered.append(entry.path) }
            } catch {
                // Gone since it was looked at, as the staging files of saves that run meanwhile are.
                guard error.errno == .noSuchFileOrDirectory, error.path == entry.path else { throw error }
            }
        }
        return entered.reversed()
    }

    /// Opens a directory beneath this one, on whose way no link may lie.
    private func directory(_ path: FilePath) throws(FileSystemError) -> Folder {
        let descriptor = resolve(path, CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY | CFS_NO_LINKS | CFS_NO_FOLLOW)
        try succeed(descriptor, "open the directory", path)
        return Folder(descriptor: descriptor, path: path, calls: calls, resolution: resolution)
    }
}
