internal import FileSystem
public import Foundation
internal import Synchronization
internal import SystemPackage

/// A file that is read piece by piece, in constant memory.
///
/// It reads the file as it was when the reader was made, also when a save gives the name another one meanwhile.
///
///     let reader = try container.reader(of: place)
///     while let piece = try reader.next() { hash.update(data: piece) }
public final class Reader: Sendable {
    private let file: OpenFile
    /// The file, relative to the container.
    var path: FilePath { file.path }
    private let offset = Mutex<UInt64>(0)
    private static let largestGuess = 1 << 20
    private static let largestPiece = 1 << 30

    init(_ file: OpenFile) { self.file = file }

    /// The next bytes.
    ///
    /// - Parameter count: How many at most, 64 KiB unless told; more than a GiB are not given at once.
    /// - Returns: At least one byte; nil at the end.
    /// - Throws: `failed` and what else the kernel makes of a read.
    public func next(upTo count: Int = 65_536) throws(ContainerError) -> Data? {
        let result = offset.withLock { offset -> Result<Data?, FileSystemError> in
            do throws(FileSystemError) {
                // No file reaches further than this, and the kernel takes no read that would.
                guard offset < UInt64(Int64.max) else { return .success(nil) }
                var most = min(max(1, count), Int(clamping: UInt64(Int64.max) - offset))
                if most > Self.largestGuess {
                    // “All there is” must not cost memory for more than there is.
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

    /// Where the next read begins, in bytes from the file's beginning; past its end, there is nothing to read.
    public var position: UInt64 {
        get { offset.withLock { $0 } }
        set { offset.withLock { $0 = newValue } }
    }

    /// Bytes of content.
    ///
    /// - Throws: `failed`.
    public func size() throws(ContainerError) -> UInt64 {
        do throws(FileSystemError) { return try file.status().size } catch { throw ContainerError(error) }
    }
}

extension Container {
    /// Opens a file to be read piece by piece.
    ///
    /// - Throws: As `load(_:)` does.
    public func reader(of place: ContainerPath, followingLinks: Bool = true) throws(ContainerError) -> Reader {
        Reader(try open(place, followingLinks: followingLinks))
    }
}
