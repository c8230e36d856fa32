internal import ContainerTree
internal import FileSystem

/// `older-than: 7d`: the content was last modified at least that long ago. Archives and copies keep no other time.
struct AgePredicate: Predicate {
    static let key = "older-than"
    static let cost = Cost.free
    private let seconds: Int64

    init(_ value: YAMLValue) throws(SourceError) { seconds = try value.duration() }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { allocator.age(seconds) }

    func isDecided(by traits: ItemTraits) -> Bool { !traits.isEmpty }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let age = evaluation.run.now.seconds - evaluation.item.status.modified.seconds
        guard age >= seconds else { return false }
        evaluation.addEvidence("age") { Self.text(age) }
        return true
    }

    static func text(_ seconds: Int64) -> String {
        switch seconds {
        case ..<7200: "\(seconds / 60) minutes"
        case ..<172_800: "\(seconds / 3600) hours"
        default: "\(seconds / 86_400) days"
        }
    }
}

/// `dated-ahead: 1d`: the modification time is more than that in the future.
struct AheadPredicate: Predicate {
    static let key = "dated-ahead"
    static let cost = Cost.free
    private let seconds: Int64

    init(_ value: YAMLValue) throws(SourceError) { seconds = try value.duration() }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { allocator.ahead(seconds) }

    func isDecided(by traits: ItemTraits) -> Bool { !traits.isEmpty }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        // The date of a file system may be any number, so nothing here may overflow.
        let (ahead, isHuge) = evaluation.item.status.modified.seconds.subtractingReportingOverflow(
            evaluation.run.now.seconds)
        guard isHuge || ahead > seconds else { return false }
        evaluation.addEvidence("ahead") { isHuge ? "centuries" : AgePredicate.text(ahead) }
        return true
    }
}

/// `edited: 1s`: the content was modified at least that long after the file was created. Does not match copies with
/// their old date, nor files without a creation date.
struct EditedPredicate: Predicate {
    static let key = "edited"
    static let cost = Cost.free
    private let seconds: Int64

    init(_ value: YAMLValue) throws(SourceError) { seconds = try value.duration() }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .changedSinceMade }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let status = evaluation.item.status
        guard let birth = status.birth, status.modified.seconds > birth.seconds,
            status.modified.seconds - birth.seconds >= seconds
        else { return false }
        evaluation.addEvidence(
            "edited", value: "\(AgePredicate.text(status.modified.seconds - birth.seconds)) after it arrived")
        return true
    }
}

/// `expired: [regenerable]`: a known SDK wrote the file with this kind of content, and the SDK's lifetime for it has
/// passed.
struct ExpiredPredicate: Predicate {
    static let key = "expired"
    static let cost = Cost.free
    private let kinds: [RegistryEntry.Holds]

    init(_ value: YAMLValue) throws(SourceError) {
        kinds = try value.words("kind of content", type: RegistryEntry.Holds.self)
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [.registered, .file] }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard evaluation.item.status.kind == .file else { return false }
        let age = evaluation.run.now.seconds - evaluation.item.status.modified.seconds
        for entry in evaluation.registryEntries where kinds.contains(entry.holds) {
            guard let expiry = entry.expiry else { continue }
            switch expiry {
            case .modificationDate:
                guard age > 0 else { continue }
                evaluation.addEvidence(
                    "expired", value: "\(AgePredicate.text(age)) since the expiry date that \(entry.sdk) set")
            case .after(let term):
                guard age >= term else { continue }
                evaluation.addEvidence(
                    "expired",
                    value: "\(AgePredicate.text(age)) old; \(entry.sdk) keeps files for \(AgePredicate.text(term))")
            }
            evaluation.addEvidence(Evidence.registry, value: Evidence.registered(entry.sdk, entry.path.text))
            return true
        }
        return false
    }
}

/// `dates: vary`: the files of the container have different modification times. They are equal after an extraction that
/// reset them. Evaluated after the container was read.
struct DatesVaryPredicate: Predicate {
    static let key = "dates"
    static let cost = Cost.later

    private enum Word: String, CaseIterable { case vary }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("answer", type: Word.self) }

    var needs: PredicateNeeds { .dates }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [] }

    func isDecided(by traits: ItemTraits) -> Bool { true }

    func matches(_ evaluation: inout Evaluation) -> Bool { true }
}
