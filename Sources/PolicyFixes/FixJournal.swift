internal import FileSystem
internal import Foundation
internal import PolicyTexts
internal import StoragePolicy
internal import SystemPackage

/// The journal of a fix, written before the first change: enough to revert all of it.
struct FixJournal: Codable, Sendable {
    /// The access and modification times of a directory before its entries changed.
    struct Times: Codable, Sendable {
        let path: Data
        let accessed: [Int64]
        let modified: [Int64]
    }

    /// The version of the file format.
    static let form = "sandboxlint-undo/1"
    private(set) var form = FixJournal.form
    let steps: [FixStep]
    let times: [Times]

    /// Creates a journal of steps, in execution order, for the current state of a container.
    init(_ steps: [FixStep], in container: Folder) throws(FileSystemError) {
        self.steps = steps
        var seen: Set<[UInt8]> = []
        var times: [Times] = []
        for path in steps.filter(\.changesNames).flatMap(\.paths).map(ItemPath.parent) {
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

    /// Applies every step. Keeps the modification times of directories, since rules evaluate the age of the app's
    /// changes.
    ///
    /// - Throws: The failure with the number of the step. Earlier steps are applied.
    func apply(to container: Folder, aside: Folder) throws(FailedStep) {
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
    func revert(in container: Folder, aside: Folder) throws(FileSystemError) -> [(path: [UInt8], reason: String)] {
        var kept: [(path: [UInt8], reason: String)] = []
        for step in steps.reversed() {
            if let reason = try step.revert(in: container, aside: aside) { kept.append((step.paths[0], reason)) }
        }
        try restoreTimes(in: container)
        return kept
    }

    /// Flushes all changed items to disk.
    func finish(in container: Folder, aside: Folder) throws(FileSystemError) {
        var directories: Set<[UInt8]> = []
        for step in steps {
            guard step.changesNames else {
                let path = FilePath(bytes: step.paths[0]).orSelf
                if try container.statusIfPresent(FilePath(bytes: step.paths[0])) != nil {
                    try container.open(path, followingLinks: false).sync()
                }
                continue
            }
            for path in step.paths.map(ItemPath.parent) where directories.insert(path).inserted {
                let path = FilePath(bytes: path)
                if path.isEmpty { try container.sync() } else { try Self.folder(path, in: container)?.sync() }
            }
        }
        try aside.sync()
    }

    private static func folder(_ path: FilePath, in container: Folder) throws(FileSystemError) -> Folder? {
        guard try container.statusIfPresent(path)?.kind == .directory else { return nil }
        return try container.openFolder(path)
    }

    private func restoreTimes(in container: Folder) throws(FileSystemError) {
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

/// The failure of a step.
struct FailedStep: Error {
    /// The number of the step; nil for a failure after all steps.
    let number: Int?
    let cause: FileSystemError
}

extension Timestamp {
    fileprivate init(_ parts: [Int64]) {
        self.init(seconds: parts[0], nanoseconds: UInt32(truncatingIfNeeded: parts[1]))
    }
}
