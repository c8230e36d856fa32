internal import FileSystem
public import Foundation
internal import SystemPackage

/// Several saves that are made together. See `Container.batch`.
public struct SaveBatch {
    struct Entry: Sendable {
        let item: ContainerPath
        let path: FilePath
        let write: AtomicWrite
        let content: any ContiguousBytes & Sendable
    }

    private let container: Container
    private(set) var entries: [Entry] = []

    init(_ container: Container) { self.container = container }

    /// Adds a save of bytes, which are kept in memory until the batch is saved. For the parameters see
    /// `Container.save`. The durability of a batch is always `.full`.
    ///
    /// - Throws: `noIdentifier`.
    public mutating func save(
        _ bytes: some ContiguousBytes & Encodable, to item: ContainerPath, options: SaveOptions = SaveOptions(),
        fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        let path = try container.relativeFile(item)
        var options = options
        options.durability = .full
        let write = container.atomicWrite(options, source: CodeLocation(fileID: fileID, line: line))
        entries.append(Entry(item: item, path: path, write: write, content: Self.kept(bytes)))
    }

    /// Returns bytes that cannot change: a copy unless they are a value type.
    private static func kept(_ bytes: some ContiguousBytes) -> any ContiguousBytes & Sendable {
        switch bytes {
        case let data as Data: data
        case let bytes as [UInt8]: bytes
        default: bytes.withUnsafeBytes { Data($0) }
        }
    }

    /// Adds a save of text.
    ///
    /// - Throws: `notText`, `noIdentifier`.
    public mutating func save(
        _ text: String, to item: ContainerPath, encoding: String.Encoding = .utf8,
        options: SaveOptions = SaveOptions(), fileID: String = #fileID, line: UInt = #line
    ) throws(ContainerError) {
        try save(
            try container.data(text, encoding: encoding, for: item), to: item, options: options, fileID: fileID,
            line: line)
    }

    /// Adds a save of a value in the format of `encoder`, by default as JSON, or as a binary property list if the name
    /// of the file ends in `.plist`.
    ///
    /// - Throws: `notEncodable`, `tooLarge`, `noIdentifier`.
    public mutating func save(
        _ value: some Encodable, to item: ContainerPath, encoder: (any ValueEncoder)? = nil,
        limits: ValueLimits = ValueLimits(), options: SaveOptions = SaveOptions(), fileID: String = #fileID,
        line: UInt = #line
    ) throws(ContainerError) {
        try save(
            try container.content(of: value, encoder ?? item.defaultEncoder, for: item, limits: limits), to: item,
            options: options, fileID: fileID, line: line)
    }
}

/// An error of a batch that was not saved completely, with the state of each file in the order of the saves.
public struct BatchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The files that are saved durably.
    public let saved: [ContainerPath]
    /// The files that are visible and complete but may not survive a power loss.
    public let uncertain: [ContainerPath]
    /// The files that are unchanged.
    public let notSaved: [ContainerPath]
    /// The error that stopped the batch. See the codes of `Container.save`.
    public let cause: ContainerError

    /// The description of `cause` and the number of saved files.
    public var description: String {
        "\(cause.description) Files saved: \(saved.count); saved, but perhaps lost in a power loss: "
            + "\(uncertain.count); unchanged: \(notSaved.count)."
    }
}

extension Container {
    /// Saves several files at `.full` with fewer waits for the disk than one by one.
    ///
    /// All new files are written and flushed to disk, then renamed to their targets, and finally each directory is
    /// flushed once. When the call returns, all saves are durable. A failure before the first rename leaves everything
    /// unchanged. Each file is always the old or the new one, complete.
    ///
    ///     try container.batch { batch in
    ///         for (name, tile) in tiles { try batch.save(tile, to: .caches / name) }
    ///     }
    ///
    /// - Parameter fill: Adds the saves. Nothing is saved before it returns, and nothing at all if it throws.
    /// - Throws: `BatchError`, which lists the saved and the unsaved files; any error of `fill`.
    public func batch(_ fill: (inout SaveBatch) throws -> Void) throws {
        var batch = SaveBatch(self)
        try fill(&batch)
        try save(batch.entries)
    }

