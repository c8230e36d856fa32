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
    func resolve(_ path: FilePath, how: Int32, permissions: UInt32 = 0) -> Int32 {
        guard resolution == .kernel, path.length < Self.longestPath else {
            return resolve(path.bytes, how: how, permissions: permissions)
        }
        return (path.isEmpty ? "." : path).withPlatformString {
            calls.openBeneath(descriptor, $0, how, permissions)
        }
    }

    /// Opens a path of any length.
    func resolve(_ path: [UInt8], how: Int32, permissions: UInt32 = 0) -> Int32 {
        switch resolution {
        case .kernel where path.count >= Self.longestPath: resolveInPieces(path, how: how, permissions: permissions)
        case .kernel:
            calls.openBeneath(descriptor, Self.cString(path.isEmpty ? [UInt8(ascii: ".")] : path), how, permissions)
        case .walk: resolveByWalk(path, how: how, permissions: permissions)
        }
    }

    /// The size of the longest path that the kernel takes, with its end (PATH_MAX).
    private static let longestPath = 4_096

    /// Opens a path that is too long for the kernel in pieces, each beneath the one before.
    private func resolveInPieces(_ path: [UInt8], how: Int32, permissions: UInt32) -> Int32 {
        let names = path.split(separator: Self.slash)
        // A walk keeps a descriptor for each directory, and so finds the parent of each.
        if path.first == Self.slash || names.contains(where: { $0.elementsEqual("..".utf8) }) {
            return resolveByWalk(path, how: how, permissions: permissions)
        }
        var (top, piece) = (descriptor, [UInt8]())
        defer { if top != descriptor { _ = calls.close(top) } }
        for name in names {
            if piece.count + name.count + 2 > Self.longestPath {
                let next = calls.openBeneath(
                    top, Self.cString(piece), CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY | (how & CFS_NO_LINKS), 0)
                guard next >= 0 else { return next }
                if top != descriptor { _ = calls.close(top) }
                (top, piece) = (next, [])
            }
            piece += (piece.isEmpty ? [] : [Self.slash]) + name
        }
        return calls.openBeneath(top, Self.cString(piece), how, permissions)
    }

    private func resolveByWalk(_ path: [UInt8], how: Int32, permissions: UInt32) -> Int32 {
        guard path.first != Self.slash else { return -Errno.improperLink.rawValue }
        var pending = Array(path.split(separator: Self.slash).reversed())
        var opened: [Int32] = []
        defer { for descriptor in opened { _ = calls.close(descriptor) } }
        var linksLeft = 40  // the kernel's limit
        while let name = pending.popLast() {
            let top = opened.last ?? descriptor
            if name.elementsEqual(".".utf8) { continue }
            if name.elementsEqual("..".utf8) {
                // The directory opened before, not ".." on disk: a rename may have moved the directory.
                guard let last = opened.popLast() else { return -Errno.improperLink.rawValue }
                _ = calls.close(last)
                continue
            }
            let isLast = pending.isEmpty
            let step = isLast ? how | CFS_NO_FOLLOW : CFS_READ | CFS_AS_DIRECTORY | CFS_NO_FOLLOW
            let text = Self.cString(name)
            let result = calls.open(top, text, step, isLast ? permissions : 0)
            if result >= 0 {
                if isLast { return result }
                opened.append(result)
                continue
            }
            // A link results in ELOOP, or in ENOTDIR if a directory is required.
            let isMaybeLink =
                result == -Errno.tooManySymbolicLinkLevels.rawValue || result == -Errno.notDirectory.rawValue
            guard isMaybeLink, let target = Self.linkTarget(of: text, in: top, calls: calls) else { return result }
            linksLeft -= 1
            if linksLeft < 0 || how & CFS_NO_LINKS != 0 || (isLast && how & CFS_NO_FOLLOW != 0) {
                return -Errno.tooManySymbolicLinkLevels.rawValue
            }
            guard target.first != Self.slash else { return -Errno.improperLink.rawValue }
            pending.append(contentsOf: target.split(separator: Self.slash).reversed())
        }
        // The path ended in "." or "..": the current directory.
        return calls.open(opened.last ?? descriptor, ".", how, 0)
    }

    private static let slash = UInt8(ascii: "/")

    private static func cString(_ bytes: some Sequence<UInt8>) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
}
