internal import Foundation

/// Sets the mode of a file, in octal digits.
public func setMode(_ octal: String, of path: String) throws {
    guard let mode = Int(octal, radix: 8) else { throw CocoaError(.featureUnsupported) }
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// Returns the mode of an item in octal digits. A link is not followed.
public func mode(of path: String) throws -> String { String(try status(of: path).st_mode & 0o7777, radix: 8) }

/// Returns the modification time of an item in whole seconds. A link is not followed.
public func modified(of path: String) throws -> Int {
    guard let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date else {
        throw CocoaError(.fileReadUnknown)
    }
    return Int(date.timeIntervalSince1970.rounded(.down))
}

/// Returns the kind of an item as `find` prints it: f for a file, d, l, p, s, c, b. A link is not followed.
public func kind(of path: String) throws -> String {
    switch try status(of: path).st_mode & S_IFMT {
    case S_IFREG: "f"
    case S_IFDIR: "d"
    case S_IFLNK: "l"
    case S_IFIFO: "p"
    case S_IFSOCK: "s"
    case S_IFCHR: "c"
    default: "b"
    }
}

/// Returns the size of an item in bytes. A link is not followed.
public func fileSize(of path: String) throws -> Int { Int(try status(of: path).st_size) }

/// Returns the bytes that an item occupies on disk.
public func allocatedSize(of path: String) throws -> Int { Int(try status(of: path).st_blocks) * 512 }

/// Returns the number of names of an item.
public func linkCount(of path: String) throws -> Int { Int(try status(of: path).st_nlink) }

/// Returns the owner of an item. A link is not followed.
public func owner(of path: String) throws -> (user: UInt32, group: UInt32) {
    let found = try status(of: path)
    return (found.st_uid, found.st_gid)
}

/// Returns the inode of a file.
public func inode(of path: String) throws -> Int { Int(try status(of: path).st_ino) }

/// Returns the device of a file.
public func device(of path: String) throws -> Int { Int(try status(of: path).st_dev) }

/// Returns the path of a new item on another file system than that of an item: in memory, or on a disk if the item is in
/// memory. Nil if both are one file system.
public func newPathOnAnotherFileSystem(than path: String) throws -> String? {
    let own = try device(of: path)
    let folder = try ["/dev/shm", "/var/tmp"].first { try device(of: $0) != own }
    return folder.map { "\($0)/sandboxlint-\(UUID().uuidString)" }
}

/// Returns the sorted names in a directory, including hidden ones.
public func names(in directory: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
}

/// Creates a named pipe.
public func createPipe(_ path: String) throws {
    guard mkfifo(path, 0o600) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// Creates a socket that nobody listens on. Linux only.
package func createSocket(_ path: String) throws {
    guard mknod(path, S_IFSOCK | 0o600, 0) == 0 else { throw CallFailure("create the socket", path) }
}

private func status(of path: String) throws -> stat {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw CallFailure("examine", path) }
    return status
}
