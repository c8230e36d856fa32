/// A property list that was read, as nodes that refer to each other by number.
///
/// Shared values and cycles are preserved, so that the graph is never larger than its bytes. `PropertyListValue`
/// provides access step by step.
package struct PropertyListGraph: Sendable {
    /// A value. Containers refer to their elements.
    package enum Node: Sendable, Hashable {
        case null, boolean(Bool), integer(Int64), unsigned(UInt64), real(Double)
        /// A floating-point number with four bytes.
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

    /// The limits for reading.
    package struct Limits: Sendable {
        package var bytes = 64 << 20
        package var objects = 1_000_000
        /// The bytes of all strings and data, and eight for each element of a container.
        package var contents = 64 << 20

        package init() {}
    }

    /// The treatment of text that is not valid in its encoding, such as half a surrogate pair.
    package enum BrokenText: Sendable {
        /// Refuses the list, because a save would lose data.
        case refused
        /// Replaces invalid parts with U+FFFD.
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
    /// - Throws: The problem and its offset in bytes; for XML, the offset in its UTF-8 form. No input traps, and the
    ///   cost is bounded by the size of the input and the limits.
    package init(
        parsing bytes: [UInt8], limits: Limits = Limits(), brokenText: BrokenText = .refused
    ) throws(PropertyListError) {
        guard bytes.count <= limits.bytes else { throw PropertyListError(.tooLarge, at: 0, "too many bytes") }
        if bytes.starts(with: BinaryReader.magic) {
            self = try BinaryReader(bytes: bytes, limits: limits, brokenText: brokenText).graph()
        } else if let text = try XMLEncoding.utf8(bytes, brokenText: brokenText) {
            self = try XMLReader(bytes: text, limits: limits, brokenText: brokenText).graph()
        } else {
            throw PropertyListError(.notAPropertyList, at: 0, "neither a binary nor an XML property list")
        }
    }

    /// The root value.
    package var root: PropertyListValue { PropertyListValue(graph: self, index: top) }
}

/// A value in a graph.
package struct PropertyListValue: Sendable {
    let graph: PropertyListGraph
    /// The number of the value in the graph. Equal numbers are the same value.
    package let index: Int

    init(graph: PropertyListGraph, index: Int) {
        self.graph = graph
        self.index = index
    }

    /// The node of the value.
    package var node: PropertyListGraph.Node { graph.nodes[index] }

    /// Returns the value of a dictionary for a key, or nil.
    package subscript(key: String) -> PropertyListValue? {
        guard case .dictionary(let pairs) = node else { return nil }
        return pairs.first { graph.nodes[$0.key] == .string(key) }.map {
            PropertyListValue(graph: graph, index: $0.value)
        }
    }

    /// Returns an element of an array, or nil.
    package subscript(position: Int) -> PropertyListValue? {
        guard case .array(let members) = node, members.indices.contains(position) else { return nil }
        return PropertyListValue(graph: graph, index: members[position])
    }

    /// The value as a string, or nil.
    package var string: String? {
        guard case .string(let text) = node else { return nil }
        return text
    }
}
