extension PropertyListValue {
    /// An array's members in order, nil where this is no array.
    package var members: [PropertyListValue]? {
        guard case .array(let indexes) = node else { return nil }
        return indexes.map { PropertyListValue(graph: graph, index: $0) }
    }

    /// A dictionary's pairs in the order of the file, nil where this is no dictionary.
    package var pairs: [(key: String, value: PropertyListValue)]? {
        guard case .dictionary(let pairs) = node else { return nil }
        return pairs.compactMap { pair in
            guard case .string(let key) = graph.nodes[pair.key] else { return nil }
            return (key, PropertyListValue(graph: graph, index: pair.value))
        }
    }

    /// A dictionary's pair by its place in the file, nil outside it or where this is no dictionary.
    package func pair(at position: Int) -> (key: String, value: PropertyListValue)? {
        guard case .dictionary(let pairs) = node, pairs.indices.contains(position),
            case .string(let key) = graph.nodes[pairs[position].key]
        else { return nil }
        return (key, PropertyListValue(graph: graph, index: pairs[position].value))
    }

    /// How many members an array or pairs a dictionary has, without reading them; 0 for anything else.
    package var count: Int {
        switch node {
        case .array(let indexes): indexes.count
        case .dictionary(let pairs): pairs.count
        default: 0
        }
    }
}
