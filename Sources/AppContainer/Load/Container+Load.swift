internal import FileSystem
public import Foundation
internal import Synchronization
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

    /// Returns the items in a directory, sorted by the bytes of their names. Empty if a standard directory does not
    /// exist yet: `list(.caches)` in a new app.
    ///
    /// - Throws: `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `failed`.
    public func list(_ item: ContainerPath) throws(ContainerError) -> [ContainerPath] {
        let path = try relative(item)
        let names: [FilePath]
        do throws(FileSystemError) {
            if item.isStandardDirectory, try folder.statusIfPresent(path) == nil { return [] }
            names = try folder.openFolder(path).names()
        } catch { throw ContainerError(error) }
        return names.map { item.appending(entry: $0) }
    }

    func open(_ item: ContainerPath, followingLinks: Bool) throws(ContainerError) -> OpenFile {
        let path = try relative(item)
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
    /// Returns the whole content. A file that grows during the call is read to its new end.
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

/// A reader that reads a file piece by piece with constant memory.
///
/// It reads the file that existed when the reader was created, even if a save replaces it.
///
///     let reader = try container.reader(of: place)
///     while let piece = try reader.next() { hash.update(data: piece) }
public final class Reader: Sendable {
    private let file: OpenFile
    /// The path of the file, relative to the container.
    var path: FilePath { file.path }
    private let offset = Mutex<UInt64>(0)
    private static let largestGuess = 1 << 20
    private static let largestPiece = 1 << 30

    init(_ file: OpenFile) { self.file = file }

    /// Returns the next bytes.
    ///
    /// - Parameter count: The maximum number of bytes, by default 64 KiB. At most a GiB is returned at once.
    /// - Returns: At least one byte, or nil at the end.
    /// - Throws: `failed` and other errors of the file system.
    public func next(upTo count: Int = 65_536) throws(ContainerError) -> Data? {
        let result = offset.withLock { offset -> Result<Data?, FileSystemError> in
            do throws(FileSystemError) {
                // The maximum size of a file. The kernel refuses reads beyond it.
                guard offset < UInt64(Int64.max) else { return .success(nil) }
                var most = min(max(1, count), Int(clamping: UInt64(Int64.max) - offset))
                if most > Self.largestGuess {
                    // A large `count` must not allocate more memory than the file has bytes.
                    let size = try file.status().size
                    let rest = size > offset ? size - offset : 0
                    most = min(most, Int(clamping: max(rest, UInt64(Self.largestGuess))), Self.largestPiece)
                }
                let bytes = try file.read(upTo: most, from: offset)
                offset += UInt64(bytes.count)
                return .success(bytes.isEmpty ? nil : Data(bytes))
            } catch { return .failure(error) }
        }
        do throws(FileSystemError) { return try result.get() } catch { throw ContainerError(error) }
    }

    /// The offset of the next read in bytes. Beyond the end of the file, there is nothing to read.
    public var position: UInt64 {
        get { offset.withLock { $0 } }
        set { offset.withLock { $0 = newValue } }
    }

    /// Returns the size of the content in bytes.
    ///
    /// - Throws: `failed`.
    public func size() throws(ContainerError) -> UInt64 {
        do throws(FileSystemError) { return try file.status().size } catch { throw ContainerError(error) }
    }
}

extension Container {
    /// Opens a file to read it piece by piece.
    ///
    /// - Throws: The errors of `load(_:)`.
    public func reader(of item: ContainerPath, followingLinks: Bool = true) throws(ContainerError) -> Reader {
        Reader(try open(item, followingLinks: followingLinks))
    }
}
