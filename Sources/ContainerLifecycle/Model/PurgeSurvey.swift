internal import AppContainer
package import ContainerTree
package import FileSystem

/// The items in the purgeable locations of a container: Library/Caches and tmp.
///
/// An item that is excluded from backup, by its own attribute or that of a parent directory, is spared, and so are the
/// directories that lead to it.
package final class PurgeSurvey: ItemVisitor {
    /// An item that a purge may remove, or that is spared.
    package struct Candidate: Sendable {
        package let path: [UInt8]
        package let status: FileStatus
        package let isSpared: Bool
    }

    private struct State {
        var candidates: [Candidate] = []
        var keptDirectories: Set<[UInt8]> = []
    }
    private let state = LockedValue(State())
    private let collectsCandidates: Bool

    /// Creates a survey.
    ///
    /// - Parameter collectsCandidates: False to collect only the directories that lead to spared items.
    package init(collectsCandidates: Bool) { self.collectsCandidates = collectsCandidates }

    /// The items in the order of arrival, without Library/Caches and tmp.
    package var candidates: [Candidate] { state.withLock { $0.candidates } }
    /// The directories that lead to spared items.
    package var keptDirectories: Set<[UInt8]> { state.withLock { $0.keptDirectories } }

    /// Returns true if a purge may remove the items of a directory.
    package static func isPurgeable(_ directory: Directory) -> Bool {
        directory.location == .temporary || directory.location.purge == .anyTime
    }

    package func root(_ item: Item, directory: Directory) {}
    package func begin(_ directory: Directory, context: Void) -> [Candidate] { [] }

    package func visit(
        _ item: Item, in directory: Directory, context: Void, into accumulator: inout [Candidate]
    ) {
        guard Self.isPurgeable(directory) else { return }
        let isSpared = directory.exclusion(stateOf: item) == .excluded
        if isSpared { store(directory) }
        guard collectsCandidates else { return }
        accumulator.append(
            Candidate(path: directory.path(of: item), status: item.status, isSpared: isSpared))
    }

    package func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Void,
        into accumulator: inout [Candidate]
    ) {
        guard Self.isPurgeable(directory) else { return }
        let isSpared = subdirectory.exclusion.state == .excluded
        if isSpared { store(subdirectory) }
        guard collectsCandidates else { return }
        accumulator.append(Candidate(path: subdirectory.path, status: item.status, isSpared: isSpared))
    }

    package func end(_ directory: Directory, context: Void, accumulator: [Candidate]) {
        guard !accumulator.isEmpty else { return }
        state.withLock { $0.candidates += accumulator }
    }

    package func failed(_ failure: WalkFailure) {}

    private func store(_ directory: Directory) {
        state.withLock { state in
            var path = directory.path[...]
            while !path.isEmpty, state.keptDirectories.insert(Array(path)).inserted {
                path = path.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? []
            }
        }
    }
}
