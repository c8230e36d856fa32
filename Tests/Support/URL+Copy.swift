internal import CFileSystem
package import Foundation

extension URL {
    /// Copies a file or a tree beneath this directory with modes, times and attributes, as `cp -a` does. The owner of the copy
    /// is the user, several names of a file become several files, and holes are filled.
    package func copyAll(_ path: String, to new: String) throws {
        let (source, target) = (URL(fileURLWithPath: absolute(path)), Array(absolute(new).utf8))
        var copies: [(path: [CChar], status: cfs_status)] = []
        try visitTree(source) { item in
            let bytes = target + (item.path.isEmpty ? [] : [UInt8(ascii: "/")] + item.path) + [0]
            let path = bytes.map(CChar.init(bitPattern:))
            try copy(item, to: path)
            copies.append((path, item.status))
        }
        // The content of a directory changes its time.
        for (path, status) in copies.reversed() {
            let (accessed, modified) = (status.accessed, status.modified)
            let times = [accessed, modified].map { timespec(tv_sec: Int($0.seconds), tv_nsec: Int($0.nanoseconds)) }
            let isLink = status.kind == UInt8(CFS_SYMBOLIC_LINK)
            guard isLink || chmod(path, mode_t(status.permissions)) == 0,
                utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0
            else { throw CallFailure("copy the properties to", new) }
        }
    }

    private func copy(_ item: TreeItem, to path: [CChar]) throws {
        switch item.status.kind {
        case UInt8(CFS_SYMBOLIC_LINK):
            guard symlink(try item.target(), path) == 0 else { throw CallFailure("create the link", item.text) }
            return
        case UInt8(CFS_DIRECTORY):
            guard mkdir(path, 0o700) == 0 else { throw CallFailure("create the directory", item.text) }
        case UInt8(CFS_FILE):
            let created = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard created >= 0 else { throw CallFailure("create", item.text) }
            let file = FileHandle(fileDescriptor: created, closeOnDealloc: true)
            try item.read { try file.write(contentsOf: Data($0)) }
        default: throw CallFailure("copy", item.text, ENOTSUP)
        }
        let copy = open(path, O_RDONLY | O_CLOEXEC)
        guard copy >= 0 else { throw CallFailure("open", item.text) }
        defer { close(copy) }
        for (name, value) in try AttributeTool.attributes(in: item.directory, entry: item.name, path: item.text) {
            try AttributeTool.write(name, value, in: copy, entry: "", path: item.text)
        }
    }
}
