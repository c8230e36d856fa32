internal import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// Returns the bytes of a file.
    ///
    /// - Parameters:
    ///   - item: The path of the file.
    ///   - followingLinks: True to follow a symbolic link whose target is in the container; false to throw `notAFile`
    ///     for a link.
    /// - Returns: The whole content. If the file is saved through this library, the content is that of one moment.
    /// - Throws: `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `failed`.
    public func load(_ item: ContainerPath, followingLinks: Bool = true) throws(ContainerError) -> Data {
        let file = try open(item, followingLinks: followingLinks)
        do throws(FileSystemError) { return try file.data() } catch { throw ContainerError(error) }
    }

    /// Returns the bytes of a file, or nil if it does not exist.
    ///
    /// - Throws: The errors of `load(_:followingLinks:)`, except for `notFound`.
    public func loadIfPresent(_ item: ContainerPath) throws(ContainerError) -> Data? {
        do throws(ContainerError) { return try load(item) } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    /// Returns a part of a file: at most `count` bytes from an offset, fewer only at the end of the file.
    ///
    /// - Throws: The errors of `load(_:followingLinks:)`.
    public func load(_ item: ContainerPath, from offset: UInt64, upTo count: Int) throws(ContainerError) -> Data {
        let file = try open(item, followingLinks: true)
        do throws(FileSystemError) { return Data(try file.read(upTo: max(0, count), from: offset)) } catch {
            throw ContainerError(reading: error)
        }
    }

    /// Returns the bytes of a file as an array.
    ///
    /// - Throws: The errors of `load(_:)`.
    public func loadBytes(_ item: ContainerPath, followingLinks: Bool = true) throws(ContainerError) -> [UInt8] {
        let file = try open(item, followingLinks: followingLinks)
        do throws(FileSystemError) { return try file.contents() } catch { throw ContainerError(error) }
    }

    /// Maps a file and returns its bytes without reading them. The kernel loads and releases pages on access.
    ///
    /// This library replaces files and never rewrites them, so the bytes do not change. If another program may truncate
    /// the file, use `load`: access to missing bytes ends the process.
    ///
    /// - Throws: The errors of `load(_:)`.
    public func loadMapped(_ item: ContainerPath, followingLinks: Bool = true) throws(ContainerError) -> Data {
        let file = try open(item, followingLinks: followingLinks)
        do throws(FileSystemError) {
            let mapped = try MappedFile(file)
            guard let base = mapped.bytes.baseAddress else { return Data() }
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: mapped.bytes.count,
                deallocator: .custom { _, _ in withExtendedLifetime(mapped) {} })
        } catch { throw ContainerError(error) }
    }

    /// Returns the text of a file.
    ///
    /// - Throws: `notText` if the bytes are not valid in the encoding, and the errors of `load(_:)`.
    public func loadText(
        _ item: ContainerPath, encoding: String.Encoding = .utf8, followingLinks: Bool = true
    ) throws(ContainerError) -> String {
        guard let text = String(data: try load(item, followingLinks: followingLinks), encoding: encoding) else {
            throw ContainerError(
                .notText, try relative(item),
                "“\(item)” is not text in this encoding. Load it as Data, or use the encoding in which it was saved.")
        }
        return text
    }

    func open(_ item: ContainerPath, followingLinks: Bool) throws(ContainerError) -> OpenFile {
        let path = try relative(item)
        do throws(FileSystemError) {
            let file = try folder.open(path, followingLinks: followingLinks)
            let kind = try file.status().kind
            if kind == .directory { throw FileSystemError("read", path: path, errno: .isDirectory) }
            guard kind == .file else {
                throw FileSystemError("read the special file", path: path, errno: .invalidArgument)
            }
            return file
        } catch { throw ContainerError(error) }
    }
}

extension OpenFile {
    /// Returns the whole content. A file that grows during the call is read to its new end.
    func data() throws(FileSystemError) -> Data {
        guard let size = Int(exactly: try status().size) else {
            throw FileSystemError("read", path: path, errno: .fileTooLarge)
        }
        try requireMemory(size)
        var data = Data(count: size)
        var failure: FileSystemError?
        let filled = data.withUnsafeMutableBytes { buffer in
            do throws(FileSystemError) { return try read(into: buffer, from: 0) } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        guard filled == size else { return data.prefix(filled) }
        while true {
            let more = try read(upTo: 1 << 16, from: UInt64(data.count))
            if more.isEmpty { return data }
            data += more
        }
    }

    /// Returns the first `size` bytes; fewer if the file has become shorter.
    func data(size: UInt64) throws(FileSystemError) -> Data {
        guard let size = Int(exactly: size) else {
            throw FileSystemError("read", path: path, errno: .fileTooLarge)
        }
        guard size > 0 else { return Data() }
        try requireMemory(size)
        // Not cleared before it is filled.
        let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        do throws(FileSystemError) {
            let filled = try read(into: UnsafeMutableRawBufferPointer(start: start, count: size), from: 0)
            return Data(bytesNoCopy: start, count: filled, deallocator: .custom { start, _ in start.deallocate() })
        } catch {
            start.deallocate()
            throw error
        }
    }
}
