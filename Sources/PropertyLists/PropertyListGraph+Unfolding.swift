extension PropertyListGraph {
    /// Makes sure that the graph can be read as a tree, as decoders do that follow every reference: no value holds
    /// itself, none lies deeper than `depth`, and written out, shared values each time anew, there are at most
    /// `count`.
    ///
    /// - Throws: `malformed` for a cycle, `tooLarge` for what passes a limit. The cost is that of the graph, not of
    ///   what it would unfold to.
    package func requireUnfolding(depth: Int = 512, count: Int = 1_000_000) throws(PropertyListError) {
        /// What is known of a value: nothing, that it is above the one looked at, or what it unfolds to.
        enum Seen { case no, above, done(count: Int, depth: Int) }
        var seen = [Seen](repeating: .no, count: nodes.count)
        var path: [(index: Int, members: [Int], next: Int, count: Int, depth: Int)] = []

        func enter(_ index: Int) {
            seen[index] = .above
            path.append((index, members(of: index), 0, 1, 1))
        }
        enter(top)
        while let last = path.indices.last {
            guard path[last].next < path[last].members.count else {
                let done = path.removeLast()
                seen[done.index] = .done(count: done.count, depth: done.depth)
                continue
            }
            let member = path[last].members[path[last].next]
            switch seen[member] {
            case .no:
                guard path.count < depth else {
                    throw PropertyListError(.tooLarge, at: 0, "values more than \(depth) levels deep")
                }
                enter(member)
            case .above: throw PropertyListError(.malformed, at: 0, "a value that holds itself")
            case .done(let count, let depth):
                path[last].next += 1
                path[last].count += count
                path[last].depth = max(path[last].depth, depth + 1)
            }
            guard path[path.count - 1].count <= count else {
                throw PropertyListError(.tooLarge, at: 0, "more than \(count) values, written out")
            }
            guard path[last].depth + last <= depth else {
                throw PropertyListError(.tooLarge, at: 0, "values more than \(depth) levels deep")
            }
        }
    }

    private func members(of index: Int) -> [Int] {
        switch nodes[index] {
        case .array(let members): members
        case .dictionary(let pairs): pairs.flatMap { [$0.key, $0.value] }
        default: []
        }
    }
}
