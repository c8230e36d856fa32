internal import CFileSystem
internal import SystemPackage

/// A file's content as memory that the kernel fills when it is touched; given back with the last reference.
///
/// It must not be cut shorter by another process while it is mapped: touching what is gone ends the process. A
/// replace gives the name another file and leaves this one whole. The bytes never change through this class, which
/// is what makes it safe to share.
package final class MappedFile: @unchecked Sendable {
    package let bytes: UnsafeRawBufferPointer

    package init(_ file: OpenFile) throws(FileSystemError) {
        let status = try file.status()
        guard status.kind == .file else { throw FileSystemError("map", file.path, .invalidArgument) }
        guard let size = Int(exactly: status.size) else { throw FileSystemError("map", file.path, .fileTooLarge) }
        guard size > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        var address: UnsafeMutableRawPointer?
        try succeed(file.calls.map(file.descriptor, size, &address), "map", file.path)
        bytes = UnsafeRawBufferPointer(start: address, count: size)
    }

    deinit {
        guard let base = bytes.baseAddress else { return }
        cfs_unmap(UnsafeMutableRawPointer(mutating: base), bytes.count)
    }
}
