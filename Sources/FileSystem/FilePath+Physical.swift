internal import CFileSystem
package import SystemPackage

extension FilePath {
    /// Returns the absolute path without links, `.` and `..`. The file need not exist: a broken link is resolved to the
    /// path of its target. All paths of a file have the same physical path, except for hard links. A relative path starts
    /// in `directory`, which is absolute.
    package func physical(from directory: FilePath) -> FilePath {
        var pending = Array((isAbsolute ? self : directory.appending(components)).components.reversed())
        var known: FilePath = "/"
        // The kernel's limit for links.
        var linksLeft = 40
        while let component = pending.popLast() {
            switch component.kind {
            case .currentDirectory: continue
            case .parentDirectory: known.removeLastComponent()
            case .regular:
                let next = known.appending(component)
                let target = linksLeft > 0 ? next.linkTarget : nil
                guard let target, !target.isEmpty else {
                    known = next
                    continue
                }
                linksLeft -= 1
                if target.isAbsolute { known = "/" }
                pending += target.components.reversed()
            }
        }
        return known
    }

    /// The target of the link at this path. Nil if there is no link.
    private var linkTarget: FilePath? {
        withPlatformString { Folder.linkTarget(of: $0, in: cfs_current_directory()) }.map { FilePath(bytes: $0) }
    }
}
