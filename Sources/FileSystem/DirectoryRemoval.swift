package import SystemPackage

/// Removes a directory when it is deallocated.
package final class DirectoryRemoval: Sendable {
    private let path: FilePath

    package init(_ path: FilePath) { self.path = path }

    deinit {
        guard let (parent, name) = path.split, let folder = try? Folder(opening: parent) else { return }
        try? folder.remove(name)
    }
}
