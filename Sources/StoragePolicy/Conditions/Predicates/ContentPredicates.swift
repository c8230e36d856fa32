internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
internal import TextOutput

/// `size: { over: 50MiB }`, `{ at-most: 0 }`: the size of a file in bytes; several limits must all match.
struct SizePredicate: Predicate {
    static let key = "size"
    static let cost = Cost.free
    private let least: UInt64
    private let most: UInt64

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["over", "at-least", "at-most"])
        let over = try fields["over"]?.size()
        least = try fields["at-least"]?.size() ?? over.map { $0 + 1 } ?? 0
        most = try fields["at-most"]?.size() ?? .max
        if fields.isEmpty { throw value.error("a size needs over, at-least or at-most") }
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        least <= most ? allocator.size(least...most) : .file
    }

    func isDecided(by traits: ItemTraits) -> Bool { traits != .file }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let size = evaluation.item.status.size
        guard evaluation.item.status.isFile, size >= least, size <= most else { return false }
        evaluation.addEvidence("size") { Quantity.bytes(size) }
        return true
    }
}

/// `availability: evicted`: the content of the file is not on this disk, as of a file that iCloud evicted.
struct AvailabilityPredicate: Predicate {
    static let key = "availability"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case evicted }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("availability", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .evicted }

    func isDecided(by traits: ItemTraits) -> Bool { true }

    func matches(_ evaluation: inout Evaluation) -> Bool { evaluation.facts.isEvicted }
}

/// `magic: [sqlite, realm]`: the content begins with the signature of one of these formats.
struct MagicPredicate: Predicate {
    static let key = "magic"
    static let cost = Cost.read
    private let formats: [Magic]

    init(_ value: YAMLValue) throws(SourceError) { formats = try value.words("format", type: Magic.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .filled }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let format = evaluation.facts[MagicFact.self], formats.contains(format) else { return false }
        evaluation.addEvidence("content", value: format.title)
        return true
    }
}

/// `contradicts: extension`: the content has a known format that does not match the extension.
struct ContradictsPredicate: Predicate {
    static let key = "contradicts"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case pathExtension = "extension" }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("contradiction", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .filled }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let expected = Magic.formats(ofExtension: PathExtension.word(of: evaluation.name)),
            let format = evaluation.facts[MagicFact.self], !expected.contains(format)
        else { return false }
        evaluation.addEvidence("content", value: format.title)
        return true
    }
}

/// `content: text`: the first bytes of the file are text: not empty, and without control characters except those of
/// lines and terminals. `content: log`: they are lines with time and level. `content: written`: they are sentences. `content: user-data`: the tables of a database, a
/// camera, a recorder, an author or a format show that a user made, imported or keeps the file. `content: unavailable`: the
/// content is missing from the input or encrypted, which becomes an incident.
struct ContentPredicate: Predicate {
    static let key = "content"
    static let cost = Cost.read

    private enum Word: String, CaseIterable {
        case text, log, written, unavailable
        case userData = "user-data"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("content", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .filled }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        switch word {
        case .text: isText(evaluation)
        case .log: isText(evaluation) && LogLines.areLog(evaluation.facts[FirstBytesFact.self] ?? [])
        case .unavailable: evaluation.facts[UnavailableContentFact.self]
        case .written: isText(evaluation) && WrittenText.isWritten(evaluation.facts[FirstBytesFact.self] ?? [])
        case .userData: isUserData(&evaluation)
        }
    }

    private func isUserData(_ evaluation: inout Evaluation) -> Bool {
        guard let piece = evaluation.facts[UserContentFact.self] else { return false }
        let phrase = evaluation.run.model?[piece.id].phrase(piece.detail) ?? piece.id
        evaluation.addEvidence("content", value: phrase)
        return true
    }

    private func isText(_ evaluation: Evaluation) -> Bool {
        guard evaluation.item.status.kind == .file, evaluation.item.status.size > 0,
            let first = evaluation.facts[FirstBytesFact.self]
        else { return false }
        return !first.isEmpty && first.allSatisfy { $0 >= 0x20 && $0 != 0x7f || Self.controls.contains($0) }
    }

    /// Tab, line feed, form feed, carriage return, escape.
    private static let controls: [UInt8] = [0x09, 0x0a, 0x0c, 0x0d, 0x1b]
}

/// `contains: [HKQuantityTypeIdentifier]`: the content contains one of these texts as UTF-8.
struct ContainsPredicate: Predicate {
    static let key = "contains"
    static let cost = Cost.read
    private let texts: [[UInt8]]

    init(_ value: YAMLValue) throws(SourceError) {
        texts = try value.strings().map { Array($0.utf8) }
        guard texts.allSatisfy({ (4...128).contains($0.count) }) else {
            throw value.error("expected a text of 4 to 128 bytes")
        }
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        allocator.size(UInt64(texts.map(\.count).min() ?? 1)...UInt64.max)
    }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        var found: [UInt8]?
        evaluation.facts.scan { bytes, starts in
            found = first(in: bytes, from: starts)
            return found == nil
        }
        guard let found else { return false }
        evaluation.addEvidence("content", value: String(decoding: found, as: UTF8.self))
        return true
    }

    private func first(in bytes: UnsafeRawBufferPointer, from starts: Range<Int>) -> [UInt8]? {
        for start in starts {
            for text in texts where bytes[start] == text[0] && start + text.count <= bytes.count {
                if text.indices.allSatisfy({ bytes[start + $0] == text[$0] }) { return text }
            }
        }
        return nil
    }
}

/// `entropy: { tenths-over: 79 }`: the content has that entropy, in tenths of a bit per byte, as encrypted content
/// does.
struct EntropyPredicate: Predicate {
    static let key = "entropy"
    static let cost = Cost.read
    private let tenths: Int

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["tenths-over"])
        tenths = try value.required("tenths-over", of: fields).integer()
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        allocator.size(UInt64(EntropyFact.least)...UInt64.max)
    }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let entropy = evaluation.facts[EntropyFact.self], entropy * 10 > Double(tenths) else { return false }
        let hundredths = Int(entropy * 100)
        evaluation.addEvidence("entropy", value: "\(hundredths / 100).\(hundredths % 100) of 8 bits per byte")
        return true
    }
}

/// `duplicate: content`: an earlier item that the rule applies to has the same content. Evaluated after the container
/// was read; only files of equal size are compared.
struct DuplicatePredicate: Predicate {
    static let key = "duplicate"
    static let cost = Cost.later
    var needs: PredicateNeeds { .container }

    private enum Word: String, CaseIterable { case content }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("duplicate", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .file }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        // Evicted files of one size would all be zeros.
        !evaluation.facts.isEvicted && evaluation.answer(.isDuplicate)
    }
}

/// `copied: elsewhere`: another file of the container, outside the inbox, has the same content. Evaluated after the
/// container was read.
struct CopiedPredicate: Predicate {
    static let key = "copied"
    static let cost = Cost.later
    var needs: PredicateNeeds { [.container, .copies] }

    private enum Word: String, CaseIterable { case elsewhere }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("location", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .file }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        !evaluation.facts.isEvicted && evaluation.answer(.hasCopy)
    }
}
