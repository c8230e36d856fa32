internal import CFileSystem
package import SystemPackage

extension FilePath {
    /// Returns the absolute path without links, `.` and `..`, also of what does not exist yet: a link that leads to nothing
    /// is followed to where its target would be. Two paths of one file have one physical path, unless it has two names. A
    /// relative path starts in `directory`, which is absolute.
    package func physical(from directory: FilePath) -> FilePath {
        var pending = Array((isAbsolute ? self : directory.appending(components)).components.reversed())
        var known: FilePath = "/"
        // As many as the kernel follows.
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

    /// What the link at this path names; nil where there is no link.
    private var linkTarget: FilePath? {
        withPlatformString { Folder.linkTarget(of: $0, in: cfs_current_directory()) }.map { FilePath(bytes: $0) }
    }
}
