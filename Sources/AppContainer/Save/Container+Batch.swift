internal import FileSystem
internal import SystemPackage

extension Container {
    /// Makes many saves at `.full` for fewer waits on the medium than one by one.
    ///
    /// All new files are written first, then brought down to the medium, and only then do they take their names; at
    /// the end each directory is brought down once. When it returns, all are there to stay. A failure before the
    /// first takes its name leaves everything as it was; one file is always old or new, whole.
    ///
    ///     try container.batch { batch in
    ///         for (name, tile) in tiles { try batch.save(tile, to: .caches(name)) }
    ///     }
    ///
    /// - Parameter fill: Adds the saves; nothing is done before it returns, and nothing at all if it throws.
    /// - Throws: `BatchError`, which tells what landed and what did not; whatever `fill` throws.
    public func batch(_ fill: (inout SaveBatch) throws -> Void) throws {
        var batch = SaveBatch(self)
        try fill(&batch)
        try save(batch.entries)
    }

    func save(_ entries: [SaveBatch.Entry]) throws(BatchError) {
        do throws(ContainerError) {
            var made: Set<FilePath> = []
            for path in entries.map(\.path) where made.insert(path.removingLastComponent()).inserted {
                try makeParent(of: path)
            }
        } catch { throw BatchRun(entries).error(error) }
        try withTurn(at: entries.map(\.path)) { () throws(BatchError) in
            var run = BatchRun(entries)
            do throws(ContainerError) { try run.stage(in: self) } catch { throw run.error(error) }
            do throws(ContainerError) { try run.publish() } catch {
                run.settle()
                throw run.error(error)
            }
            run.settle()
            if let failure = run.settleFailure { throw run.error(failure) }
        }
    }
}

/// A batch as it is saved.
private struct BatchRun {
    private enum State { case waiting, visible, settled }

    private let entries: [SaveBatch.Entry]
    private var states: [State]
    private var staged: [StagedFile] = []
    /// The directories that the saves go to, each opened once.
    private var parents: [FilePath: Folder] = [:]
    private(set) var settleFailure: ContainerError?
    /// Files that are open at a time, of the 256 that the smallest of Apple's systems gives a process.
    private static let window = 64

    init(_ entries: [SaveBatch.Entry]) {
        self.entries = entries
        states = Array(repeating: .waiting, count: entries.count)
    }

    /// Writes every file beside its target and brings its content down; dropped, they are taken away.
    mutating func stage(in container: Container) throws(ContainerError) {
        for start in stride(from: 0, to: entries.count, by: Self.window) {
            let window = entries[start..<min(start + Self.window, entries.count)]
            // All are written, and on their way down, before the first is waited for.
            for entry in window { try write(entry, in: container) }
            for (entry, file) in zip(window, staged[start...]) {
                do throws(ReplaceError) { try file.seal() } catch { throw entry.error(error) }
            }
        }
    }

    private mutating func write(_ entry: SaveBatch.Entry, in container: Container) throws(ContainerError) {
        let directory = entry.path.removingLastComponent()
        if parents[directory] == nil {
            do throws(FileSystemError) { parents[directory] = try container.folder.folder(directory) } catch {
                throw ContainerError(error)
            }
        }
        guard let parent = parents[directory], let name = entry.path.lastComponent else { return }
        let file: StagedFile
        do throws(ReplaceError) {
            file = try StagedFile(entry.replace, for: FilePath(root: nil, [name]), in: parent)
        } catch { throw entry.error(error) }
        staged.append(file)
        do throws(FileSystemError) { try file.file.write(entry.content) } catch {
            throw entry.error(file.discard(after: error))
        }
        file.file.startWriting(from: 0, count: 0)
    }

    /// Lets every file take its name.
    mutating func publish() throws(ContainerError) {
        for (index, file) in staged.enumerated() {
            do throws(ReplaceError) { try file.publish() } catch { throw entries[index].error(error) }
            states[index] = .visible
        }
    }

    /// Brings each directory down once, for all names that have been taken.
    mutating func settle() {
        var done: [ObjectIdentifier: Bool] = [:]
        for (index, file) in staged.enumerated() where states[index] == .visible {
            let parent = ObjectIdentifier(file.parent)
            if done[parent] == nil {
                do throws(ReplaceError) {
                    try file.settle()
                    done[parent] = true
                } catch {
                    settleFailure = settleFailure ?? entries[index].error(error)
                    done[parent] = false
                }
            }
            if done[parent] == true { states[index] = .settled }
        }
    }

    func error(_ cause: ContainerError) -> BatchError {
        func places(_ state: State) -> [ContainerPath] {
            zip(entries, states).filter { $0.1 == state }.map(\.0.place)
        }
        return BatchError(
            landed: places(.settled), unsure: places(.visible), notLanded: places(.waiting), cause: cause)
    }
}

extension SaveBatch.Entry {
    /// The error of a file that was named by its last component alone.
    fileprivate func error(_ error: ReplaceError) -> ContainerError {
        let cause = FileSystemError(error.cause.operation, path, error.cause.errno)
        guard case .leftover(let name) = error.stage else {
            return ContainerError(ReplaceError(stage: error.stage, cause: cause))
        }
        let leftover = path.removingLastComponent().appending(name.components)
        return ContainerError(ReplaceError(stage: .leftover(leftover), cause: cause))
    }
}
