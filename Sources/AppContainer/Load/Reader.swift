internal import FileSystem
public import Foundation
internal import Synchronization
internal import SystemPackage

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
