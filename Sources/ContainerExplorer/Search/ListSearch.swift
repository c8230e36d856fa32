internal import Foundation
internal import PolicyTexts
internal import PropertyLists
internal import Secrets

/// A search of the keys and texts of a property list or keyed archive, and of those that its data values hold.
///
/// Each container is entered once, so that the time is that of the size of the list.
struct ListSearch {
    private enum Label {
        case index(Int)
        case key(String)

        var text: String {
            switch self {
            case .index(let index): String(index)
            case .key(let key): key
            }
        }
    }

    /// A container whose members are visited.
    private struct Level {
        let members: [(label: Label, value: PropertyListValue)]
        var next = 0
    }

    /// A list in data of a list in data is not entered.
    private static let mostNested = 3
    private static let longestPath = 1_024
    /// Deeper levels are not entered, because their paths take time.
    private static let deepest = 1_024

    private let isCancelled: () -> Bool
    /// True if a level was too deep.
    private(set) var isCut = false

    init(isCancelled: @escaping () -> Bool) { self.isCancelled = isCancelled }

    /// Searches a list. Returns false for other content.
    mutating func search(
        _ bytes: [UInt8], limit: Int, at start: String = "", nested: Int = 0, into places: inout FoundPlaces
    ) -> Bool {
        var limits = PropertyListGraph.Limits()
        limits.bytes = limit
        guard let graph = try? PropertyListGraph(parsing: bytes, limits: limits, brokenText: .replaced) else {
            return false
        }
        let objects = graph.root["$archiver"] == nil ? nil : graph.root["$objects"]?.members
        let top = objects == nil ? nil : graph.root["$top"]
        let list = ReadList(root: top ?? graph.root, objects: objects)
        walk(list, at: start, nested: nested, into: &places)
        return true
    }

    /// A list whose references to the objects of an archive are followed.
    private final class ReadList {
        let root: PropertyListValue
        private let objects: [PropertyListValue]?
        /// The name of a secret under which a text stands anywhere in the list, by the text: it is not shown under another name
        /// either.
        private(set) lazy var secretNames = names()

        init(root: PropertyListValue, objects: [PropertyListValue]?) { (self.root, self.objects) = (root, objects) }

        func resolved(_ value: PropertyListValue) -> PropertyListValue {
            guard let objects, case .uid(let reference) = value.node, let number = Int(exactly: reference),
                objects.indices.contains(number)
            else { return value }
            return objects[number]
        }

        /// Returns the members of a container; empty for other values. Dictionaries of an archive have their own keys.
        func members(of value: PropertyListValue) -> [(label: Label, value: PropertyListValue)] {
            if let members = value.members { return members.enumerated().map { (.index($0), $1) } }
            guard var pairs = value.pairs else { return [] }
            guard objects != nil else { return pairs.map { (.key($0.key), $0.value) } }
            var members: [(label: Label, value: PropertyListValue)] = []
            if let values = value["NS.objects"]?.members {
                let keys = value["NS.keys"]?.members ?? []
                for (position, member) in values.enumerated() {
                    let key = position < keys.count ? resolved(keys[position]).string : nil
                    members.append((key.map { .key($0) } ?? .index(position), member))
                }
                pairs.removeAll { $0.key == "NS.objects" || $0.key == "NS.keys" }
            }
            return members + pairs.filter { $0.key != "$class" }.map { (.key($0.key), $0.value) }
        }

