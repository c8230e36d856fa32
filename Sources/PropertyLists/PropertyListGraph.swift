/// A property list as it was read: nodes that name each other by number.
///
/// What is shared stays shared and a cycle stays a cycle, so that no input can make the graph larger than its
/// bytes. It is walked through `PropertyListValue`, a step at a time.
package struct PropertyListGraph: Sendable {
    /// One value; containers name their members.
    package enum Node: Sendable, Hashable {
        case null, boolean(Bool), integer(Int64), unsigned(UInt64), real(Double)
        /// A real number that was written in four bytes.
        case single(Float)
        /// Seconds since 2001-01-01T00:00:00Z.
        case date(Double)
        case data([UInt8]), string(String), uid(UInt64)
        case array([Int])
        case dictionary([Pair])
    }
    /// A key and its value, by number.
    package struct Pair: Sendable, Hashable {
        package let key: Int
        package let value: Int
    }

    /// How much is read at most.
    package struct Limits: Sendable {
        package var bytes = 64 << 20
        package var objects = 1_000_000
        /// Bytes of all texts and data together, and eight for each member of a container.
        package var contents = 64 << 20

        package init() {}
    }

    /// The treatment of text that is not of its encoding, as half a surrogate pair.
    package enum BrokenText: Sendable {
        /// The list is refused: a save of what was read would lose something.
        case refused
        /// U+FFFD takes the place of what cannot be read.
        case replaced
    }

    let nodes: [Node]
    let top: Int

    init(nodes: [Node], top: Int) {
        self.nodes = nodes
        self.top = top
    }

    /// Reads a property list, binary or XML.
    ///
    /// - Throws: What is wrong, and at which byte; of an XML list, at which byte of it as UTF-8. No input traps, and
    ///   none costs more than its size and the limits.
    package init(
        parsing bytes: [UInt8], limits: Limits = Limits(), brokenText: BrokenText = .refused
    ) throws(PropertyListError) {
        guard bytes.count <= limits.bytes else { throw PropertyListError(.tooLarge, at: 0, "too many bytes") }
        if bytes.starts(with: BinaryReader.magic) {
            self = try BinaryReader(bytes: bytes, limits: limits, brokenText: brokenText).graph()
        } else if let text = try XMLEncoding.utf8(bytes, brokenText: brokenText) {
            self = try XMLReader(bytes: text, limits: limits, brokenText: brokenText).graph()
        } else {
            throw PropertyListError(.notAPropertyList, at: 0, "neither a binary property list nor an XML one")
        }
    }

    /// The value that all others hang on.
    package var root: PropertyListValue { PropertyListValue(graph: self, index: top) }
}

/// A place in a graph.
package struct PropertyListValue: Sendable {
    let graph: PropertyListGraph
    /// Which of the graph's values it is: the same number is the same value, wherever it is met.
    package let index: Int

    init(graph: PropertyListGraph, index: Int) {
        self.graph = graph
        self.index = index
    }

    /// The value here.
    package var node: PropertyListGraph.Node { graph.nodes[index] }

    /// A dictionary's value for a key, nil where there is none or this is no dictionary.
    package subscript(key: String) -> PropertyListValue? {
        guard case .dictionary(let pairs) = node else { return nil }
        return pairs.first { graph.nodes[$0.key] == .string(key) }.map {
            PropertyListValue(graph: graph, index: $0.value)
        }
    }

    /// An array's member, nil outside it or where this is no array.
    package subscript(position: Int) -> PropertyListValue? {
        guard case .array(let members) = node, members.indices.contains(position) else { return nil }
        return PropertyListValue(graph: graph, index: members[position])
    }

    /// The text here, nil where it is none.
    package var string: String? {
        guard case .string(let text) = node else { return nil }
        return text
    }
}
