internal import AppContainer
internal import FileSystem
internal import PolicyTexts
internal import PropertyLists
internal import Secrets

/// The findings that the texts of a file make possible. Most files have none of the traits, and then no text is kept.
struct TextTraits: OptionSet, Sendable {
    let rawValue: UInt8

    /// The file has texts.
    static let any = TextTraits(rawValue: 1 << 0)
    /// A text may be a web address, or a name that of a manifest.
    static let address = TextTraits(rawValue: 1 << 1)
    /// A text contains an absolute path into a container.
    static let storedPath = TextTraits(rawValue: 1 << 2)
    /// A text may be the relative path of a file that is purged.
    static let purgeablePath = TextTraits(rawValue: 1 << 3)
    /// A text may be a secret.
    static let secret = TextTraits(rawValue: 1 << 4)

    static let all: TextTraits = [.any, .address, .storedPath, .purgeablePath, .secret]

    /// Creates the traits of a text without its name.
    init(of text: UnsafeBufferPointer<UInt8>) {
        self = .any
        guard text.count >= Self.shortest else { return }
        let bytes = UnsafeRawBufferPointer(text)
        if bytes.starts(withText: "http") { formUnion(.address) }
        if Self.mayBePurgeable(bytes) { formUnion(.purgeablePath) }
        if SecretShape.isContained(in: bytes) { formUnion(.secret) }
        if StoredPath.isContained(in: bytes) { formUnion(.storedPath) }
    }

    /// The length of the shortest text with a trait besides `any`.
    /// Returns true if a text begins as the path of such a file.
    private static func mayBePurgeable(_ text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while start < text.count, text[start] == UInt8(ascii: "/") { start += 1 }
        let path = UnsafeRawBufferPointer(rebasing: text[start...])
        return path.starts(withText: "Library/Caches/") || path.starts(withText: "tmp/")
    }

    private static let shortest = 4

    init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// The traits of a file's texts, from one pass over JSON and property lists that keeps no text; for files of other forms
/// with texts, all traits. Also keeps the web addresses, as `TextValuesFact` does.
enum TextTraitsFact: Fact {
    static let name = "text traits"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> TextTraits {
        var screen = TextScreen()
        let lists = facts[ContainedListsFact.self]
        if !lists.isEmpty {
            let archives = facts[ArchivesFact.self]
            for list in lists { screen.add(list, archive: archives.first { $0.list.number == list.number }) }
        } else if let bytes = facts[JSONFact.self] {
            bytes.withUnsafeBufferPointer { screen.add($0, within: "") }
        } else {
            return facts[TextValuesFact.self].isEmpty ? [] : .all
        }
        // The addresses are kept where the texts are read.
        if screen.isFull || screen.traits.contains(.address) { _ = facts[TextValuesFact.self] }
        return screen.traits
    }
}

/// Gathers the traits of texts, up to as many texts as are read.
private struct TextScreen {
    private(set) var traits: TextTraits = []
    private var count = 0
    /// The level of JSON in JSON, which is read up to three levels deep.
    private var depth = 0
    private var names = KnownNames()

    var isFull: Bool { count >= TextValuesFact.most }

    /// Adds the texts of a property list; those of an archive under the names of their objects.
    mutating func add(_ list: ContainedListsFact.List, archive: ArchivesFact.Archive?) {
        var walk = PropertyListWalk(in: list.graph)
        var keys = [TextTraits?](repeating: nil, count: list.graph.nodes.count)
        guard let archive else { return add(list.graph.root, within: list.pointer.name, walk: &walk, keys: &keys) }
        for position in 0..<archive.objects.count {
            guard !isFull, let object = archive.objects[position] else { continue }
            add(object, within: archive.names[position] ?? ArchivesFact.objects, walk: &walk, keys: &keys)
        }
    }

    private mutating func add(
        _ value: PropertyListValue, within outer: String, walk: inout PropertyListWalk,
        keys: inout [TextTraits?]
    ) {
        walk.start(at: value)
        while !isFull, let node = walk.next() {
            switch node {
            case .string(var text):
                let shown = walk.key.flatMap { keys[$0] } ?? names.traits(of: walk.name ?? outer)
                if let key = walk.key { keys[key] = shown }
                text.withUTF8 { if add($0, shown: shown) { add($0, within: walk.name ?? outer) } }
            case .data(let data) where data.count <= TextValuesFact.jsonLimit:
                data.withUnsafeBufferPointer { if JSONTexts.isJSON($0) { add($0, within: walk.name ?? outer) } }
            default: break
            }
        }
    }

    /// Adds the texts of JSON that is the value of a name.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, within outer: String) {
        guard depth < 3 else { return }
        depth += 1
        var texts = JSONTexts(in: bytes)
        while !isFull, let text = texts.next() {
            let shown =
                if let name = texts.name, name.isPlain {
                    names.traits(of: texts.bytes(of: name))
                } else {
                    names.traits(of: texts.name.map { texts.string($0) } ?? outer)
                }
            if text.isPlain {
                add(texts.bytes(of: text), shown: shown, in: texts, within: outer)
            } else {
                var value = texts.string(text)
                value.withUTF8 { add($0, shown: shown, in: texts, within: outer) }
            }
        }
        depth -= 1
    }

    private mutating func add(
        _ text: UnsafeBufferPointer<UInt8>, shown: TextTraits, in texts: JSONTexts, within outer: String
    ) {
        if add(text, shown: shown) { add(text, within: texts.name.map { texts.string($0) } ?? outer) }
    }

    /// Adds one text, and returns true if it is JSON.
    private mutating func add(_ text: UnsafeBufferPointer<UInt8>, shown: TextTraits) -> Bool {
        guard text.count <= TextValue.longest else { return false }
        count += 1
        traits.formUnion(TextTraits(of: text))
        traits.formUnion(shown.subtracting(.secret))
        if shown.contains(.secret), SecretValue.isPossible(text) { traits.formUnion(.secret) }
        return text.count > 8 && JSONTexts.isJSON(text)
    }
}

/// The traits that names have, computed once for the names that come again and again.
private struct KnownNames {
    private struct Known {
        var name: [UInt8]
        var traits: TextTraits
    }
    /// A name has one place, which follows from its length and its ends, and takes it from the name before.
    private var known = [Known?](repeating: nil, count: 8)

    mutating func traits(of name: String) -> TextTraits {
        var name = name
        return name.withUTF8 { traits(of: $0) }
    }

    mutating func traits(of name: UnsafeBufferPointer<UInt8>) -> TextTraits {
        guard let first = name.first, let last = name.last else { return [] }
        let place = (name.count &+ Int(first) &* 3 &+ Int(last) &* 7) & 7
        if let found = known[place], found.name.count == name.count,
            name.indices.allSatisfy({ name[$0] == found.name[$0] })
        {
            return found.traits
        }
        let text = ValuePointer.cut(String(decoding: name, as: UTF8.self))
        var traits: TextTraits = []
        if AddressIndex.isManifestKey(text) { traits.formUnion(.address) }
        if SecretName.isSecret(text) { traits.formUnion(.secret) }
        known[place] = Known(name: Array(name), traits: traits)
        return traits
    }
}
