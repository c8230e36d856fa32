internal import CFileSystem
package import SystemPackage

/// The directory from which the relative paths of a run start.
package struct WorkingDirectory: Sendable {
    /// Nil for the working directory of the process.
    private let folder: Folder?

    private init(_ folder: Folder?) { self.folder = folder }

    /// The working directory of the process.
    package static let ofProcess = WorkingDirectory(nil)

    /// Opens a directory.
    ///
    /// - Parameter path: Its absolute path.
    /// - Throws: `FileSystemError` if it cannot be opened.
    package init(opening path: FilePath) throws(FileSystemError) { self.init(try Folder(opening: path)) }

    /// The descriptor for system calls that resolve a relative path.
    var descriptor: Int32 { folder?.descriptor ?? cfs_current_directory() }

    /// The absolute path. Empty if the process has no readable working directory.
    package var path: FilePath { folder?.path ?? Host.workingDirectory }

    /// The absolute path, unless the directory is that of the process, which programs inherit.
    package var ownPath: FilePath? { folder?.path }

    /// Returns the path for a library that resolves relative paths in the working directory of the process: unchanged if that
    /// is this directory, else absolute.
    package func resolved(_ path: FilePath) -> FilePath { folder == nil ? path : absolute(path) }

    /// Returns the path for such a library. An empty path stays empty.
    package func resolved(_ path: String) -> String {
        guard let folder, !path.hasPrefix("/"), !path.isEmpty else { return path }
        return folder.path.string + "/" + path
    }

    /// Returns the absolute path, with `.`, `..` and links as they are.
    package func absolute(_ path: FilePath) -> FilePath {
        path.isAbsolute ? path : self.path.appending(path.components)
    }
}
