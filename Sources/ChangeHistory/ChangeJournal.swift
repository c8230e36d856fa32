package import FileSystem
package import Foundation
internal import SystemPackage

/// The journal of a change, written before its first step: enough to revert all of it.
package struct ChangeJournal: Codable, Sendable {
    /// The access and modification times of a directory before its entries changed.
    struct Times: Codable, Sendable {
        let path: Data
        let accessed: [Int64]
        let modified: [Int64]
    }

    /// The version of the file format.
    static let form = "sandboxlint-undo/1"
    private(set) var form = ChangeJournal.form
    package let steps: [ChangeStep]
    private let times: [Times]
    /// The change for a list. Nil for a fix of the linter.
    package let summary: ChangeSummary?

    /// Creates a journal of steps, in execution order, for the current state of a container.
    package init(_ steps: [ChangeStep], _ summary: ChangeSummary? = nil, in container: Folder) throws(FileSystemError) {
        self.steps = steps
        self.summary = summary
        var seen: Set<[UInt8]> = []
        var times: [Times] = []
        for path in steps.filter(\.changesNames).flatMap(\.paths).map(Self.parent) {
            guard seen.insert(path).inserted,
                let status = try container.statusIfPresent(FilePath(bytes: path)), status.kind == .directory
            else { continue }
            times.append(
                Times(
                    path: Data(path),
                    accessed: [status.accessed.seconds, Int64(status.accessed.nanoseconds)],
                    modified: [status.modified.seconds, Int64(status.modified.nanoseconds)]))
        }
        self.times = times
    }

    private init(_ steps: [ChangeStep], _ times: [Times], _ summary: ChangeSummary?) {
        (self.steps, self.times, self.summary) = (steps, times, summary)
    }

    /// Returns the journal with some of its steps, after the others were reverted.
    package func with(_ steps: [ChangeStep], _ summary: ChangeSummary) -> ChangeJournal {
        ChangeJournal(steps, times, summary)
    }

    /// Returns the journal with a summary.
    package func with(_ summary: ChangeSummary?) -> ChangeJournal { ChangeJournal(steps, times, summary) }

    /// Applies every step. Keeps the modification times of directories, since rules evaluate the age of the app's
    /// changes.
    ///
    /// - Throws: The failure with the number of the step. Earlier steps are applied.
    package func apply(to container: Folder, aside: Folder) throws(FailedStep) {
        for (number, step) in steps.enumerated() {
            do throws(FileSystemError) { try step.apply(to: container, aside: aside) } catch {
                throw FailedStep(number: number, cause: error)
            }
        }
        do throws(FileSystemError) { try restoreTimes(in: container) } catch {
            throw FailedStep(number: nil, cause: error)
        }
    }

    /// Reverts every step, the last one first.
    ///
    /// - Returns: The steps that cannot be reverted without a loss, with their paths.
    package func revert(
        in container: Folder, aside: Folder
    ) throws(FileSystemError) -> [(path: [UInt8], reason: String)] {
        var kept: [(path: [UInt8], reason: String)] = []
        for step in steps.reversed() {
            if let reason = try step.revert(in: container, aside: aside) { kept.append((step.paths[0], reason)) }
        }
        try restoreTimes(in: container)
        return kept
    }

    /// Flushes all changed items to disk.
    package func finish(in container: Folder, aside: Folder) throws(FileSystemError) {
        guard steps.count <= Self.mostFlushes else {
            try container.syncTree()
            return try aside.sync()
        }
        var directories: Set<[UInt8]> = []
        for step in steps {
            guard step.changesNames else {
                let path = FilePath(bytes: step.paths[0]).orSelf
                if try container.statusIfPresent(FilePath(bytes: step.paths[0])) != nil {
                    try container.open(path, followingLinks: false).sync()
                }
                continue
            }
            for path in step.paths.map(Self.parent) where directories.insert(path).inserted {
                let path = FilePath(bytes: path)
                if path.isEmpty { try container.sync() } else { try Self.folder(path, in: container)?.sync() }
            }
        }
        try aside.sync()
    }

    /// The number of steps above which the whole file system is flushed with one call.
    private static let mostFlushes = 1000

    private static func parent(_ path: [UInt8]) -> [UInt8] {
        path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) } ?? []
    }

    private static func folder(_ path: FilePath, in container: Folder) throws(FileSystemError) -> Folder? {
        guard try container.statusIfPresent(path)?.kind == .directory else { return nil }
        return try container.openFolder(path)
    }

    func restoreTimes(in container: Folder) throws(FileSystemError) {
        for times in times {
            guard times.accessed.count == 2, times.modified.count == 2 else { continue }
            let path = FilePath(bytes: times.path)
            do throws(FileSystemError) {
                // The directory itself has no name in it; "." refers to the open directory.
                let directory = try container.open(path.orSelf, followingLinks: false)
                guard try directory.status().kind == .directory else { continue }
                try directory.setTimes(
                    accessed: Timestamp(times.accessed), modified: Timestamp(times.modified))
            } catch {
                guard error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory else { throw error }
            }
        }
    }
}

/// A change as a list shows it.
package struct ChangeSummary: Codable, Sendable, Hashable {
    /// The kind of the change, as a word of its caller.
    package let action: String
    /// The first paths of the changed items, relative to the container. At most three.
    package let paths: [Data]
    /// The number of the changed items, without those below directories.
    package let count: Int
    /// The new path, or the directory of several new paths.
    package let target: Data?
    /// The number of items, with those below directories.
    package let items: Int
    /// The bytes of content.
    package let bytes: UInt64
    /// The bytes that the undo folder keeps until the entry is emptied.
    package let kept: UInt64
    /// The time of the change, in seconds since 1970.
    package let date: Int64

    package init(
        _ action: String, paths: [[UInt8]], target: [UInt8]? = nil, items: Int, bytes: UInt64, kept: UInt64,
        date: Int64 = Timestamp.now.seconds
    ) {
        self.action = action
        self.paths = paths.prefix(3).map { Data($0) }
        count = paths.count
        self.target = target.map { Data($0) }
        (self.items, self.bytes, self.kept, self.date) = (items, bytes, kept, date)
    }
}

/// The failure of a step.
package struct FailedStep: Error {
    /// The number of the step; nil for a failure after all steps.
    package let number: Int?
    package let cause: FileSystemError

    package init(number: Int?, cause: FileSystemError) { (self.number, self.cause) = (number, cause) }
}

extension Timestamp {
    fileprivate init(_ parts: [Int64]) {
        self.init(seconds: parts[0], nanoseconds: UInt32(truncatingIfNeeded: parts[1]))
    }
}
