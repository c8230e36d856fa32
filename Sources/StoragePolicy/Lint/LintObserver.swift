internal import ContainerTree
internal import PolicyTexts

/// Receives what a run learns of the items of a container.
protocol LintObserver: Sendable {
    /// The items that it receives, and whose references are searched for.
    var observedItems: ObservedItems { get }
    /// Receives an item, as a directory if it is one, and the rules of the run.
    func observe(_ evaluation: Evaluation, as own: Directory?, rules: [Policy.Compiled])
    /// Receives the account of a file where evidence may be weighed, with the traits of a candidate.
    func observe(_ account: FileAccount, traits: NameTraits?, of path: [UInt8])
    /// Receives the verdict on each group of files.
    func observe(
        _ verdict: Verdict, pieces: [PieceOfEvidence], on group: EvidenceGroup, in directory: DirectoryEvidence)
    /// Receives the directories with files that nothing accounts for, the largest first.
    func observe(_ directories: [UndeclaredDirectory])
    /// The items for whose names the stores of the app are searched, after everything else was observed.
    var searchedItems: [[UInt8]] { get }
    /// Receives what was found.
    func observe(_ references: References)
}

/// The items that an observer receives.
enum ObservedItems: Sendable {
    case none
    case some(Set<[UInt8]>)
    case all

    /// Returns true if the item at a path, which is only made if it matters, is one of them.
    func contains(_ path: @autoclosure () -> [UInt8]) -> Bool {
        switch self {
        case .none: false
        case .some(let paths): paths.contains(path())
        case .all: true
        }
    }

    var isNone: Bool {
        if case .none = self { return true }
        return false
    }
}

extension LintObserver {
    var observedItems: ObservedItems { .none }
    var searchedItems: [[UInt8]] { [] }
    func observe(_ evaluation: Evaluation, as own: Directory?, rules: [Policy.Compiled]) {}
    func observe(_ account: FileAccount, traits: NameTraits?, of path: [UInt8]) {}
    func observe(
        _ verdict: Verdict, pieces: [PieceOfEvidence], on group: EvidenceGroup, in directory: DirectoryEvidence
    ) {}
    func observe(_ directories: [UndeclaredDirectory]) {}
    func observe(_ references: References) {}
}
