internal import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// A file's bytes.
    ///
    /// - Parameters:
    ///   - place: Where the file lies.
    ///   - followingLinks: Whether a symbolic link is followed, as long as it stays in the container; if not, it is
    ///     `notAFile`.
    /// - Returns: The whole content, as it was at one moment if the file is saved through this library.
    /// - Throws: `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `failed`.
    public func load(_ place: ContainerPath, followingLinks: Bool = true) throws(ContainerError) -> Data {
        let file = try open(place, followingLinks: followingLinks)
        do throws(FileSystemError) { return try file.data() } catch { throw ContainerError(error) }
    }

    /// A file's bytes as an array.
    ///
    /// - Throws: As `load(_:)` does.
    public func loadBytes(_ place: ContainerPath, followingLinks: Bool = true) throws(ContainerError) -> [UInt8] {
        let file = try open(place, followingLinks: followingLinks)
        do throws(FileSystemError) { return try file.contents() } catch { throw ContainerError(error) }
    }

    /// A file's bytes without reading them: the kernel brings in what is touched, and may drop it again.
    ///
    /// A file saved through this library is replaced, never rewritten, so the bytes stay what they are. Where
    /// another program may cut the file shorter, use `load`: touching what is gone would end the process.
    ///
    /// - Throws: As `load(_:)` does.
    public func loadMapped(_ place: ContainerPath, followingLinks: Bool = true) throws(ContainerError) -> Data {
        let file = try open(place, followingLinks: followingLinks)
        do throws(FileSystemError) {
            let mapped = try MappedFile(file)
            guard let base = mapped.bytes.baseAddress else { return Data() }
            return Data(
                bytesNoCopy: UnsafeMutableRawPointer(mutating: base), count: mapped.bytes.count,
                deallocator: .custom { _, _ in withExtendedLifetime(mapped) {} })
        } catch { throw ContainerError(error) }
    }

    /// A file's text.
    ///
    /// - Throws: `notText` when the bytes are not of that encoding, and what loading bytes throws.
    public func loadText(
        _ place: ContainerPath, encoding: String.Encoding = .utf8, followingLinks: Bool = true
    ) throws(ContainerError) -> String {
        guard let text = String(data: try load(place, followingLinks: followingLinks), encoding: encoding) else {
            throw ContainerError(
                .notText, try relative(place),
                "“\(place)” is not text of that encoding. Load it as Data, or name the encoding it was saved in.")
        }
        return text
    }

    /// The names in a directory, sorted by their bytes. None, where the directory that a place starts from is not made
    /// yet: `list(.caches())` in a new app.
    ///
    /// - Throws: `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `failed`.
    public func list(_ place: ContainerPath) throws(ContainerError) -> [ContainerPath] {
        let path = try relative(place)
        let names: [FilePath]
        do throws(FileSystemError) {
            if place.relative.isEmpty, try folder.statusIfPresent(path) == nil { return [] }
            names = try folder.folder(path).names()
        } catch { throw ContainerError(error) }
        var places: [ContainerPath] = []
        for name in names {
            places.append(
                try ContainerPath(
                    place.location, place.relative.appending(name.components), namespaced: place.isNamespaced))
        }
        return places
    }

    func open(_ place: ContainerPath, followingLinks: Bool) throws(ContainerError) -> OpenFile {
        let path = try relative(place)
        do throws(FileSystemError) {
            let file = try folder.open(path, followingLinks: followingLinks)
            let kind = try file.status().kind
            if kind == .directory { throw FileSystemError("read", path, .isDirectory) }
            guard kind == .file else { throw FileSystemError("read the special file", path, .invalidArgument) }
            return file
        } catch { throw ContainerError(error) }
    }
}

extension OpenFile {
    /// The whole content. A file that grows meanwhile is read to its new end.
    func data() throws(FileSystemError) -> Data {
        guard let size = Int(exactly: try status().size) else { throw FileSystemError("read", path, .fileTooLarge) }
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
}
