internal import Crypto
internal import FileSystem
internal import SystemPackage

/// A file's content on its way into a backup, piece by piece.
package final class Payload {
    /// How many bytes there are so far.
    package private(set) var size: UInt64 = 0
    private let file: OpenFile
    /// How far the kernel has been asked to write it out.
    private var begun: UInt64 = 0
    private var sum = Insecure.SHA1()

    init(_ identifier: FileIdentifier, in folder: Folder) throws(MobileBackupError) {
        do throws(FileSystemError) { file = try folder.createFile(identifier.payload, permissions: 0o600) } catch {
            switch error.errno {
            case .fileExists: throw MobileBackupWriter.taken(identifier)
            case .noSuchFileOrDirectory: break
            default: throw MobileBackupError(writing: error)
            }
            file = try writing { () throws(FileSystemError) in
                try folder.createDirectory(FilePath(identifier.folder), permissions: 0o700)
                return try folder.createFile(identifier.payload, permissions: 0o600)
            }
        }
    }

    /// Adds bytes.
    ///
    /// - Throws: `failed`, as for a full disk.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(MobileBackupError) {
        let file = file
        try writing { () throws(FileSystemError) in try file.write(bytes) }
        sum.update(bufferPointer: bytes)
        size += UInt64(bytes.count)
        // A large file is written out while the rest of it comes; small ones together, at the end.
        guard size - begun >= 8 << 20 else { return }
        file.startWriting(from: begun, count: size - begun)
        begun = size
    }

    /// Adds the bytes of an array.
    package func write(_ bytes: [UInt8]) throws(MobileBackupError) {
        var failure: MobileBackupError?
        bytes.withUnsafeBytes { buffer in
            do throws(MobileBackupError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Ends it, and gives the SHA-1 of all of it.
    func close() throws(MobileBackupError) -> [UInt8] {
        let file = file
        try writing { () throws(FileSystemError) in try file.close() }
        return Array(sum.finalize())
    }
}
