internal import FileSystem
public import Foundation
internal import SystemPackage

/// A function that computes a digest piece by piece, as the hash functions of CryptoKit and swift-crypto do. To use one
/// of them, declare that it conforms: `extension SHA256: @retroactive DigestFunction {}`.
public protocol DigestFunction: SendableMetatype {
    /// The digest: its bytes.
    associatedtype Digest: Sequence<UInt8> & SendableMetatype
    /// Creates the function for an empty content.
    init()
    /// Adds the next bytes of the content.
    mutating func update(bufferPointer: UnsafeRawBufferPointer)
    /// Returns the digest of all bytes that were added.
    func finalize() -> Digest
}

/// A check of a download before it is moved into the container.
public struct DownloadCheck: Sendable {
    fileprivate let problem: @Sendable (OpenFile) throws(FileSystemError) -> String?

    /// The number of bytes.
    public static func size(_ expected: UInt64) -> DownloadCheck {
        DownloadCheck { file throws(FileSystemError) in
            let size = try file.status().size
            return size == expected ? nil : "it has \(size) bytes instead of \(expected)"
        }
    }

    /// A digest, as the server states it: the bytes in hexadecimal, in any case. An example is
    /// `.digest(SHA256.self, "e3b0c4…")`.
    public static func digest<Function: DigestFunction>(_ type: Function.Type, _ expected: String) -> DownloadCheck {
        DownloadCheck { file throws(FileSystemError) in
            let found = try file.digest(type).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            return found == expected.lowercased() ? nil : "its digest is \(found) instead of \(expected)"
        }
    }
}

extension OpenFile {
    /// Returns the digest of the content, which is read a mebibyte at a time.
    fileprivate func digest<Function: DigestFunction>(_ type: Function.Type) throws(FileSystemError) -> [UInt8] {
        var function = Function()
        var offset: UInt64 = 0
        while true {
            let bytes = try read(upTo: 1 << 20, from: offset)
            if bytes.isEmpty { return Array(function.finalize()) }
            bytes.withUnsafeBytes { function.update(bufferPointer: $0) }
            offset += UInt64(bytes.count)
        }
    }
}

extension Container {
    /// Returns the digest of a file, such as that of `SHA256` of CryptoKit.
    ///
    /// - Throws: The errors of `load(_:followingLinks:)`.
    public func digest<Function: DigestFunction>(
        of item: ContainerPath, using type: Function.Type
    ) throws(ContainerError) -> Data {
        let file = try open(item, followingLinks: true)
        do throws(FileSystemError) { return Data(try file.digest(type)) } catch { throw ContainerError(reading: error) }
    }

    /// Moves a finished download to the directory for downloads, which is excluded from backup, and records the
    /// address.
    ///
    ///     let film = try container.store(downloadAt: file, named: "film.mp4", from: url, checks: [.size(4)])
    ///
    /// The file is checked, gets its attributes and is flushed to disk before it is moved, so it is complete when it is
    /// visible. From another volume it is copied and then removed, if there is enough space. After an error the
    /// download is where it was.
    ///
    /// - Parameters:
    ///   - file: The finished download, such as the temporary file of `URLSession`.
    ///   - name: The name of the file, which may contain directories.
    ///   - origin: The address. Only scheme, host, port and path are stored.
    ///   - keepOffline: True if the app needs the file without a network; false for a file that the system may delete.
    ///   - expiry: The date from which `purgeExpired()` removes the file.
    ///   - checks: The checks before the move.
    ///   - options: The policy for an existing file, the permissions and the data protection. The durability is `full`
    ///     and the provenance `downloaded`.
    ///   - fileID: The file of the caller, recorded as `recording` says.
    ///   - line: The line of the caller.
    /// - Returns: The path of the file.
    /// - Throws: `damaged` if a check fails; `notFound`, `notAFile` and `invalidPath` for the download; `noSpace`; and
    ///   the errors of saving bytes.
    @discardableResult
    public func store(
        downloadAt file: URL, named name: String, from origin: URL, keepOffline: Bool = true,
        expires expiry: Date? = nil,
        checks: [DownloadCheck] = [], options: SaveOptions = SaveOptions(), fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> ContainerPath {
        let kind = ContentKind.downloaded(from: origin, keepOffline: keepOffline)
        let source = try Self.filePath(of: file)
        let size = try check(source, checks)
        let item = try prepare(name, kind: kind)
        let path = try relativeFile(item)
        var options = options
        (options.provenance, options.durability) = (kind.provenance(expires: expiry), .full)
        let write = atomicWrite(options, source: CodeLocation(fileID: fileID, line: line))
        let hasCreated = try createParent(of: path)
        try withPathLock(at: path) { () throws(ContainerError) in
            do throws(AtomicWriteError) { try adopt(source, size: size, at: path, by: write) } catch {
                throw ContainerError(error, createdDirectories: hasCreated)
            }
        }
        report(.downloaded, item, bytes: size)
        return item
    }

    /// Returns the size of a download that passes the checks.
    private func check(_ source: FilePath, _ checks: [DownloadCheck]) throws(ContainerError) -> UInt64 {
        let size: UInt64
        var problem: String?
        do throws(FileSystemError) {
            let file = try OpenFile(opening: source, followingLinks: false)
            let status = try file.status()
            guard status.kind == .file else {
                let errno: Errno = status.kind == .directory ? .isDirectory : .invalidArgument
                throw FileSystemError("move the download", path: source, errno: errno)
            }
            size = status.size
            for check in checks where problem == nil { problem = try check.problem(file) }
        } catch { throw ContainerError(FileSystemError(error.operation, path: source, errno: error.errno)) }
        guard let problem else { return size }
        throw ContainerError(
            .damaged, source,
            "The download “\(source)” is not what was expected: \(problem). It is unchanged, and nothing else on disk has "
                + "changed. Download it again.")
    }

    /// Moves a file from anywhere to a path in the container.
    private func adopt(
        _ source: FilePath, size: UInt64, at path: FilePath, by write: AtomicWrite
    ) throws(AtomicWriteError) {
        let outside: Folder
        let name: FilePath
        do throws(FileSystemError) {
            guard let (parent, last) = source.split else {
                throw FileSystemError("move the download", path: source, errno: .invalidArgument)
            }
            (outside, name) = (try Folder(opening: parent.isEmpty ? "." : parent, calls: folder.calls), last)
            let isSameVolume = try outside.status("").identity.device == folder.status("").identity.device
            if !isSameVolume, try folder.space().available < size {
                throw FileSystemError("move the download", path: source, errno: .noSpace)
            }
            if isSameVolume {
                let file = try outside.open(name, followingLinks: false)
                if let protection = write.protectionClass { try file.setProtectionClass(protection) }
                if let permissions = write.permissions { try file.setPermissions(permissions) }
                // A change of attributes flushes the file, and `recording` may leave none.
                if write.attributes.isEmpty { try file.sync() }
            }
            // A rename would replace whatever is there.
            if write.conflicts.any == .refuse, try folder.statusIfPresent(path) != nil {
                throw FileSystemError("save", path: path, errno: .fileExists)
            }
        } catch { throw AtomicWriteError(stage: .untouched, cause: error) }
        try outside.moveFile(name, over: path, in: folder, by: write)
    }
}
