internal import ContainerTree
internal import Foundation
internal import PropertyLists

/// A text that a file holds, and where.
struct TextValue: Sendable {
    /// The way to it: `/server/token` in a property list or JSON, `table.column` in a database, `line 3` in a text.
    let pointer: String
    /// The last name on that way, in small letters: what the text is for.
    let key: String
    let text: String
}

/// Every text in a property list (a keyed archive too), in JSON or in an SQLite store, with where it stands. At most 50,000 texts of
/// 64 KiB; JSON up to 5 MiB.
enum TextValuesFact: Fact {
    static let name = "texts"
    static let cost = Cost.read
    static let most = 50_000
    static let longest = 65_536
    static let jsonLimit = 5 << 20

    static func value(of facts: ItemFacts) -> [TextValue] {
        if let root = facts[PropertyListFact.self].root { return texts(in: root) }
        if facts[MagicFact.self] == .sqlite { return facts[StoreTextsFact.self] }
        guard let first = facts[FirstBytesFact.self], let start = first.first(where: { $0 > 0x20 }),
            start == UInt8(ascii: "{") || start == UInt8(ascii: "["), let bytes = facts.content(limit: jsonLimit),
            // Foundation's reader stops at 512 levels.
            let json = try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
        else { return [] }
        return texts(inJSON: json)
    }

    /// Goes through the graph, each value once: what is shared is met where it is first.
    private static func texts(in root: PropertyListValue) -> [TextValue] {
        var found: [TextValue] = []
        var pending: [(value: PropertyListValue, pointer: String, key: String, depth: Int)] = [(root, "", "", 0)]
        var visited = 0
        while let (value, pointer, key, depth) = pending.popLast(), found.count < most, visited < 1_000_000 {
            visited += 1
            guard depth < 128 else { continue }
            switch value.node {
            case .string(let text) where text.utf8.count <= longest:
                found.append(TextValue(pointer: pointer, key: key, text: text))
            case .array:
                for (index, member) in (value.members ?? []).enumerated().reversed() {
                    pending.append((member, "\(pointer)/\(index)", key, depth + 1))
                }
            case .dictionary:
                for (name, member) in (value.pairs ?? []).reversed() {
                    pending.append((member, "\(pointer)/\(name)", name.lowercased(), depth + 1))
                }
            default: break
            }
        }
        return found
    }

    private static func texts(inJSON root: Any) -> [TextValue] {
        var found: [TextValue] = []
        var pending: [(value: Any, pointer: String, key: String)] = [(root, "", "")]
        while let (value, pointer, key) = pending.popLast(), found.count < most {
            switch value {
            case let text as String where text.utf8.count <= longest:
                found.append(TextValue(pointer: pointer, key: key, text: text))
            case let members as [Any]:
                for (index, member) in members.enumerated().reversed() {
                    pending.append((member, "\(pointer)/\(index)", key))
                }
            case let fields as [String: Any]:
                for (name, member) in fields.sorted(by: { $0.key > $1.key }) {
                    pending.append((member, "\(pointer)/\(name)", name.lowercased()))
                }
            default: break
            }
        }
        return found
    }
}
