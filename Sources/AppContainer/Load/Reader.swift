internal import FileSystem
public import Foundation
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
    private let state = LockedValue(State())

    private struct State {
        var offset: UInt64 = 0
        /// Bytes that were read for lines, and the offset of the first one.
        var cache: [UInt8] = []
        var cacheStart: UInt64 = 0
    }
    private static let largestGuess = 1 << 20
    private static let largestPiece = 1 << 30

    init(_ file: OpenFile) { self.file = file }

    /// Returns the next bytes.
    ///
    /// - Parameter count: The maximum number of bytes, by default 64 KiB. At most a GiB is returned at once.
    /// - Returns: At least one byte, or nil at the end.
    /// - Throws: `failed` and other errors of the file system.
    public func next(upTo count: Int = 65_536) throws(ContainerError) -> Data? {
        let result = state.withLock { state -> Result<Data?, FileSystemError> in
            do throws(FileSystemError) {
                let offset = state.offset
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
                state.offset += UInt64(bytes.count)
                return .success(bytes.isEmpty ? nil : Data(bytes))
            } catch { return .failure(error) }
        }
        do throws(FileSystemError) { return try result.get() } catch { throw ContainerError(error) }
    }

    /// The offset of the next read in bytes. Beyond the end of the file, there is nothing to read.
    public var position: UInt64 {
        get { state.withLock { $0.offset } }
        set { state.withLock { $0.offset = newValue } }
    }

    /// Returns the next line without its line end (`\n` or `\r\n`), or nil at the end. Bytes that are not valid UTF-8
    /// are replaced by U+FFFD.
    ///
    ///     while let line = try reader.nextLine() { print(line) }
    ///
    /// - Parameter maximum: The maximum length of a line in bytes, by default 1 MiB.
    /// - Returns: The line.
    /// - Throws: `tooLarge` for a longer line, which is then at `position`; `failed` and other errors of the file
    ///   system.
    public func nextLine(upTo maximum: Int = 1 << 20) throws(ContainerError) -> String? {
        let result = state.withLock { state -> Result<String?, ContainerError> in
            do throws(FileSystemError) { return .success(try line(&state, upTo: max(0, maximum))) } catch {
                guard error.errno == .outOfRange else { return .failure(ContainerError(reading: error)) }
                return .failure(
                    ContainerError(
                        .tooLarge, path,
                        "“\(path)” has a line of more than \(maximum) bytes at byte \(state.offset). "
                            + "Raise the maximum, or read it piece by piece."))
            }
        }
        return try result.get()
    }

    private func line(_ state: inout State, upTo maximum: Int) throws(FileSystemError) -> String? {
        // The bytes of the cache that have been searched for a line end.
        var searched = 0
        while true {
            if state.offset < state.cacheStart || state.offset - state.cacheStart > UInt64(state.cache.count) {
                (state.cache, state.cacheStart, searched) = ([], state.offset, 0)
            }
            let start = Int(state.offset - state.cacheStart)
            if let end = state.cache[(start + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
                guard end - start <= maximum else {
                    throw FileSystemError("read a line of", path: path, errno: .outOfRange)
                }
                return read(start..<end, consuming: end + 1 - start, state: &state)
            }
            searched = state.cache.count - start
            guard searched <= maximum else { throw FileSystemError("read a line of", path: path, errno: .outOfRange) }
            state.cache.removeFirst(start)
            state.cacheStart = state.offset
            let next = state.cacheStart.addingReportingOverflow(UInt64(state.cache.count))
            guard !next.overflow, next.partialValue < UInt64(Int64.max) else { return nil }
            let more = try file.read(upTo: 64 << 10, from: next.partialValue)
            if more.isEmpty {
                if state.cache.isEmpty { return nil }
                return read(0..<state.cache.count, consuming: state.cache.count, state: &state)
            }
            state.cache += more
        }
    }

    private func read(_ range: Range<Int>, consuming count: Int, state: inout State) -> String {
        var bytes = state.cache[range]
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        state.offset += UInt64(count)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The lines from `position` on, as an asynchronous sequence. Each is at most 1 MiB long. See `nextLine(upTo:)`.
    ///
    ///     for try await line in reader.lines { print(line) }
    public var lines: Lines { Lines(reader: self) }

    /// The lines of a file. Its iterators share the position of the reader.
    public struct Lines: AsyncSequence, Sendable {
        let reader: Reader

        /// An iterator over lines.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let reader: Reader

            /// Returns the next line, or nil at the end.
            ///
            /// - Throws: `cancelled`, and the errors of `nextLine(upTo:)`.
            public mutating func next() async throws(ContainerError) -> String? { try await reader.lineInBackground() }

            /// Returns the next line, or nil at the end.
            ///
            /// - Throws: `cancelled`, and the errors of `nextLine(upTo:)`.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ContainerError) -> String? { try await reader.lineInBackground() }
        }

        /// Returns an iterator that begins at the position of the reader.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }
    }

    fileprivate func lineInBackground() async throws(ContainerError) -> String? {
        try await Background.run(at: path) { () throws(ContainerError) -> String? in try self.nextLine() }
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
