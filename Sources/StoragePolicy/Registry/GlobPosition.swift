/// How far patterns of paths have matched on the way down to a directory, so that each name costs one comparison a
/// pattern that is still open and no path is put together.
struct GlobPosition: Sendable {
    private struct State: Sendable {
        let index: Int
        let glob: PathGlob
        let position: Int
        /// The name that would complete the pattern here, if one name can.
        let last: Glob?
        /// Whether what has that name must be a directory.
        let needsDirectory: Bool

        init(_ index: Int, _ glob: PathGlob, position: Int) {
            self.index = index
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

        func takes(_ name: UnsafeRawBufferPointer, isDirectory: Bool) -> Bool {
            guard let last, isDirectory || !needsDirectory else { return false }
            return last.matches(name)
        }
    }

    /// The patterns, by their indexes, that take all that lies in this directory.
    let taken: [Int]
    private let states: [State]

    /// The container's own directory.
    init(_ globs: [PathGlob]) {
        taken = globs.indices.filter { globs[$0].takesAllBelow(0) }
        states = globs.enumerated().map { State($0, $1, position: 0) }
    }

    private init(taken: [Int], states: [State]) {
        self.taken = taken
        self.states = states
    }

    /// Whether any pattern takes an item of this name here.
    func hasMatch(_ name: UnsafeRawBufferPointer, isDirectory: Bool) -> Bool {
        if !taken.isEmpty { return true }
        for state in states where state.takes(name, isDirectory: isDirectory) { return true }
        return false
    }

    /// The patterns that take an item of this name here, by their indexes.
    func matches(_ name: UnsafeRawBufferPointer, isDirectory: Bool) -> [Int] {
        (taken + completed(by: name, isDirectory: isDirectory)).sorted()
    }

    /// Those of them that the item's own name completes: its directory is not taken by them.
    func completed(by name: UnsafeRawBufferPointer, isDirectory: Bool) -> [Int] {
        var found: [Int] = []
        for state in states where state.takes(name, isDirectory: isDirectory) {
            if !taken.contains(state.index), !found.contains(state.index) { found.append(state.index) }
        }
        return found
    }

    /// The position in a subdirectory.
    func entering(_ name: UnsafeRawBufferPointer) -> GlobPosition {
        var taken = taken
        var next: [State] = []
        for state in states {
            for position in state.glob.step(state.position, name) {
                if state.glob.takesAllBelow(position) {
                    if !taken.contains(state.index) { taken.append(state.index) }
                } else if position < state.glob.components.count {
                    next.append(State(state.index, state.glob, position: position))
                }
            }
        }
        return GlobPosition(taken: taken, states: next)
    }
}
