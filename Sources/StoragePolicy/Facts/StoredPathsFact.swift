internal import AppContainer
internal import PolicyTexts

/// The absolute container paths in a file's texts, or in its bytes where it has no texts of a known form; at most 200.
enum StoredPathsFact: Fact {
    static let name = "stored paths"
    static let cost = Cost.read
    private static let most = 200

    struct Found: Sendable {
        /// The location in the file; nil for raw bytes.
        let pointer: String?
        let key: String
        let path: StoredPath
        /// True if it is a URL's text in a keyed archive.
        let isArchivedAddress: Bool
    }

    static func value(of facts: ItemFacts) -> [Found] {
        let shown = facts[TextTraitsFact.self]
        guard shown.contains(.any) else {
            return facts[RawContentFact.self].paths.map {
                Found(pointer: nil, key: "", path: $0, isArchivedAddress: false)
            }
        }
        guard shown.contains(.storedPath) else { return [] }
        let texts = facts[TextValuesFact.self]
        var found: [Found] = []
        // By index, since few texts contain a path, and a copy of each would take longer than the search.
        for index in texts.indices where texts[index].text.utf8.count >= StoredPath.shortest && found.count < most {
            guard !texts[index].hasListedTexts else { continue }
            let paths = StoredPath.paths(in: texts[index].text)
            guard !paths.isEmpty else { continue }
            let value = texts[index]
            found += paths.map {
                Found(pointer: value.pointer.text, key: value.key, path: $0, isArchivedAddress: value.isArchivedAddress)
            }
        }
        return found
    }
}
