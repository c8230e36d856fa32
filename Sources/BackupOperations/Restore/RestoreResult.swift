package import BackupPlan
package import BackupRepository
internal import ContainerTree
internal import FileSystem
internal import SystemPackage

/// The result of a restore.
package struct RestoreResult: Sendable {
    package var files = 0
    package var directories = 0
    package var links = 0
    package var bytes: UInt64 = 0
    /// The number of files and links that matched the snapshot and were not written.
    package var same = 0
    /// The size of the files among these.
    var sameBytes: UInt64 = 0
    /// The number of files and links that were kept, because the snapshot has no later version.
    package var kept = 0
    /// The number of items that were deleted, because the snapshot does not contain them.
    package var deleted = 0
    /// Items that are not restored, or not as they are in the snapshot; sorted by path.
    package var incidents: [Snapshot.Incident] = []
    /// Items that are restored as they are in the snapshot, which does not have them as they were; sorted by path.
    package var remarks: [Snapshot.Incident] = []
    /// Items of an incomplete snapshot that it lacks, or does not have as they were in the container; sorted by path.
    package internal(set) var missing: [Snapshot.Incident] = []
    /// Properties that this user cannot restore.
    package internal(set) var losses: [Loss] = []

    /// True if the rows or the content of an item are damaged.
    package var isDamaged: Bool { incidents.contains { Self.damages.contains($0.reason) } }
    /// True if the target has everything that the container had.
    package var isComplete: Bool { incidents.isEmpty && missing.isEmpty }

    /// The reasons of incidents that are damage.
    private static let damages: Set = ["damaged", "snapshot-damaged"]
}

extension RestoreResult {
    /// A thread-safe accumulator for the result of a running restore.
    final class Accumulator: Sendable {
        private let state: LockedValue<RestoreResult>
        private let progress: @Sendable (Int, UInt64) -> Void

        init(
            missing: [Snapshot.Incident] = [], _ progress: @escaping @Sendable (_ files: Int, _ bytes: UInt64) -> Void
        ) {
            var result = RestoreResult()
            result.missing = missing
            state = LockedValue(result)
            self.progress = progress
        }

        /// The result, in an order that does not depend on the threads.
        var value: RestoreResult {
            var value = state.withLock { $0 }
            value.incidents.sort {
                $0.path == $1.path ? $0.reason < $1.reason : PathOrder.precedes($0.path, $1.path)
            }
            value.remarks.sort { PathOrder.precedes($0.path, $1.path) }
            value.losses.sort { $0.property.rawValue < $1.property.rawValue }
            return value
        }

        func add(_ change: (inout RestoreResult) -> Void) {
            state.withLock { change(&$0) }
            reportProgress()
        }

        /// Reports the progress, with bytes of an unfinished file.
        func reportProgress(unfinished: UInt64 = 0) {
            let (files, bytes) = state.withLock { state in
                var bytes = state.bytes
                bytes.addClamped(state.sameBytes)
                bytes.addClamped(unfinished)
                return (state.files + state.same, bytes)
            }
            progress(files, bytes)
        }

        func record(_ path: [UInt8], reason: String) {
            state.withLock { $0.incidents.append(Snapshot.Incident(path: path, reason: reason)) }
        }

        func lose(_ property: Loss.Property, path: [UInt8]) {
            state.withLock { state in
                let known = state.losses.firstIndex { $0.property == property }
                if known == nil { state.losses.append(Loss(property)) }
                state.losses[known ?? state.losses.count - 1].add(path)
            }
        }

        func remark(_ path: [UInt8], reason: String) {
            state.withLock { $0.remarks.append(Snapshot.Incident(path: path, reason: reason)) }
        }

        /// Records an error in the target.
        ///
        /// - Throws: `full`, which affects all other items too.
        func record(_ path: [UInt8], error: FileSystemError) throws(BackupError) {
            switch error.errno {
            case .noSpace: throw BackupError(error)
            case .fileExists, .isDirectory: record(path, reason: "already-there")
            case .permissionDenied, .notPermitted: record(path, reason: "permission-denied")
            default: record(path, reason: "not-writable")
            }
        }
    }
}