        private func names() -> [String: String] {
            let graph = root.graph
            func text(_ number: Int) -> String? {
                if case .string(let text) = graph.nodes[resolved(number)] { text } else { nil }
            }
            func members(_ number: Int) -> [Int] {
                if case .array(let members) = graph.nodes[number] { members } else { [] }
            }
            var names: [String: String] = [:]
            var isSecret: [String: Bool] = [:]
            func add(_ value: Int, named key: Int) {
                guard let name = text(key), let value = text(value) else { return }
                let known = isSecret[name] ?? name.isNameOfSecret
                isSecret[name] = known
                if known { names[value] = name }
            }
            for case .dictionary(let pairs) in graph.nodes {
                var (keys, values): ([Int], [Int]) = ([], [])
                for pair in pairs {
                    add(pair.value, named: pair.key)
                    guard objects != nil, let key = text(pair.key) else { continue }
                    if key == "NS.keys" { keys = members(pair.value) }
                    if key == "NS.objects" { values = members(pair.value) }
                }
                for (key, value) in zip(keys, values) { add(value, named: key) }
            }
            return names
        }

        private func resolved(_ number: Int) -> Int {
            guard let objects, case .uid(let reference) = root.graph.nodes[number],
                let object = Int(exactly: reference), objects.indices.contains(object)
            else { return number }
            return objects[object].index
        }
    }

    private mutating func walk(_ list: ReadList, at start: String, nested: Int, into places: inout FoundPlaces) {
        var seen: Set<Int> = [list.root.index]
        var levels = [Level(members: list.members(of: list.root))]
        if levels[0].members.isEmpty {
            visit(list.root, of: list, levels: [], at: start, nested: nested, into: &places)
        }
        var count = 0
        while let level = levels.last, !places.isFull {
            guard level.next < level.members.count else {
                levels.removeLast()
                continue
            }
            count += 1
            if count & 0x3ff == 0, isCancelled() { return }
            levels[levels.count - 1].next += 1
            let (label, member) = level.members[level.next]
            if case .key(let key) = label { places.addKey(key, at: Self.path(levels, from: start)) }
            let value = list.resolved(member)
            switch value.node {
            case .array, .dictionary:
                guard seen.insert(value.index).inserted else { continue }
                guard levels.count < Self.deepest else {
                    isCut = true
                    continue
                }
                levels.append(Level(members: list.members(of: value)))
            default: visit(value, of: list, levels: levels, at: start, nested: nested, into: &places)
            }
        }
    }

    /// Searches a value without members.
    private mutating func visit(
        _ value: PropertyListValue, of list: ReadList, levels: [Level], at start: String, nested: Int,
        into places: inout FoundPlaces
    ) {
        func names(of text: String) -> [String] {
            let own = levels.reversed().lazy.compactMap { level -> String? in
                guard level.next > 0, case .key(let key) = level.members[level.next - 1].label else { return nil }
                return key
            }.first
            return [own, list.secretNames[text]].compactMap(\.self)
        }
        switch value.node {
        case .string(let text): places.addValue(text, named: names(of: text), at: Self.path(levels, from: start))
        case .data(let bytes):
            guard nested < Self.mostNested else {
                isCut = isCut || bytes.starts(with: PropertyListStrings.magic)
                return
            }
            if bytes.starts(with: PropertyListStrings.magic) {
                _ = search(
                    bytes, limit: bytes.count, at: Self.path(levels, from: start), nested: nested + 1, into: &places)
            } else if let text = DataText.text(bytes) {
                places.addValue(text, named: names(of: text), at: Self.path(levels, from: start))
            }
        default: break
        }
    }

    /// The path of the current value, truncated at 1,024 bytes.
    private static func path(_ levels: [Level], from start: String) -> String {
        var path = start
        for level in levels where level.next > 0 {
            guard path.utf8.count <= longestPath else { return path.prefix(longestPath) + "…" }
            // Without secrets before it is cut, because a part of one has no form.
            path += "/" + level.members[level.next - 1].label.text.withoutSecrets.prefix(longestPath)
        }
        return path
    }
}

/// Text that is stored as data.
enum DataText {
    /// Returns the text of bytes in UTF-8; nil for other bytes.
    static func text(_ bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty, !bytes.prefix(4_096).contains(0) else { return nil }
        return String(bytes: bytes, encoding: .utf8)
    }
}
