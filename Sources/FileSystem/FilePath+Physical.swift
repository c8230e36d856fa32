internal import CFileSystem
package import SystemPackage

extension FilePath {
    /// Returns the absolute path without links, `.` and `..`. The file need not exist: a broken link is resolved to the
    /// path of its target. All paths of a file have the same physical path, except for hard links. A relative path starts
    /// in `directory`, which is absolute.
    package func physical(from directory: FilePath) -> FilePath {
        let slash = UInt8(ascii: "/")
        var pending = Array((isAbsolute ? bytes : directory.bytes + [slash] + bytes).split(separator: slash).reversed())
        var known: [UInt8] = []
        // The kernel's limit for links.
        var linksLeft = 40
        while let name = pending.popLast() {
            if name.elementsEqual(".".utf8) { continue }
            if name.elementsEqual("..".utf8) {
                known.removeSubrange((known.lastIndex(of: slash) ?? 0)...)
                continue
            }
            let next = known + [slash] + name
            let target = linksLeft > 0 ? FilePath(bytes: next).linkTarget : nil
            guard let target, let first = target.first else {
                known = next
                continue
            }
            linksLeft -= 1
            if first == slash { known = [] }
            pending += target.split(separator: slash).reversed()
        }
        return known.isEmpty ? "/" : FilePath(bytes: known)
    }

    /// The closest directory with `.git`, a directory or a file, at this absolute path or above it: the top of a git work
    /// tree. Nil without one, and for the root of the file system.
    package var workTree: FilePath? {
        var directory = self
        while !directory.components.isEmpty {
            if let folder = try? Folder(opening: directory), let found = try? folder.statusIfPresent(".git"),
                found.isFile || found.kind == .directory
            {
                return directory
            }
            directory.removeLastComponent()
        }
        return nil
    }

    /// The target of the link at this path. Nil if there is no link.
    private var linkTarget: [UInt8]? {
        withPlatformString { Folder.linkTarget(of: $0, in: cfs_current_directory()) }
    }
}
