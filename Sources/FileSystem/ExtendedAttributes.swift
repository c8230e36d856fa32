internal import CFileSystem
package import SystemPackage

/// A person's extended attributes of files and directories, under the names that Apple's systems use.
///
/// Linux keeps them in its `user.` namespace; that prefix is put on and taken off here and is seen nowhere
/// else. Attributes of other namespaces (access lists, security labels) are the kernel's and not listed.
package enum ExtendedAttributes {
    /// The kernel gives a list of names no longer than this (XATTR_LIST_MAX).
    package static let maximumListSize = 65_536
    /// The kernel takes a value no longer than this (XATTR_SIZE_MAX).
    package static let maximumValueSize = 65_536

    static let prefix = [UInt8](String(cString: cfs_attribute_prefix).utf8)

    /// The names in a kernel's NUL-separated list, without the namespace; others' namespaces left out.
    package static func names(in list: UnsafeRawBufferPointer) -> [String] {
        list.split(separator: 0).compactMap { spelled in
            spelled.starts(with: prefix) ? String(decoding: spelled.dropFirst(prefix.count), as: UTF8.self) : nil
        }
    }

    /// The attributes of an open file or directory, in the kernel's order.
    package static func list(
        of descriptor: Int32, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> [String] {
        try list(in: descriptor, entry: "", path: path, calls: calls)
    }

    /// The attributes of a directory's entry; a link is not followed.
    package static func list(
        in directory: Int32, entry: UnsafePointer<CChar>, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> [String] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: maximumListSize) { buffer, count in
            let size = buffer.withMemoryRebound(to: CChar.self) {
                calls.listAttributes(directory, entry, $0.baseAddress, $0.count)
            }
            failure = Int32(min(0, size))
            count = max(0, size)
        }
        try succeed(failure, "list the attributes of", path)
        return bytes.withUnsafeBytes { names(in: $0) }
    }

    /// The value of one attribute, which may be empty, or nil where there is none of that name.
    package static func read(
        _ name: String, of descriptor: Int32, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> [UInt8]? {
        try read(name, in: descriptor, entry: "", path: path, calls: calls)
    }

    /// The same for a directory's entry; a link is not followed.
    package static func read(
        _ name: String, in directory: Int32, entry: UnsafePointer<CChar>, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> [UInt8]? {
        let spelled = String(decoding: prefix, as: UTF8.self) + name
        // The kernel allocates as much as it is offered; few values need more than this.
        var (value, failure) = read(spelled, in: directory, entry: entry, atMost: 256, calls)
        if failure == -Errno.outOfRange.rawValue {
            (value, failure) = read(spelled, in: directory, entry: entry, atMost: maximumValueSize, calls)
        }
        if failure == -Errno.noData.rawValue { return nil }
        try succeed(failure, "read an attribute of", path)
        return value
    }

    private static func read(
        _ spelled: String, in directory: Int32, entry: UnsafePointer<CChar>, atMost size: Int, _ calls: Syscalls
    ) -> ([UInt8], Int32) {
        var failure: Int32 = 0
        let value = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let result = calls.readAttribute(directory, entry, spelled, buffer.baseAddress, size)
            failure = Int32(min(0, result))
            count = max(0, result)
        }
        return (value, failure)
    }

    /// Sets one attribute, new or there already. An empty value is a value.
    package static func write(
        _ name: String, _ value: [UInt8], to descriptor: Int32, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) {
        try write(name, value, in: descriptor, entry: "", path: path, calls: calls)
    }

    /// The same for a directory's entry; a link is not followed.
    package static func write(
        _ name: String, _ value: [UInt8], in directory: Int32, entry: UnsafePointer<CChar>, path: FilePath,
        calls: Syscalls = .live
    ) throws(FileSystemError) {
        let spelled = String(decoding: prefix, as: UTF8.self) + name
        let result = value.withUnsafeBytes {
            calls.writeAttribute(directory, entry, spelled, $0.baseAddress, $0.count)
        }
        try succeed(result, "write an attribute of", path)
    }

    /// Takes one attribute away; false where there was none of that name.
    @discardableResult
    package static func remove(
        _ name: String, of descriptor: Int32, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> Bool {
        try remove(name, in: descriptor, entry: "", path: path, calls: calls)
    }

    /// The same for a directory's entry; a link is not followed.
    @discardableResult
    package static func remove(
        _ name: String, in directory: Int32, entry: UnsafePointer<CChar>, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> Bool {
        let spelled = String(decoding: prefix, as: UTF8.self) + name
        let result = calls.removeAttribute(directory, entry, spelled)
        if result == -Errno.noData.rawValue { return false }
        try succeed(result, "remove an attribute of", path)
        return true
    }
}
