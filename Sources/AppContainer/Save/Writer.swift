internal import FileSystem
public import Foundation
internal import Synchronization
internal import SystemPackage

/// A file that is written piece by piece, in constant memory, and appears when it is finished.
///
/// Until then the old file, if any, has the name. Cancelled or dropped, the writer leaves nothing behind; after a
/// crash a sweep takes what it had written (`Container.sweepLeftovers`).
///
///     let writer = try container.writer(to: .documents("film.mov"), provenance: Provenance(.imported))
///     while let piece = try reader.next() { try writer.write(piece) }
///     try writer.finish()
public final class Writer: Sendable {
    private let container: Container
    let path: FilePath
    private let staged: StagedFile
    private let state: Mutex<State>

    private struct State {
        /// What is gathered before it is given to the kernel.
        var buffer: [UInt8] = []
        var written: UInt64 = 0
        /// Up to where the kernel has been told to bring the content down.
        var started: UInt64 = 0
        var isOpen = true
    }
    private static let bufferSize = 256 << 10
    private static let startInterval: UInt64 = 8 << 20

    init(_ container: Container, _ path: FilePath, _ staged: StagedFile) {
        self.container = container
        self.path = path
        self.staged = staged
        var state = State()
        state.buffer.reserveCapacity(Self.bufferSize)
        self.state = Mutex(state)
    }

    /// Adds bytes at the end.
    ///
    /// - Throws: `noSpace`, `failed`; the writer is then cancelled. `invalidPath` once it is finished or cancelled.
    public func write(_ bytes: some ContiguousBytes) throws(ContainerError) {
        try withState { state throws(FileSystemError) in
            var failure: FileSystemError?
            bytes.withUnsafeBytes { bytes in
                do throws(FileSystemError) { try write(bytes, &state) } catch { failure = error }
            }
            if let failure { throw failure }
        }
    }

    /// Adds text at the end, as UTF-8.
    ///
    /// - Throws: As for bytes.
    public func write(_ text: String) throws(ContainerError) { try write(Data(text.utf8)) }

    /// Lets the file take its name, with the flag and all else it inherits, and brings it down to the medium as
    /// durably as was asked for.
    ///
    /// - Throws: What saving bytes throws. But for `durabilityUnknown` the old file is untouched.
    public func finish() throws(ContainerError) {
        try withState { state throws(FileSystemError) in
            try flush(&state)
            state.isOpen = false
        }
        try container.withTurn(at: path) { () throws(ContainerError) in
            do throws(ReplaceError) {
                try staged.seal()
                try staged.publish()
                try staged.settle()
            } catch { throw ContainerError(error) }
        }
    }

    /// Gives the file up; the old one, if any, stays. Nothing happens if it is finished already.
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
                    .invalidPath, path, "“\(path)” is finished or cancelled already. Make a new writer for it.")
            }
            do throws(FileSystemError) { try body(&state) } catch {
                state.isOpen = false
                return ContainerError(staged.discard(after: error))
            }
            return nil
        }
        if let failure { throw failure }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws(FileSystemError) {
        if state.buffer.count + bytes.count > Self.bufferSize { try flush(&state) }
        if bytes.count >= Self.bufferSize {
            try pass(bytes, &state)
        } else {
            state.buffer.append(contentsOf: bytes)
        }
    }

    private func flush(_ state: inout State) throws(FileSystemError) {
        guard !state.buffer.isEmpty else { return }
        // Taken out meanwhile, since the state is changed too; its memory comes back.
        var buffer: [UInt8] = []
        swap(&buffer, &state.buffer)
        var failure: FileSystemError?
        buffer.withUnsafeBytes { bytes in
            do throws(FileSystemError) { try pass(bytes, &state) } catch { failure = error }
        }
        if let failure { throw failure }
        buffer.removeAll(keepingCapacity: true)
        swap(&buffer, &state.buffer)
    }

    /// Hands bytes to the kernel, and has it begin to write them out, so that `finish` need not wait for all.
    private func pass(_ bytes: UnsafeRawBufferPointer, _ state: inout State) throws(FileSystemError) {
        try staged.file.write(bytes)
        state.written += UInt64(bytes.count)
        if state.written - state.started >= Self.startInterval {
            staged.file.startWriting(from: state.started, count: state.written - state.started)
            state.started = state.written
        }
    }
}

extension Container {
    /// Opens a file to be written piece by piece; the rest is as for saving bytes.
    ///
    /// - Returns: The writer; the file appears with its `finish()`.
    /// - Throws: `alreadyExists`, `notAFile`, `hasOtherNames`, `leavesContainer`, `noIdentifier`,
    ///   `permissionDenied`, `noSpace`, `failed`.
    public func writer(
        to place: ContainerPath, overwrite: Overwrite = .replace, durability: Durability = .full,
        provenance: Provenance? = nil, fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) -> Writer {
        let path = try relativeFile(place)
        let replace = replace(overwrite, durability, provenance, CodeLocation(fileID: fileID, line: line))
        let hasMade = try makeParent(of: path)
        do throws(ReplaceError) { return Writer(self, path, try StagedFile(replace, for: path, in: folder)) } catch {
            throw ContainerError(error, madeDirectories: hasMade)
        }
    }
}
