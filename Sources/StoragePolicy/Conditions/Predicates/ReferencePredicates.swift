internal import AppContainer
internal import ContainerTree

/// `stored-path: container`: the file contains an absolute path into a container or a bundle. `purgeable`: the path of
/// a file in Library/Caches or tmp, absolute or relative to the container.
struct StoredPathPredicate: Predicate {
    static let key = "stored-path"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case container, purgeable }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("kind of path", Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        allocator.size(UInt64(word == .container ? StoredPath.shortest : Self.shortestPurgeable)...UInt64.max)
    }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        switch word {
        case .container:
            let found = evaluation.facts[StoredPathsFact.self].filter { !$0.isArchivedAddress }
            guard let first = found.first else { return false }
            evaluation.note("target", first.path.topDirectory.map { "\($0) of the container" } ?? "the container")
            evaluation.note("key", first.pointer ?? "raw bytes", in: found.map { $0.pointer ?? "raw bytes" })
            evaluation.note("paths", "\(found.count)")
            return true
        case .purgeable:
            guard let (location, pointer) = purgeable(of: evaluation.facts) else { return false }
            evaluation.note("target", location)
            evaluation.note("key", pointer ?? "raw bytes")
            return true
        }
    }

    private func purgeable(of facts: ItemFacts) -> (location: String, pointer: String?)? {
        for found in facts[StoredPathsFact.self] where !Self.isResumption(found.key) {
            if let location = Self.purgeableLocation(of: found.path.tail) { return (location, found.pointer) }
        }
        guard facts[TextTraitsFact.self].contains(.purgeablePath) else { return nil }
        let texts = facts[TextValuesFact.self]
        for index in texts.indices {
            let text = texts[index].text.utf8.drop { $0 == UInt8(ascii: "/") }
            // Most texts are no path of these, which one byte tells.
            guard text.first == UInt8(ascii: "L") || text.first == UInt8(ascii: "t"), text.count <= 1024,
                let location = Self.purgeableLocation(of: Array(text)), !Self.isResumption(texts[index].key)
            else { continue }
            return (location, texts[index].pointer.text)
        }
        return nil
    }

    /// `tmp/a.b`.
    private static let shortestPurgeable = 7

    /// Returns true if a text begins as the path of such a file.
    static func mayBePurgeable(_ text: UnsafeRawBufferPointer) -> Bool {
        var start = 0
        while start < text.count, text[start] == UInt8(ascii: "/") { start += 1 }
        let path = UnsafeRawBufferPointer(rebasing: text[start...])
        return path.starts(withText: "Library/Caches/") || path.starts(withText: "tmp/")
    }

    /// Returns the purgeable location of a path, if its last component is a file name with an extension.
    static func purgeableLocation(of path: [UInt8]) -> String? {
        let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
        guard let location = ["Library/Caches", "tmp"].first(where: { path.starts(with: "\($0)/".utf8) }) else {
            return nil
        }
        let names = path.dropFirst(location.utf8.count + 1).split(separator: slash)
        guard let name = names.last, path.last != slash, name.withUnsafeBytes({ PathExtension.word(of: $0) }) != 0,
            // `com.example.app` is the name of a folder.
            names.count > 1 || name.count(where: { $0 == dot }) < 2
        else { return nil }
        return location
    }

    /// Returns true for a key of a resumable download, which contains the path of its partial file.
    static func isResumption(_ key: String) -> Bool { resumptions.isMet(in: key) }
    private static let resumptions = WordSearch(["resume", "partial", "temp", "tmp", "cache"])
}

/// `note-references: [movpkg]`: collects the names with such an extension in the content, for `referenced`. Matches no
/// item.
struct NoteReferencesPredicate: Predicate {
    static let key = "note-references"
    static let cost = Cost.read
    private let endings: [[UInt8]]

    init(_ value: YAMLValue) throws(SourceError) { endings = try value.strings().map { Array(".\($0)".utf8) } }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .filled }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let (facts, notes) = (evaluation.facts, evaluation.policy.notes)
        // The bytes show what bookmarks and databases hold; the texts what is escaped or of two bytes a letter.
        facts.scan { bytes, starts in
            note(in: bytes, from: starts, to: notes)
            return true
        }
        for value in facts[TextValuesFact.self] {
            var text = value.text
            text.withUTF8 { note(in: UnsafeRawBufferPointer($0), from: 0..<$0.count, to: notes) }
        }
        return false
    }

    private func note(in bytes: UnsafeRawBufferPointer, from starts: Range<Int>, to notes: ContainerNotes) {
        for start in starts where bytes[start] == UInt8(ascii: ".") {
            for ending in endings where start + ending.count <= bytes.count {
                guard ending.indices.allSatisfy({ bytes[start + $0] == ending[$0] }) else { continue }
                note(nameEndingAt: start + ending.count, in: bytes, to: notes)
            }
        }
    }

    /// Collects every possible start of a name, since in a database it directly follows other data.
    private func note(nameEndingAt end: Int, in bytes: UnsafeRawBufferPointer, to notes: ContainerNotes) {
        var start = end
        while start > 0, end - start < 255, bytes[start - 1] >= 0x20, bytes[start - 1] != UInt8(ascii: "/") {
            start -= 1
        }
        while start < end {
            notes.refer(to: String(decoding: bytes[start..<end], as: UTF8.self))
            start += 1
        }
    }
}

/// `referenced: nowhere`: no name that `note-references` collected is the name of the item. Evaluated after the
/// container was read.
struct ReferencedPredicate: Predicate {
    static let key = "referenced"
    static let cost = Cost.later

    private enum Word: String, CaseIterable { case nowhere }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("answer", Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [] }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        evaluation.ask(.isUnreferenced(String(decoding: evaluation.name, as: UTF8.self)))
    }
}
