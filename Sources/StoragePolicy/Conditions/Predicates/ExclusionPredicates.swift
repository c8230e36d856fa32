internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import TextOutput

/// `marked: any` or `marked: only-legacy`: the item itself has the backup exclusion attribute, or only its legacy form.
struct MarkedPredicate: Predicate {
    static let key = "marked"
    static let cost = Cost.free

    private enum Word: String, CaseIterable {
        case any
        case onlyLegacy = "only-legacy"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("mark", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .marked }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let marks = evaluation.item.marks
        guard let mark = marks.first, word == .any || marks == [.legacy] else { return false }
        evaluation.addEvidence("attribute", value: mark.rawValue)
        return true
    }
}

/// `foreign-mark: any`: the item is excluded for other backup systems: by the attribute `xdg.robots.backup`, by a
/// CACHEDIR.TAG with its signature in the directory, or by the no-dump flag.
struct ForeignMarkPredicate: Predicate {
    static let key = "foreign-mark"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case any }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("mark", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .foreignMark }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let mark = mark(of: evaluation) else { return false }
        evaluation.addEvidence("mark", value: mark.rawValue)
        return true
    }

    private func mark(of evaluation: Evaluation) -> ExclusionMark? {
        let robots = evaluation.value(ofAttribute: ExclusionMark.robots.rawValue)
        if let robots, ExclusionMark.robots.isMark(value: robots) { return .robots }
        let signature = ExclusionMark.cacheTagSignature
        if evaluation.item.entry.bytes(signature.count, ofChild: ExclusionMark.cacheTag.rawValue) == signature {
            return .cacheTag
        }
        return evaluation.item.status.isNoDump ? .noDump : nil
    }
}

/// `flag-value: odd`: the value of the backup exclusion attribute is not the 61 bytes that macOS writes.
struct ExclusionValuePredicate: Predicate {
    static let key = "flag-value"
    static let cost = Cost.look

    private enum Word: String, CaseIterable { case odd }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("value", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .marked }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        for name in evaluation.item.attributes {
            guard let mark = ExclusionMark(attribute: name), mark.isModern,
                let stored = evaluation.value(ofAttribute: name)
            else { continue }
            let value = mark.meaning(of: stored)
            guard value != ExclusionMark.value else { continue }
            evaluation.addEvidence(
                "value",
                value: ExclusionMark.knownVariant(value)
                    ?? "\(Quantity.count(value.count, "byte")) in an unknown format")
            return true
        }
        return false
    }
}

/// `flag: missing`: the file is not excluded from backup, but four in five of at least five similarly named files of
/// its directory are. Evaluated after the directory was read.
struct ExclusionMissingPredicate: Predicate {
    static let key = "flag"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case missing }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("state", type: Word.self) }

    var needs: PredicateNeeds { .siblingExclusions }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .exclusionMissing }

    func matches(_ evaluation: inout Evaluation) -> Bool { evaluation.traits.contains(.exclusionMissing) }
}

/// `parent: included`: no directory above the item is excluded from backup; `excluded`: one is.
struct ParentPredicate: Predicate {
    static let key = "parent"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case included, excluded }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("state", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [] }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        (evaluation.directory.exclusion.state == .excluded) == (word == .excluded)
    }
}
