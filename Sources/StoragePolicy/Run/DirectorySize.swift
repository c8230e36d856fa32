internal import FileSystem

/// The bytes of all files below a directory, or of a sum of directories. They are final when the walk is over: a rule
/// reports a directory before its content is read.
final class DirectorySize: Sendable {
    private struct State {
        var bytes: UInt64 = 0
        /// The sums that include the directory, besides the directory above it.
        var sums: [DirectorySize] = []
    }

    private let parent: DirectorySize?
    private let state = LockedValue(State())

    init(in parent: DirectorySize? = nil) { self.parent = parent }

    /// The bytes that have been added so far.
    var bytes: UInt64 { state.withLock { $0.bytes } }

    /// Adds the bytes of files to the directory, to those above it and to all sums that include one of them.
    func add(_ bytes: UInt64) {
        guard bytes > 0 else { return }
        for size in sequence(first: self, next: \.parent) {
            let sums = size.state.withLock { state in
                state.bytes = state.bytes.addingSaturated(bytes)
                return state.sums
            }
            for sum in sums { sum.add(bytes) }
        }
    }

    /// Includes the directory in a sum, with what has been added and what will be.
    func count(in sum: DirectorySize) {
        let bytes = state.withLock { state in
            state.sums.append(sum)
            return state.bytes
        }
        sum.add(bytes)
    }
}