    func save(_ entries: [SaveBatch.Entry]) throws(BatchError) {
        do throws(ContainerError) {
            var made: Set<FilePath> = []
            for path in entries.map(\.path) where made.insert(path.removingLastComponent()).inserted {
                try createParent(of: path)
            }
        } catch { throw BatchRun(entries).makeError(error) }
        try withPathLock(at: entries.map(\.path)) { () throws(BatchError) in
            var run = BatchRun(entries)
            do throws(ContainerError) { try run.stage(in: self) } catch { throw run.makeError(error) }
            do throws(ContainerError) { try run.publish() } catch {
                run.finishReplacements()
                throw run.makeError(error)
            }
            run.finishReplacements()
            if let failure = run.settleFailure { throw run.makeError(failure) }
        }
    }
}

/// The execution of a batch.
private struct BatchRun {
    private enum State { case waiting, visible, settled }

    private let entries: [SaveBatch.Entry]
    private var states: [State]
    private var staged: [StagedFile] = []
    /// The target directories, each opened once.
    private var parents: [FilePath: Folder] = [:]
    private(set) var settleFailure: ContainerError?
    /// The maximum number of open files. The lowest limit for a process on Apple's systems is 256.
    private static let window = 64

    init(_ entries: [SaveBatch.Entry]) {
        self.entries = entries
        states = Array(repeating: .waiting, count: entries.count)
    }

    /// Writes all temporary files and flushes them to disk. They are removed on deallocation.
    mutating func stage(in container: Container) throws(ContainerError) {
        for start in stride(from: 0, to: entries.count, by: Self.window) {
            let window = entries[start..<min(start + Self.window, entries.count)]
            // All files are written, and the kernel starts to flush them, before the first flush is waited for.
            for entry in window { try write(entry, in: container) }
            for (entry, file) in zip(window, staged[start...]) {
                do throws(AtomicWriteError) { try file.seal() } catch { throw entry.makeError(error) }
            }
        }
    }

    private mutating func write(_ entry: SaveBatch.Entry, in container: Container) throws(ContainerError) {
        let directory = entry.path.removingLastComponent()
        if parents[directory] == nil {
            do throws(FileSystemError) { parents[directory] = try container.folder.openFolder(directory) } catch {
                throw ContainerError(error)
            }
        }
        guard let parent = parents[directory], let name = entry.path.lastComponent else { return }
        let file: StagedFile
        do throws(AtomicWriteError) {
            file = try StagedFile(entry.write, for: FilePath(root: nil, [name]), in: parent)
        } catch { throw entry.makeError(error) }
        staged.append(file)
        do throws(FileSystemError) { try file.file.write(entry.content) } catch {
            throw entry.makeError(file.discard(after: error))
        }
        file.file.startWriting(from: 0, count: 0)
    }

    /// Renames all temporary files to their targets.
    mutating func publish() throws(ContainerError) {
        for (index, file) in staged.enumerated() {
            do throws(AtomicWriteError) { try file.publish() } catch { throw entries[index].makeError(error) }
            states[index] = .visible
        }
    }

    /// Flushes each directory to disk once.
    mutating func finishReplacements() {
        var done: [ObjectIdentifier: Bool] = [:]
        for (index, file) in staged.enumerated() where states[index] == .visible {
            let parent = ObjectIdentifier(file.parent)
            if done[parent] == nil {
                do throws(AtomicWriteError) {
                    try file.finishReplacement()
                    done[parent] = true
                } catch {
                    settleFailure = settleFailure ?? entries[index].makeError(error)
                    done[parent] = false
                }
            }
            if done[parent] == true { states[index] = .settled }
        }
    }

    func makeError(_ cause: ContainerError) -> BatchError {
        func items(_ state: State) -> [ContainerPath] {
            zip(entries, states).filter { $0.1 == state }.map(\.0.item)
        }
        return BatchError(
            saved: items(.settled), uncertain: items(.visible), notSaved: items(.waiting), cause: cause)
    }
}

extension SaveBatch.Entry {
    /// Creates an error with the whole path, because the batch opens files by their last component.
    fileprivate func makeError(_ error: AtomicWriteError) -> ContainerError {
        let cause = FileSystemError(error.cause.operation, path: path, errno: error.cause.errno)
        guard case .leftover(let name) = error.stage else {
            return ContainerError(AtomicWriteError(stage: error.stage, cause: cause))
        }
        let leftover = path.removingLastComponent().appending(name.components)
        return ContainerError(AtomicWriteError(stage: .leftover(leftover), cause: cause))
    }
}
