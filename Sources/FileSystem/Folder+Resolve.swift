internal import CFileSystem
internal import SystemPackage

/// The method by which a path is resolved without leaving its folder.
package enum Resolution: Sendable, Hashable, CaseIterable {
    /// One call of openat2 with RESOLVE_BENEATH and RESOLVE_NO_MAGICLINKS.
    case kernel
    /// One call of openat with O_NOFOLLOW per component. Links are read and followed here, under the same rules.
    case walk

    /// The kernel's method if available. A sandbox may refuse openat2 with EPERM.
    static let preferred: Resolution = {
        let probe = cfs_open_beneath(cfs_current_directory(), ".", CFS_READ | CFS_AS_DIRECTORY, 0)
        if probe >= 0 { _ = cfs_close(probe) }
        return probe == -Errno.noFunction.rawValue || probe == -Errno.notPermitted.rawValue ? .walk : .kernel
    }()
}

extension Folder {
    /// Opens `path` beneath this folder and returns the descriptor or the negated errno.
    ///
    /// The error is `EXDEV` for `..` above the folder, an absolute path, and a link that is absolute or leads out. It is
    /// `ELOOP` or `EXDEV` for a link that is not allowed and for a magic link of procfs.
    func resolve(_ path: FilePath, _ how: Int32, permissions: UInt32 = 0) -> Int32 {
        switch resolution {
        case .kernel:
            (path.isEmpty ? "." : path).withPlatformString { calls.openBeneath(descriptor, $0, how, permissions) }
        case .walk:
            resolveByWalk(path, how, permissions)
        }
    }

    private func resolveByWalk(_ path: FilePath, _ how: Int32, _ permissions: UInt32) -> Int32 {
        guard !path.isAbsolute else { return -Errno.improperLink.rawValue }
        var pending = Array(path.components.reversed())
        var opened: [Int32] = []
        defer { for descriptor in opened { _ = calls.close(descriptor) } }
        var linksLeft = 40  // the kernel's limit
        while let component = pending.popLast() {
            let top = opened.last ?? descriptor
            switch component.kind {
            case .currentDirectory: continue
            case .parentDirectory:
                // The directory opened before, not ".." on disk: a rename may have moved the directory.
                guard let last = opened.popLast() else { return -Errno.improperLink.rawValue }
                _ = calls.close(last)
                continue
            case .regular: break
            }
            let isLast = pending.isEmpty
            let step = isLast ? how | CFS_NO_FOLLOW : CFS_READ | CFS_AS_DIRECTORY | CFS_NO_FOLLOW
            let result = component.withPlatformString { calls.open(top, $0, step, isLast ? permissions : 0) }
            if result >= 0 {
                if isLast { return result }
                opened.append(result)
                continue
            }
            // A link results in ELOOP, or in ENOTDIR if a directory is required.
            let isMaybeLink =
                result == -Errno.tooManySymbolicLinkLevels.rawValue || result == -Errno.notDirectory.rawValue
            guard isMaybeLink, let target = linkTarget(of: component, in: top) else { return result }
            linksLeft -= 1
            if linksLeft < 0 || how & CFS_NO_LINKS != 0 || (isLast && how & CFS_NO_FOLLOW != 0) {
                return -Errno.tooManySymbolicLinkLevels.rawValue
            }
            guard !target.isAbsolute else { return -Errno.improperLink.rawValue }
            pending.append(contentsOf: target.components.reversed())
        }
        // The path ended in "." or "..": the current directory.
        return calls.open(opened.last ?? descriptor, ".", how, 0)
    }

    private func linkTarget(of name: FilePath.Component, in directory: Int32) -> FilePath? {
        try? readLink(name.withPlatformString { FilePath(platformString: $0) }, in: directory)
    }
}
