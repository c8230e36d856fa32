internal import FileSystem

/// The matching state of the registry patterns at a directory.
final class RegistryPosition: Sendable {
    /// An entry whose pattern waits at a component. The positions of a run share them.
    fileprivate final class State: Sendable {
        let entry: Int
        let glob: PathGlob
        let position: Int
        /// The name that would complete the pattern here, if one name can.
        let last: Glob?
        /// True if what has that name must be a directory.
        let needsDirectory: Bool

        init(entry: Int, glob: PathGlob, position: Int) {
            self.entry = entry
            self.glob = glob
            self.position = position
            let next = glob.components[position...].firstIndex { $0 != .anyDepth } ?? glob.components.count
            if next < glob.components.count, case .name(let name) = glob.components[next], glob.isEnd(next + 1) {
                last = name
            } else {
                last = nil
            }
            needsDirectory = next + 1 < glob.components.count
        }

        func matches(_ name: UnsafeRawBufferPointer, isDirectory: Bool) -> Bool {
            guard let last, isDirectory || !needsDirectory else { return false }
            return last.matches(name)
        }
    }

    /// The identity of a position: the entries that match everything below, and the waiting entries with their
    /// progress.
    fileprivate struct Key: Hashable, Sendable {
        let taken: [Int]
        /// The index of each entry, and the component at which its pattern waits.
        let waiting: [Int]
    }

    /// Entries that take all that lies in this directory.
    let taken: [Int]
    private let states: [State]
    /// The names that complete a pattern: of any item, or (the trait `directory`) of a directory only.
    private let names: NameMatcher

    fileprivate init(taken: [Int], states: [State]) {
        self.taken = taken
        self.states = states
        names = NameMatcher(
            states.compactMap { state in state.last.map { ($0, state.needsDirectory ? .directory : .registered) } })
    }

    /// Returns true if an entry matches an item with this name here.
    @inline(__always)
    func hasMatch(_ name: UnsafeRawBufferPointer, isDirectory: Bool) -> Bool {
        if !taken.isEmpty { return true }
        let found = names.traits(of: name)
        return found.contains(.registered) || isDirectory && found.contains(.directory)
    }

    /// The entries that take an item of this name here, as indexes into the registry.
    func matches(_ name: UnsafeRawBufferPointer, isDirectory: Bool) -> [Int] {
        guard hasMatch(name, isDirectory: isDirectory) else { return [] }
        var found = taken
        for state in states where state.matches(name, isDirectory: isDirectory) && !found.contains(state.entry) {
            found.append(state.entry)
        }
        return found.sorted()
    }

    /// The position in a subdirectory, one of the positions of a run.
    func entering(_ name: UnsafeRawBufferPointer, positions: RegistryPositions) -> RegistryPosition {
        var taken = taken
        var next: [State] = []
        for state in states {
            for position in state.glob.step(state.position, name: name) {
                if state.glob.takesAllBelow(position) {
                    if !taken.contains(state.entry) { taken.append(state.entry) }
                } else if position < state.glob.components.count {
                    next.append(positions.states[state.entry][position])
                }
            }
        }
        let key = Key(taken: taken, waiting: next.flatMap { [$0.entry, $0.position] })
        return positions.position(for: key) { RegistryPosition(taken: taken, states: next) }
    }
}

/// The positions of a run. Directories in which the same patterns wait share one, so that a pattern is compiled once and not
/// once a directory.
final class RegistryPositions: Sendable {
    /// The position in the container's own directory.
    let root: RegistryPosition
    /// The states of each entry, by the component at which its pattern waits.
    fileprivate let states: [[RegistryPosition.State]]
    private let known = LockedValue<[RegistryPosition.Key: RegistryPosition]>([:])

    init(_ registry: Registry) {
        states = registry.entries.enumerated().map { index, entry in
            entry.path.components.indices.map { .init(entry: index, glob: entry.path, position: $0) }
        }
        root = RegistryPosition(taken: [], states: states.compactMap(\.first))
    }

    fileprivate func position(
        for key: RegistryPosition.Key, _ make: () -> RegistryPosition
    ) -> RegistryPosition {
        known.withLock { known in
            if let same = known[key] { return same }
            let position = make()
            known[key] = position
            return position
        }
    }
}
