internal import ContainerTree
internal import FileSystem
internal import PropertyLists

/// A file as a property list: the bounded graph, or what is wrong with it. Reads files up to 16 MiB whose beginning is
/// that of one, and those of an empty or unknown beginning that are named so.
enum PropertyListFact: Fact {
    static let name = "property list"
    static let cost = Cost.read
    static let limit = 16 << 20

    enum Value {
        /// Neither its beginning nor its name is a property list's.
        case none
        case graph(PropertyListGraph)
        case broken(PropertyListError)

        var root: PropertyListValue? {
            guard case .graph(let graph) = self else { return nil }
            return graph.root
        }
    }

    static func value(of facts: ItemFacts) -> Value {
        guard facts.item.status.kind == .file, let first = facts[FirstBytesFact.self] else { return .none }
        let isNamed = PathExtension.word(of: facts.item.name) == PathExtension.word("plist")
        guard first.starts(with: Array("bplist".utf8)) || isXML(first) || isNamed else { return .none }
        guard let bytes = facts.content(limit: limit) else { return .none }
        do throws(PropertyListError) {
            return .graph(try PropertyListGraph(parsing: bytes, brokenText: .replaced))
        } catch {
            return .broken(error)
        }
    }

    private static func isXML(_ first: [UInt8]) -> Bool {
        let text = first.starts(with: [0xef, 0xbb, 0xbf]) ? Array(first.dropFirst(3)) : first
        guard text.starts(with: Array("<?xml".utf8)) || text.starts(with: Array("<plist".utf8)) else { return false }
        return String(decoding: text, as: UTF8.self).contains("plist")
    }
}
