internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
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
            let list = try PropertyListGraph(parsing: bytes, brokenText: .replaced)
            if facts.run.model != nil, facts.setting.context.isWeighed {
                facts.run.stores.add(list, at: facts.directory.path(of: facts.item))
            }
            return .graph(list)
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

/// The property lists in a file: its own first, and those in its data values, as preferences hold archives.
///
/// At most 256, three levels deep, 16 MiB within others together.
enum ContainedListsFact: Fact {
    static let name = "contained property lists"
    static let cost = Cost.read

    struct List: Sendable {
        /// The position among the lists of the file.
        let number: Int
        /// The location in the file.
        let pointer: ValuePointer
        let graph: PropertyListGraph
        fileprivate let depth: Int
    }

    private static let most = 256
    private static let deepest = 3
    private static let limit = 16 << 20

    static func value(of facts: ItemFacts) -> [List] {
        guard case .graph(let own) = facts[PropertyListFact.self] else { return [] }
        var lists = [List(number: 0, pointer: .root, graph: own, depth: 0)]
        var (next, bytes) = (0, 0)
        while next < lists.count {
            let list = lists[next]
            next += 1
            // Most lists have no such value.
            guard list.depth < deepest, list.graph.nodes.contains(where: { isList($0) }) else { continue }
            var walk = PropertyListWalk(in: list.graph)
            walk.start(at: list.graph.root)
            while let node = walk.next() {
                guard case .data(let data) = node, isList(node) else { continue }
                guard lists.count < most, bytes + data.count <= limit else {
                    facts.leaveOut(.tooManyContainedPropertyLists)
                    break
                }
                bytes += data.count
                if let graph = graph(data) {
                    let (pointer, depth) = (walk.pointer(from: list.pointer), list.depth + 1)
                    lists.append(List(number: lists.count, pointer: pointer, graph: graph, depth: depth))
                }
            }
        }
        return lists
    }

    private static func isList(_ node: PropertyListGraph.Node) -> Bool {
        guard case .data(let data) = node else { return false }
        return data.starts(with: "bplist00".utf8)
    }

    private static func graph(_ data: [UInt8]) -> PropertyListGraph? {
        var limits = PropertyListGraph.Limits()
        // Honest writers pack at most that into a byte; objects that lie over each other would come to more.
        limits.contents = data.count * 8 + 4096
        return try? PropertyListGraph(parsing: data, limits: limits, brokenText: .replaced)
    }
}
