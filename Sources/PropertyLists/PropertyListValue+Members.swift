extension PropertyListValue {
    /// The elements of an array in order, or nil.
    package var members: [PropertyListValue]? {
        guard case .array(let indexes) = node else { return nil }
        return indexes.map { PropertyListValue(graph: graph, index: $0) }
    }

    /// The pairs of a dictionary in the order of the file, or nil.
    package var pairs: [(key: String, value: PropertyListValue)]? {
        guard case .dictionary(let pairs) = node else { return nil }
        return pairs.compactMap { pair in
            guard case .string(let key) = graph.nodes[pair.key] else { return nil }
            return (key, PropertyListValue(graph: graph, index: pair.value))
        }
    }

    /// Returns a pair of a dictionary by its position in the file, or nil.
    package func pair(at position: Int) -> (key: String, value: PropertyListValue)? {
        guard case .dictionary(let pairs) = node, pairs.indices.contains(position),
            case .string(let key) = graph.nodes[pairs[position].key]
        else { return nil }
        return (key, PropertyListValue(graph: graph, index: pairs[position].value))
    }

    /// The number of elements of an array or pairs of a dictionary, or 0. Does not read them.
    package var count: Int {
        switch node {
        case .array(let indexes): indexes.count
        case .dictionary(let pairs): pairs.count
        default: 0
        }
    }
}
