/// A cursor that walks a property list in depth-first order.
///
/// It stores positions, not names: a list of one megabyte may have a million levels with long names.
package struct PropertyListCursor {
    /// The current value.
    package private(set) var value: PropertyListValue
    /// The containing collections, and the next member of each.
    private var above: [(value: PropertyListValue, next: Int)] = []

    package init(to root: PropertyListValue) { value = root }

    /// Continues with the members of the current value.
    package mutating func enter() { above.append((value, 0)) }

    /// Moves to the next value; returns false at the end.
    package mutating func advance() -> Bool {
        while let (container, next) = above.last {
            guard next < container.count else {
                above.removeLast()
                continue
            }
            above[above.count - 1].next += 1
            guard let member = container[next] ?? container.pair(at: next)?.value else { continue }
            value = member
            return true
        }
        return false
    }

    private static let longest = 1_024

    /// Returns the path of the current value after `start`, truncated at 1,024 bytes.
    package func pointer(from start: String) -> String {
        var bytes = Array(start.utf8)
        for (container, next) in above {
            guard bytes.count <= Self.longest else { break }
            bytes.append(UInt8(ascii: "/"))
            bytes += (container.pair(at: next - 1)?.key ?? "\(next - 1)").utf8.prefix(Self.longest)
        }
        guard bytes.count > Self.longest else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.prefix(Self.longest), as: UTF8.self) + "…"
    }
}

/// The strings of a property list, including those of binary lists that its data values hold.
package enum PropertyListStrings {
    /// The first bytes of a binary property list.
    package static let magic = Array("bplist00".utf8)
    private static let blanks = Array(" \t\r\n\u{feff}".utf8)
    private static let deepest = 3

    /// Returns true if a file with these first bytes may be a property list.
    package static func isPossible(_ start: [UInt8]) -> Bool {
        start.starts(with: magic) || start.first { !blanks.contains($0) } == UInt8(ascii: "<")
    }

    /// Passes each string with a closure that returns its path in the list, such as `/recent/0`. A shared value is passed
    /// once. Does nothing for other content, and for a list of more than `limit` bytes.
    package static func visit(_ bytes: [UInt8], limit: Int, _ body: (String, () -> String) -> Void) {
        visit(bytes, limit: limit, pointer: "", depth: 0, body)
    }

    private static func visit(
        _ bytes: [UInt8], limit: Int, pointer: String, depth: Int, _ body: (String, () -> String) -> Void
    ) {
        var limits = PropertyListGraph.Limits()
        limits.bytes = limit
        guard let graph = try? PropertyListGraph(parsing: bytes, limits: limits, brokenText: .replaced) else { return }
        // A shared value is visited once, and cycles terminate.
        var seen: Set<Int> = []
        var cursor = PropertyListCursor(to: graph.root)
        repeat {
            guard seen.insert(cursor.value.index).inserted else { continue }
            switch cursor.value.node {
            case .string(let text): body(text) { cursor.pointer(from: pointer) }
            case .data(let inner) where depth < deepest && inner.starts(with: magic):
                visit(inner, limit: limit, pointer: cursor.pointer(from: pointer) + "/", depth: depth + 1, body)
            case .array, .dictionary: cursor.enter()
            default: continue
            }
        } while cursor.advance()
    }
}
