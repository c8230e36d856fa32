internal import AppContainer
internal import ContainerTree
internal import DatabaseInspection
internal import FileSystem
internal import PolicyTexts
internal import TextOutput

/// `sibling: app-made`: an item of the directory indicates that the app, not the user, manages it: a database, a
/// property list, a hidden file, or a registry entry.
struct SiblingPredicate: Predicate {
    static let key = "sibling"
    static let cost = Cost.later

    private enum Word: String, CaseIterable { case appMade = "app-made" }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("sibling", type: Word.self) }

    var needs: PredicateNeeds { .siblings }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [] }

    func matches(_ evaluation: inout Evaluation) -> Bool { evaluation.answer(.appMade) }
}

/// `siblings: { logs: 3 }`: at least that many files of the directory are logs, most of them numbered or dated.
///
struct SiblingsPredicate: Predicate {
    static let key = "siblings"
    static let cost = Cost.later
    private let logs: Int
    var needs: PredicateNeeds { .siblings }

    init(_ value: YAMLValue) throws(SourceError) {
        logs = try value.required("logs", of: value.fields(["logs"])).integer()
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .file }

    func matches(_ evaluation: inout Evaluation) -> Bool { evaluation.answer(.logs(atLeast: logs)) }
}

/// `companion: { drop: "-wal" }`: an item with the name without that suffix exists beside the item.
///
/// The companion's name is derived from the item's: `drop` removes a suffix, `drop-prefix` a prefix; `add` appends one
/// of several suffixes, `prefix` prepends a prefix. `named` is the whole name. `is` is the required state: `present`
/// (one of them), `missing` (all of them), a `smaller` file, a `newer` file, or `marked-otherwise`: one of the two is
/// excluded from backup, and no directory above them is. With `magic`, the companion must have one of these formats.
struct CompanionPredicate: Predicate {
    static let key = "companion"
    static let cost = Cost.look

    private enum State: String, CaseIterable {
        case present, missing, smaller, newer
        case markedOtherwise = "marked-otherwise"
    }
    private let drop: [UInt8]
    private let dropPrefix: [UInt8]
    private let prefix: [UInt8]
    private let add: [[UInt8]]
    private let named: [UInt8]?
    private let state: State
    private let formats: [Magic]

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["drop", "drop-prefix", "prefix", "add", "named", "is", "magic"])
        drop = Array(try fields["drop"]?.string().utf8 ?? "".utf8)
        dropPrefix = Array(try fields["drop-prefix"]?.string().utf8 ?? "".utf8)
        prefix = Array(try fields["prefix"]?.string().utf8 ?? "".utf8)
        add = try fields["add"]?.strings().map { Array($0.utf8) } ?? [[]]
        named = try fields["named"].map { value throws(SourceError) in Array(try value.string().utf8) }
        state = try fields["is"]?.word("state", type: State.self) ?? .present
        formats = try fields["magic"]?.words("format", type: Magic.self) ?? []
        if state == .missing, let magic = fields["magic"], value.recorder == nil {
            throw magic.error("`magic` cannot be combined with `is: missing`")
        }
        if named == nil, drop.isEmpty, dropPrefix.isEmpty, prefix.isEmpty, add.allSatisfy(\.isEmpty) {
            throw value.error("a companion needs a different name")
        }
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        var traits: ItemTraits = state == .smaller || state == .newer ? .file : []
        if named == nil, !drop.isEmpty {
            traits.formUnion(allocator.name([Glob("*" + String(decoding: drop, as: UTF8.self))]))
        }
        return traits
    }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let others = others(Array(evaluation.name)) else { return false }
        let entry = evaluation.item.entry
        let found = others.first { other in
            guard hasFormat(other, of: evaluation.item) else { return false }
            return switch state {
            case .present, .missing: entry.status(ofSibling: other) != nil
            case .smaller:
                entry.status(ofSibling: other).map { $0.kind == .file && $0.size < evaluation.item.status.size }
                    ?? false
            case .newer:
                entry.status(ofSibling: other).map {
                    $0.kind == .file && $0.modified > evaluation.item.status.modified
                } ?? false
            case .markedOtherwise: isMarkedOtherwise(other, than: evaluation)
            }
        }
        guard (found != nil) != (state == .missing), let other = found ?? others.first else { return false }
        evaluation.addEvidence("companion", value: ByteText.escaped(other))
        return true
    }

    private func others(_ name: [UInt8]) -> [[UInt8]]? {
        if let named { return [named] }
        guard name.count > drop.count + dropPrefix.count, name.suffix(drop.count).elementsEqual(drop),
            name.starts(with: dropPrefix)
        else { return nil }
        return add.map { prefix + name.dropFirst(dropPrefix.count).dropLast(drop.count) + $0 }
    }

    private func hasFormat(_ other: [UInt8], of item: Item) -> Bool {
        guard !formats.isEmpty else { return true }
        guard item.entry.status(ofSibling: other)?.kind == .file,
            let format = item.entry.bytes(64, at: 0, ofSibling: other).flatMap({ Magic($0) })
        else { return false }
        return formats.contains(format)
    }

    private func isMarkedOtherwise(_ other: [UInt8], than evaluation: Evaluation) -> Bool {
        guard evaluation.item.carriesAttributes, evaluation.directory.exclusion.state != .excluded,
            let attributes = evaluation.item.entry.attributes(ofSibling: other)
        else { return false }
        let isMarked = attributes.contains { ExclusionMark(attribute: $0)?.isApple == true }
        return isMarked != !evaluation.item.marks.isEmpty
    }
}

/// `part-of: database`: the item is the log, the index of the log or the journal of a database beside it, or a file that a
/// Core Data database stores outside. The name and the content of one of the two files show it.
struct PartOfPredicate: Predicate {
    static let key = "part-of"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case database }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("whole", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .file }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        if ExternalDataPredicate.isFolder(evaluation.directory.path) { return true }
        let (name, entry) = (Array(evaluation.name), evaluation.item.entry)
        guard let main = DatabaseFileNames.mains(ofCompanion: name).first, entry.status(ofSibling: main)?.kind == .file
        else { return false }
        if entry.bytes(DatabaseHeader.magic.count, at: 0, ofSibling: main) == DatabaseHeader.magic { return true }
        // The database may be encrypted.
        return [.writeAheadLog, .logIndex, .rollbackJournal].contains(evaluation.facts[MagicFact.self])
    }
}
