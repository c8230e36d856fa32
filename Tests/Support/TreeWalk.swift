internal import CFileSystem
package import Foundation

/// A failed system call of a test.
struct CallFailure: Error, CustomStringConvertible {
    let description: String

    init(_ operation: String, _ path: String, _ code: Int32 = errno) {
        description = "cannot \(operation) “\(path)”: \(String(cString: strerror(code)))"
    }
}

/// An item of a tree, with the open directory that contains it.
struct TreeItem {
    /// The path relative to the tree. That of the root is empty.
    let path: [UInt8]
    let status: cfs_status
    let directory: Int32
    /// The name in the directory, with a NUL at its end.
    let name: [CChar]

    /// The path as text.
    var text: String { String(decoding: path, as: UTF8.self) }

    /// Reads the target of a link, with a NUL at its end.
    func target() throws -> [CChar] {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard readlinkat(directory, name, &target, target.count - 1) >= 0 else {
            throw CallFailure("read the link", text)
        }
        return target
    }

    /// Reads the content of a file in pieces.
    func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let descriptor = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw CallFailure("open", text) }
        defer { close(descriptor) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            guard count >= 0 else { throw CallFailure("read", text) }
            if count == 0 { return }
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}

/// Visits the items of a tree, which may be a single file, with plain system calls: each directory before its content, sorted
/// by the bytes of the names. Links are not followed. Paths may be longer than the kernel's limit. Access times change, as
/// with other programs.
///
/// Skips items that disappear during the visit, and the content of directories that this user may not read.
func visitTree(_ root: URL, _ body: (TreeItem) throws -> Void) throws {
    guard let path = realpath(root.path, nil) else { throw CallFailure("find", root.path) }
    defer { free(path) }
    let target = URL(fileURLWithPath: String(cString: path))
    let parent = target.deletingLastPathComponent().path
    let directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw CallFailure("open", parent) }
    defer { close(directory) }
    try visit([], named: Array(target.lastPathComponent.utf8CString), in: directory, body)
}

/// Returns the number of items of a tree that are no directories.
package func fileCount(beneath folder: URL) throws -> Int {
    var count = 0
    try visitTree(folder) { if $0.status.kind != UInt8(CFS_DIRECTORY) { count += 1 } }
    return count
}

/// Returns the size of all files of a tree, in bytes.
package func contentSize(beneath folder: URL) throws -> Int {
    var size: UInt64 = 0
    try visitTree(folder) { if $0.status.kind == UInt8(CFS_FILE) { size += $0.status.size } }
    return Int(size)
}

/// Returns the paths of the items beneath a directory as bytes, each with an ending for its kind.
package func itemPaths(
    beneath folder: URL, ending: (_ isDirectory: Bool) -> String = { _ in "" }
) throws -> [[UInt8]] {
    var paths: [[UInt8]] = []
    try visitTree(folder) { item in
        if !item.path.isEmpty { paths.append(item.path + ending(item.status.kind == UInt8(CFS_DIRECTORY)).utf8) }
    }
    return paths
}

/// Returns the bytes that a tree occupies on disk.
package func allocatedSize(beneath folder: URL) throws -> Int {
    var sizes: [UInt64: UInt64] = [:]
    try visitTree(folder) { sizes[$0.status.inode] = $0.status.allocated }
    return Int(sizes.values.reduce(0, +))
}

private func visit(
    _ path: [UInt8], named name: [CChar], in directory: Int32, _ body: (TreeItem) throws -> Void
) throws {
    var status = cfs_status()
    let failure = cfs_status_at(directory, name, &status)
    let text = String(decoding: path, as: UTF8.self)
    guard failure != -ENOENT else { return }
    guard failure == 0 else { throw CallFailure("examine", text, -failure) }
    try body(TreeItem(path: path, status: status, directory: directory, name: name))
    guard status.kind == UInt8(CFS_DIRECTORY) else { return }
    let opened = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else {
        if [EACCES, ENOENT].contains(errno) { return }
        throw CallFailure("open", text)
    }
    guard let list = fdopendir(opened) else {
        close(opened)
        throw CallFailure("list", text)
    }
    defer { closedir(list) }
    var names: [[CChar]] = []
    while let entry = readdir(list) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) }
        if name != [46], name != [46, 46] { names.append(name) }
    }
    names.sort { $0.lazy.map(UInt8.init(bitPattern:)).lexicographicallyPrecedes($1.lazy.map(UInt8.init(bitPattern:))) }
    for name in names {
        let below = (path.isEmpty ? [] : path + [UInt8(ascii: "/")]) + name.map(UInt8.init(bitPattern:))
        try visit(below, named: name + [0], in: opened, body)
    }
}
