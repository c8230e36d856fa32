internal import PolicyTexts
internal import PropertyLists
package import TextOutput

/// The differences of two property lists or keyed archives, value by value.
///
/// The values of an archive are compared by the keys that lead to them from its root, so that the numbers of its objects do not
/// matter. An object that several others refer to is compared where it appears first. Sets are compared in their stored order.
package struct ArchiveDifference: ExplorerOutput {
    /// A value that is in one list only, or different in both.
    private struct Change {
        let path: String
        let old: Entry?
        let new: Entry?

        var word: String { old == nil ? "added" : new == nil ? "removed" : "changed" }
    }

    private let changes: [Change]

    /// True if both have the same values.
    package var isEmpty: Bool { changes.isEmpty }

    /// Compares two lists.
    ///
    /// - Parameters:
    ///   - old: The content of a file and its name for messages.
    ///   - new: The other one.
    /// - Throws: `wrongContent` for a file that is not a property list, or has too many values.
    package init(
        _ old: (bytes: [UInt8], name: String), _ new: (bytes: [UInt8], name: String)
    ) throws(ExplorerError) {
        let (old, new) = (try Self.entries(old.bytes, name: old.name), try Self.entries(new.bytes, name: new.name))
        let after = Dictionary(new.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        let before = Set(old.map(\.path))
        var changes: [Change] = []
        for entry in old {
            let other = after[entry.path]
            if entry.content != other?.content { changes.append(Change(path: entry.path, old: entry, new: other)) }
        }
        changes += new.filter { !before.contains($0.path) }.map { Change(path: $0.path, old: nil, new: $0) }
        self.changes = changes
    }

    // MARK: - Values

    /// A value by the keys that lead to it.
    private struct Entry {
        /// The content that is compared.
        enum Content: Hashable {
            case value(PropertyListGraph.Node)
            case notANumber
            case object(String)
            case list, dictionary
            /// A value that appears before at this path.
            case same(String)
        }

        let path: String
        /// The last name of the path, which says whether the value is a secret.
        let name: String
        let content: Content
        let value: PropertyListValue
    }

    private static let mostValues = 200_000
    private static let longestPath = 8_192
    /// The bytes of all paths together.
    private static let allPaths = 64 << 20

    private static func entries(_ bytes: [UInt8], name: String) throws(ExplorerError) -> [Entry] {
        let graph: PropertyListGraph
        do throws(PropertyListError) {
            graph = try PropertyListGraph(parsing: bytes, brokenText: .replaced)
        } catch {
            throw ExplorerError(
                .wrongContent,
                description:
                    "“\(name)” is not a property list: \(ByteText.printable("\(error)")). Nothing was compared.")
        }
        let objects = graph.root["$objects"]?.members
        var entries: [Entry] = []
        var paths = 0
        var firstPaths: [Int: String] = [:]
        // The last one is the next value.
        var pending: [(path: String, name: String, value: PropertyListValue)] = []
        if objects != nil, let top = graph.root["$top"]?.pairs {
            for key in ["$archiver", "$version"].reversed() {
                if let value = graph.root[key] { pending.append(("/\(key)", key, value)) }
            }
            for (key, value) in top.reversed() { pending.append(("/\(key)", key, value)) }
        } else {
            pending = [("", "", graph.root)]
        }
        while let (path, name, next) = pending.popLast() {
            paths += path.utf8.count
            guard entries.count < mostValues, path.utf8.count <= longestPath, paths <= allPaths else {
                throw ExplorerError(
                    .wrongContent,
                    description: "“\(name)” has more than \(mostValues) values, or values that are nested too deeply. "
                        + "Nothing was compared. `sandboxfm archive show --json` lists them.")
            }
            var value = next
            if let objects, case .uid(let reference) = value.node, let number = Int(exactly: reference),
                objects.indices.contains(number)
            {
                value = objects[number]
            }
            func add(_ content: Entry.Content) {
                entries.append(Entry(path: path, name: name, content: content, value: value))
            }
            switch value.node {
            case .array, .dictionary:
                // A container is entered once, so that shared values and cycles cost nothing.
                if let first = firstPaths[value.index] {
                    add(.same(first))
                    continue
                }
                firstPaths[value.index] = path
                if let members = value.members {
                    add(.list)
                    for (position, member) in members.enumerated().reversed() {
                        pending.append(("\(path)/\(position)", name, member))
                    }
                } else if let pairs = value.pairs {
                    addPairs(pairs, at: path, of: value, in: objects, add: add, pending: &pending, name: name)
                }
            case .real(let number) where number.isNaN: add(.notANumber)
            case let node: add(.value(node))
            }
        }
        return entries
    }

    /// Adds a dictionary, or an object of an archive with its class in place of the reference to it.
    private static func addPairs(
        _ pairs: [(key: String, value: PropertyListValue)], at path: String, of value: PropertyListValue,
        in objects: [PropertyListValue]?, add: (Entry.Content) -> Void,
        pending: inout [(path: String, name: String, value: PropertyListValue)], name: String
    ) {
        guard let objects, case .uid(let reference)? = value["$class"]?.node, let number = Int(exactly: reference),
            objects.indices.contains(number)
        else {
            add(.dictionary)
            for (key, member) in pairs.reversed() { pending.append(("\(path)/\(key)", key, member)) }
            return
        }
        add(.object(objects[number]["$classname"]?.string ?? "object without class"))
        let members = value["NS.objects"]?.members
        let keys = value["NS.keys"]?.members
        for (key, member) in pairs.reversed() where key != "$class" {
            if let members, key == "NS.objects" {
                for (position, member) in members.enumerated().reversed() {
                    let label = keys.flatMap { position < $0.count ? text(ofKey: $0[position], in: objects) : nil }
                    pending.append(("\(path)/\(label ?? "\(position)")", label ?? name, member))
                }
            } else if members == nil || key != "NS.keys" {
                pending.append(("\(path)/\(key)", key.hasPrefix("NS.") ? name : key, member))
            }
        }
    }

    private static func text(ofKey value: PropertyListValue, in objects: [PropertyListValue]) -> String? {
        guard case .uid(let reference) = value.node, let number = Int(exactly: reference),
            objects.indices.contains(number)
        else { return value.string }
        return objects[number].string ?? objects[number]["NS.string"]?.string
    }

    // MARK: - Output

    private static func text(of entry: Entry) -> String {
        switch entry.content {
        case .object(let name): ByteText.printable(name)
        case .list: Quantity.count(entry.value.count, "value")
        case .dictionary: Quantity.count(entry.value.count, "pair")
        case .same(let path): "the same as \(ByteText.printable(path))"
        case .value, .notANumber: ArchiveListing.text(of: entry.value, named: entry.name).withoutOpaqueWords
        }
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        for change in changes {
            let path = change.path.isEmpty ? "/" : ByteText.printable(change.path)
            var text = "\(change.word) \(path): "
            text += [change.old, change.new].compactMap { $0.map(Self.text) }.joined(separator: " -> ")
            output((style.columns.map { Columns.cut(text, to: $0) } ?? text) + "\n")
        }
    }

    package func write(_ json: inout JSONWriter) {
        json.field("equal", isEmpty)
        json.array("changes") { json in
            for change in changes {
                json.object { json in
                    json.field("path", ByteText.printable(change.path))
                    json.field("change", change.word)
                    for (key, entry) in [("old", change.old), ("new", change.new)] {
                        guard let entry else { continue }
                        switch entry.content {
                        case .value, .notANumber:
                            let value = ArchiveListing.json(of: entry.value, named: entry.name, depth: 0)
                            json.field(key, json: value.withoutOpaqueWords)
                        default: json.field(key, Self.text(of: entry))
                        }
                    }
                }
            }
        }
    }
}
