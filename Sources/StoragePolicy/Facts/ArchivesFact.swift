internal import PropertyLists

/// The keyed archives in a file: whose classes' objects they hold, and what their texts are for. Looks at no more than
/// 2,000,000 fields.
///
/// Source: the form that NSKeyedArchiver writes: a dictionary of `$archiver`, `$top` and the list `$objects`, whose
/// members name each other by UIDs.
enum ArchivesFact: Fact {
    static let name = "archives"
    static let cost = Cost.read

    struct Archive: Sendable {
        let list: ContainedListsFact.List
        /// `$objects`.
        let objects: PropertyListValue
        /// The names of the classes, in the order of the file, each once.
        var classes: [String] = []
        /// The objects that are texts of URLs (`NS.relative`), by position.
        var addresses: Set<Int> = []
        /// The field or key that an object was first met under, by position.
        var names: [Int: String] = [:]
    }

    /// The key of the list of all objects.
    static let objects = "$objects"

    /// The header, the trailer, and a dictionary with the names of two keys; no archive is shorter.
    static let least: UInt64 = 64

    static func value(of facts: ItemFacts) -> [Archive] {
        var steps = 2_000_000
        let archives = facts[ContainedListsFact.self].compactMap { archive($0, steps: &steps) }
        if steps <= 0 { facts.leaveOut(.tooManyArchiveFields) }
        return archives
    }

    private static func archive(_ list: ContainedListsFact.List, steps: inout Int) -> Archive? {
        guard list.graph.root["$archiver"] != nil, let objects = list.graph.root[Self.objects] else {
            return nil
        }
        var archive = Archive(list: list, objects: objects)
        var known: Set<String> = []
        for position in 0..<objects.count {
            guard let object = objects[position] else { continue }
            for field in 0..<object.count {
                steps -= 1
                guard steps > 0 else { return archive }
                guard let (name, value) = object.pair(at: field) else { break }
                if name == "$classname", let text = value.string {
                    if known.insert(text).inserted { archive.classes.append(text) }
                } else if name == "NS.relative", let target = reference(value) {
                    archive.addresses.insert(target)
                } else if name == "NS.objects" {
                    nameMembers(of: object, in: &archive, &steps)
                } else if !name.hasPrefix("$"), !name.hasPrefix("NS."), let target = reference(value) {
                    archive.names[target] = archive.names[target] ?? name
                }
            }
        }
        return archive
    }

    /// A dictionary's values are named by its keys.
    private static func nameMembers(of object: PropertyListValue, in archive: inout Archive, _ steps: inout Int) {
        guard let keys = object["NS.keys"], let values = object["NS.objects"] else { return }
        for position in 0..<min(keys.count, values.count) {
            steps -= 1
            guard steps > 0 else { return }
            guard let key = keys[position].flatMap(reference), let name = archive.objects[key]?.string,
                let value = values[position].flatMap(reference), archive.names[value] == nil
            else { continue }
            archive.names[value] = name
        }
    }

    private static func reference(_ value: PropertyListValue) -> Int? {
        guard case .uid(let number) = value.node else { return nil }
        return Int(exactly: number)
    }
}
