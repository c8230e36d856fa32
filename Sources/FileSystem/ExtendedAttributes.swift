internal import CFileSystem
package import SystemPackage

/// The user's extended attributes of files and directories, under the names that Apple's systems use.
///
/// Linux stores them in the namespace `user.`. The prefix is added and removed here and appears nowhere else. Attributes
/// of other namespaces (access lists, security labels) belong to the kernel and are not listed.
package enum ExtendedAttributes {
    /// The maximum size of a list of names (XATTR_LIST_MAX).
    package static let maximumListSize = 65_536
    /// The maximum size of a value that is read, in bytes. Linux stores at most 65,536 (XATTR_SIZE_MAX); on Darwin, the
    /// resource fork of a file may have several MiB.
    package static let maximumValueSize = 64 << 20

    static let prefix = [UInt8](String(cString: cfs_attribute_prefix).utf8)

    /// Returns the names of a NUL-separated list of the kernel, without the namespace prefix. Skips other namespaces.
    package static func names(in list: UnsafeRawBufferPointer) -> [String] {
        list.split(separator: 0).compactMap { spelled in
            spelled.starts(with: prefix) ? String(decoding: spelled.dropFirst(prefix.count), as: UTF8.self) : nil
        }
    }

    /// Returns true if a NUL-separated list of the kernel contains an access control list, which Linux stores as an attribute.
    static func containsAccessList(_ list: UnsafeRawBufferPointer) -> Bool {
        list.split(separator: 0).contains { $0.starts(with: "system.posix_acl_".utf8) }
    }

    /// Returns the attribute names of an open file or directory, in the kernel's order.
    package static func list(
        of descriptor: Int32, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> [String] {
        try list(in: descriptor, entry: "", path: path, calls: calls)
    }

    /// Returns the attribute names of a directory entry. Does not follow a link.
    package static func list(
        in directory: Int32, entry: UnsafePointer<CChar>, path: @autoclosure () -> FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> [String] {
        try list(in: directory, entry: entry, path: path(), call: calls.listAttributes)
    }

    static func list(
        in directory: Int32, entry: UnsafePointer<CChar>, path: @autoclosure () -> FilePath, call: ListCall
    ) throws(FileSystemError) -> [String] {
        // The kernel allocates a buffer of the size that is passed, and few lists need more than this.
        var (found, size) = list(in: directory, entry: entry, atMost: 512, call: call)
        if size == -Int(Errno.outOfRange.rawValue) {
            (found, size) = list(in: directory, entry: entry, atMost: maximumListSize, call: call)
        }
        try succeed(Int32(min(0, size)), operation: "list the attributes of", path())
        return found
    }

    typealias ListCall = (Int32, UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, Int) -> Int

    /// Returns the names, and the size of their list or a negative error.
    private static func list(
        in directory: Int32, entry: UnsafePointer<CChar>, atMost count: Int, call: ListCall
    ) -> ([String], Int) {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: count) { buffer in
            let size = call(directory, entry, buffer.baseAddress, count)
            return (
                size > 0 ? names(in: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<size])) : [],
                size
            )
        }
    }

    /// Returns the value of an attribute, which may be empty, or nil if there is no such attribute.
    ///
    /// - Throws: `fileTooLarge` for a value of more than `maximumValueSize` bytes.
    package static func read(
        _ name: String, of descriptor: Int32, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> [UInt8]? {
        try read(name, in: descriptor, entry: "", path: path, calls: calls)
    }

    /// Returns the value of an attribute of a directory entry. Does not follow a link.
    package static func read(
        _ name: String, in directory: Int32, entry: UnsafePointer<CChar>, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> [UInt8]? {
        let spelled = String(decoding: prefix, as: UTF8.self) + name
        // The kernel allocates a buffer of the size that is passed, and few values need more than this.
        var (value, failure) = read(spelled, in: directory, entry: entry, atMost: 256, calls: calls)
        // A value that grows between the two calls is read again.
        for _ in 0..<4 where failure == -Errno.outOfRange.rawValue {
            let size = calls.readAttribute(directory, entry, spelled, nil, 0)
            guard size <= maximumValueSize else {
                throw FileSystemError("read an attribute of", path: path, errno: .fileTooLarge)
            }
            guard size >= 0 else {
                failure = Int32(size)
                break
            }
            guard cfs_can_allocate(size) else {
                throw FileSystemError("read an attribute of", path: path, errno: .noMemory)
            }
            // A count of 0 would only return the size.
            (value, failure) = read(spelled, in: directory, entry: entry, atMost: max(1, size), calls: calls)
        }
        if failure == -Errno.noData.rawValue { return nil }
        try succeed(failure, operation: "read an attribute of", path)
        return value
    }

    private static func read(
        _ spelled: String, in directory: Int32, entry: UnsafePointer<CChar>, atMost size: Int, calls: Syscalls
    ) -> ([UInt8], Int32) {
        var failure: Int32 = 0
        let value = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let result = calls.readAttribute(directory, entry, spelled, buffer.baseAddress, size)
            failure = Int32(min(0, result))
            count = max(0, result)
        }
        return (value, failure)
    }

    /// Sets an attribute. An empty value is allowed.
    package static func write(
        _ name: String, value: [UInt8], to descriptor: Int32, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) {
        try write(name, value: value, in: descriptor, entry: "", path: path, calls: calls)
    }

    /// Sets an attribute of a directory entry. Does not follow a link.
    package static func write(
        _ name: String, value: [UInt8], in directory: Int32, entry: UnsafePointer<CChar>, path: FilePath,
        calls: Syscalls = .live
    ) throws(FileSystemError) {
        let spelled = String(decoding: prefix, as: UTF8.self) + name
        let result = value.withUnsafeBytes {
            calls.writeAttribute(directory, entry, spelled, $0.baseAddress, $0.count)
        }
        try succeed(result, operation: "write an attribute of", path)
    }

    /// Removes an attribute. Returns false if there was no such attribute.
    @discardableResult
    package static func remove(
        _ name: String, of descriptor: Int32, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> Bool {
        try remove(name, in: descriptor, entry: "", path: path, calls: calls)
    }

    /// Removes an attribute of a directory entry. Does not follow a link.
    @discardableResult
    package static func remove(
        _ name: String, in directory: Int32, entry: UnsafePointer<CChar>, path: FilePath, calls: Syscalls = .live
    ) throws(FileSystemError) -> Bool {
        let spelled = String(decoding: prefix, as: UTF8.self) + name
        let result = calls.removeAttribute(directory, entry, spelled)
        if result == -Errno.noData.rawValue { return false }
        try succeed(result, operation: "remove an attribute of", path)
        return true
    }
}

/// A change to one extended attribute of a file.
package struct AttributeChange: Sendable, Hashable {
    package let name: String
    /// The new value. Nil removes the attribute.
    package let value: [UInt8]?
    /// True if the change may be skipped on a file system that cannot store the attribute.
    package let isOptional: Bool

    package init(_ name: String, value: [UInt8]?, isOptional: Bool = false) {
        self.name = name
        self.value = value
        self.isOptional = isOptional
    }
}

extension OpenFile {
    /// Applies changes to the attributes of the file.
    package func apply(_ changes: [AttributeChange]) throws(FileSystemError) {
        for change in changes {
            do throws(FileSystemError) {
                if let value = change.value {
                    try setAttribute(change.name, value: value)
                } else {
                    try removeAttribute(change.name)
                }
            } catch {
                // The file system stores no attributes, is full, or limits the size of a value.
                let refusals: [Errno] = [.notSupported, .notSupportedOnSocket, .noSpace, .argListTooLong, .outOfRange]
                let isUnsupported = refusals.contains(error.errno)
                guard isUnsupported, change.isOptional || change.value == nil else { throw error }
            }
        }
    }
}
