internal import FileSystem
public import Foundation
internal import SystemPackage

/// A writer that writes a file piece by piece with constant memory. The file becomes visible when it is finished.
///
/// Until then the old file remains. A writer that is cancelled or deallocated leaves nothing behind. After a crash,
/// `Container.sweepLeftovers` removes the temporary file.
///
///     let writer = try container.writer(
///         to: .documents / "film.mov", options: .init(provenance: Provenance(.imported)))
///     while let piece = try reader.next() { try writer.write(piece) }
///     try writer.finish()
public final class Writer: Sendable {
    private let container: Container
    let path: FilePath
    private let staged: StagedFile
    private let state: LockedValue<State>

    private struct State {
        /// The bytes that have not been passed to the kernel.
        var buffer: [UInt8] = []
        var written: UInt64 = 0
        /// The offset up to which the kernel has been asked to start flushing.
        var started: UInt64 = 0
        var isOpen = true
    }
    private static let bufferSize = 256 << 10
    private static let startInterval: UInt64 = 8 << 20

    init(_ container: Container, path: FilePath, staged: StagedFile) {
        self.container = container
        self.path = path
        self.staged = staged
        var state = State()
        state.buffer.reserveCapacity(Self.bufferSize)
        self.state = LockedValue(state)
    }

    /// Appends bytes.
    ///
    /// - Throws: `noSpace`, `failed`; the writer is then cancelled. `invalidPath` if it is finished or cancelled.
    public func write(_ bytes: some ContiguousBytes) throws(ContainerError) {
        try withState { state throws(FileSystemError) in
            var failure: FileSystemError?
            bytes.withUnsafeBytes { bytes in
                do throws(FileSystemError) { try write(bytes, state: &state) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// Appends text as UTF-8.
    ///
    /// - Throws: The errors of writing bytes.
    public func write(_ text: String) throws(ContainerError) { try write(Data(text.utf8)) }

    /// Opens the bytes that have been written so far, for a player that begins before the end: at the end of the file,
    /// the reader returns nil, and later what has been written since and passed on by this call, by `finish`, or
    /// because 256 KiB were collected. It can be used after the writer is finished or cancelled.
    ///
    /// - Throws: The errors of writing bytes.
    public func reader() throws(ContainerError) -> Reader {
        var file: OpenFile?
        try withState { state throws(FileSystemError) in
            try flush(&state)
            file = try staged.parent.open(staged.staging, followingLinks: false)
        }
        guard let file else { throw ContainerError(.failed, path, "“\(path)” cannot be read.") }
        return Reader(file)
    }

    /// Makes the file visible, with the backup exclusion and other metadata of the old file, and flushes it to disk as
    /// the durability requires.
    ///
    /// - Throws: The errors of saving bytes. Except for `durabilityUnknown`, the old file is unchanged.
    public func finish() throws(ContainerError) {
        try withState { state throws(FileSystemError) in
            try flush(&state)
            state.isOpen = false
        }
        try container.withPathLock(at: path) { () throws(ContainerError) in
            do throws(AtomicWriteError) {
                try staged.seal()
                try staged.publish()
                try staged.finishReplacement()
            } catch { throw ContainerError(error) }
        }
    }

    /// Discards the new file. The old file remains. Does nothing if the writer is finished.
    public func cancel() {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            try? staged.discard()
        }
    }

    private func withState(_ body: (inout State) throws(FileSystemError) -> Void) throws(ContainerError) {
        let failure = state.withLock { state -> ContainerError? in
            guard state.isOpen else {
                return ContainerError(
                    .invalidPath, path, "The writer for “\(path)” is finished or cancelled. Create a new one.")
            }
            do throws(FileSystemError) { try body(&state) } catch {
                state.isOpen = false
                return ContainerError(staged.discard(after: error))
            }
            return nil
        }
        if let failure { throw failure }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, state: inout State) throws(FileSystemError) {
        if state.buffer.count + bytes.count > Self.bufferSize { try flush(&state) }
        if bytes.count >= Self.bufferSize {
            try pass(bytes, state: &state)
        } else {
            state.buffer.append(contentsOf: bytes)
        }
    }

    private func flush(_ state: inout State) throws(FileSystemError) {
        guard !state.buffer.isEmpty else { return }
        // Moved out of the state, which changes during the write, and moved back to reuse its memory.
        var buffer: [UInt8] = []
        swap(&buffer, &state.buffer)
        var failure: FileSystemError?
        buffer.withUnsafeBytes { bytes in
            do throws(FileSystemError) { try pass(bytes, state: &state) } catch { failure = error }
        }
        if let failure { throw failure }
        buffer.removeAll(keepingCapacity: true)
        swap(&buffer, &state.buffer)
    }

    /// Passes bytes to the kernel and asks it to start flushing, which shortens `finish`.
    private func pass(_ bytes: UnsafeRawBufferPointer, state: inout State) throws(FileSystemError) {
        try staged.file.write(bytes)
        state.written += UInt64(bytes.count)
        if state.written - state.started >= Self.startInterval {
            staged.file.startWriting(from: state.started, count: state.written - state.started)
            state.started = state.written
        }
    }
}

extension Container {
    /// Opens a file to write it piece by piece. Otherwise like saving bytes.
    ///
    /// - Returns: The writer. The file becomes visible with `finish()`.
    /// - Throws: `alreadyExists`, `notAFile`, `hasOtherNames`, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noSpace`, `failed`.
    public func writer(
        to item: ContainerPath, options: SaveOptions = SaveOptions(), fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> Writer {
        let path = try relativeFile(item)
        let write = atomicWrite(options, source: CodeLocation(fileID: fileID, line: line))
        let hasCreated = try createParent(of: path)
        do throws(AtomicWriteError) {
            return Writer(self, path: path, staged: try StagedFile(write, for: path, in: folder))
        } catch {
            throw ContainerError(error, createdDirectories: hasCreated)
        }
    }
}
