extension PropertyListGraph {
    /// Checks that the graph can be expanded to a tree, as decoders do that follow every reference: no value contains
    /// itself, none is deeper than `depth`, and there are at most `count` values, counting shared values for each
    /// reference.
    ///
    /// - Throws: `malformed` for a cycle, `tooLarge` beyond a limit. The cost depends on the size of the graph, not of
    ///   the tree.
    package func requireUnfolding(depth: Int = 512, count: Int = 1_000_000) throws(PropertyListError) {
        /// The state of a value: unknown, an ancestor of the current one, or measured.
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
                    throw PropertyListError(.tooLarge, at: 0, "values nested more than \(depth) levels deep")
                }
                enter(member)
            case .above: throw PropertyListError(.malformed, at: 0, "a value contains itself")
            case .done(let count, let depth):
                path[last].next += 1
                path[last].count += count
                path[last].depth = max(path[last].depth, depth + 1)
            }
            guard path[path.count - 1].count <= count else {
                throw PropertyListError(
                    .tooLarge, at: 0, "more than \(count) values, counting shared ones for each reference")
            }
            guard path[last].depth + last <= depth else {
                throw PropertyListError(.tooLarge, at: 0, "values nested more than \(depth) levels deep")
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
