/// `exception: unused`: a suppression or a baseline entry with this problem. Matches no item; the engine reports it
/// after the run.
struct ExceptionPredicate: Predicate {
    static let key = "exception"
    static let cost = Cost.free

    let word: ExceptionWord

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("exception", type: ExceptionWord.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [] }

    func matches(_ evaluation: inout Evaluation) -> Bool { false }
}

/// `fresh-install: true`: the app was installed and launched once and never used, according to the options of the run.
struct FreshInstallPredicate: Predicate {
    static let key = "fresh-install"
    static let cost = Cost.free
    private let isWanted: Bool

    init(_ value: YAMLValue) throws(SourceError) { isWanted = try value.boolean() }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [] }

    func answer(onFreshInstall isFreshInstall: Bool) -> Bool? { isFreshInstall == isWanted }

    func matches(_ evaluation: inout Evaluation) -> Bool { evaluation.run.isFreshInstall == isWanted }
}

/// `undeclared: { listed: 5 }`: files of backed-up locations that the configuration does not declare, that no proof
/// shows to be user data, and that are not excluded, added up; the largest directories are listed.
/// No item is asked; the engine itself answers when the container has been read.
struct UndeclaredPredicate: Predicate {
    static let key = "undeclared"
    static let cost = Cost.later
    /// The number of directories that a finding lists.
    let listed: Int

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["listed"])
        listed = try value.required("listed", of: fields).integer()
        guard (1...50) ~= listed else { throw value.error("expected a number of directories from 1 to 50") }
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .never }

    func matches(_ evaluation: inout Evaluation) -> Bool { false }
}

/// `stated-source: true`: the tags of the file and the app's own data state the same address, from which the app can download
/// it again. No item is asked; the engine itself answers when the container has been read, for rules with a sum.
struct StatedSourcePredicate: Predicate {
    static let key = "stated-source"
    static let cost = Cost.later

    init(_ value: YAMLValue) throws(SourceError) {
        guard try value.boolean() else { throw value.error("expected true") }
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .never }

    func matches(_ evaluation: inout Evaluation) -> Bool { false }
}

/// `verdict: { note: 70, warning: 90 }`: weighed evidence says with that many percent that files are re-downloadable. No
/// item is asked; the engine itself answers when the container has been read.
struct VerdictPredicate: Predicate {
    static let key = "verdict"
    static let cost = Cost.later
    let limits: VerdictLimits

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["note", "warning"])
        let note = try value.required("note", of: fields).integer()
        let warning = try value.required("warning", of: fields).integer()
        guard (50...99) ~= note, (note...99) ~= warning else {
            throw value.error("expected 50 ≤ note ≤ warning ≤ 99")
        }
        limits = VerdictLimits(note: note, warning: warning)
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .never }

    func matches(_ evaluation: inout Evaluation) -> Bool { false }
}

/// A problem of a suppression or a baseline entry.
package enum ExceptionWord: String, CaseIterable {
    /// A baseline entry without a finding.
    case staleInBaseline = "stale-in-baseline"
    /// A suppression that matches no finding.
    case unused
    /// An expired suppression.
    case expired
    /// A suppression on an item that cannot be parsed.
    case malformed
}

/// The least probabilities, in percent, of what a rule reports about verdicts.
struct VerdictLimits: Sendable {
    /// The percent from which a note, and from which a warning is reported.
    let note: Int
    let warning: Int
}
