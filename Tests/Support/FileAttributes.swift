internal import Foundation

/// Sets the mode of a file, in octal digits.
public func setMode(_ octal: String, of path: String) throws {
    guard let mode = Int(octal, radix: 8) else { throw CocoaError(.featureUnsupported) }
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// Returns the mode of a file in octal digits.
public func mode(of path: String) throws -> String {
    String(try attribute(.posixPermissions, of: path), radix: 8)
}

/// Returns the inode of a file.
public func inode(of path: String) throws -> Int { try attribute(.systemFileNumber, of: path) }

/// Returns the device of a file.
public func device(of path: String) throws -> Int { try attribute(.systemNumber, of: path) }

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

private func attribute(_ key: FileAttributeKey, of path: String) throws -> Int {
    guard let number = try FileManager.default.attributesOfItem(atPath: path)[key] as? NSNumber else {
        throw CocoaError(.fileReadUnknown)
    }
    return number.intValue
}
