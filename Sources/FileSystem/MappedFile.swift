internal import CFileSystem
internal import SystemPackage

/// The content of a file as mapped memory, unmapped on deallocation.
///
/// No other process may truncate the file while it is mapped: access to missing bytes ends the process. An atomic write
/// replaces the file and does not affect the mapping. This class never changes the bytes, so it is safe to share.
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
