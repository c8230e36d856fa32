package import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
internal import TextOutput

/// The classes of items of a container. Each is that which `explain` prints of the item.
package struct ItemClasses: Sendable {
    private let verdicts: [[UInt8]: ItemVerdict]
    /// The number of items of which it is unknown whether a store of the app names them, because there are too many.
    package let unsearched: Int

    fileprivate init(_ verdicts: [[UInt8]: ItemVerdict], unsearched: Int) {
        (self.verdicts, self.unsearched) = (verdicts, unsearched)
    }

    /// Returns the class of the item at a path; nil for an item that was not asked for or not read.
    package subscript(path: [UInt8]) -> ItemVerdict? { verdicts[path] }
}

extension Linter {
    /// Returns the classes of items of a container, which is linted for them.
    ///
    /// - Parameters:
    ///   - paths: The items; nil for all of them.
    ///   - container: The container.
    /// - Returns: The classes.
    /// - Throws: `ContainerError` where the container cannot be read.
    package func classes(
        of paths: Set<[UInt8]>? = nil, in container: Container
    ) throws(ContainerError) -> ItemClasses {
        let classifier = ItemClassifier(paths)
        _ = try lint(ContainerOfApp(container), observer: classifier) { _ in }
        return classifier.classes
    }

    /// Lints a container once for its findings and for the classes of all of its items.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - progress: Called from time to time, from any thread, with the number of additional items.
    /// - Returns: The report, equal to that of `lint`, and the classes.
    /// - Throws: `ContainerError` where the container cannot be read.
    package func lintWithClasses(
        _ container: Container, progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(ContainerError) -> (report: LintReport, classes: ItemClasses) {
        let classifier = ItemClassifier(nil)
        let report = try lint(ContainerOfApp(container), observer: classifier, progress: progress).report
        return (report, classifier.classes)
    }
}

/// Gathers what a run learns of items, and classifies them.
private final class ItemClassifier: LintObserver {
    private struct State {
        var known: [[UInt8]: (known: ItemVerdict.Known, isFile: Bool)] = [:]
        /// The files that evidence is weighed for, by directory and name.
        var candidates: [[UInt8]: [[UInt8]: NameTraits]] = [:]
        /// The files of which the verdict is on files with exactly their traits.
        var exact: Set<[UInt8]> = []
    }

    let observedItems: ObservedItems
    private let state = LockedValue(State())

    init(_ paths: Set<[UInt8]>?) {
        // A log of a database has the class of the database.
        observedItems = paths.map { paths in .some(paths.union(paths.flatMap(OwningDatabase.paths(ofPart:)))) } ?? .all
    }

    func observe(_ evaluation: Evaluation, as own: Directory?, rules: [Policy.Compiled]) {
        let path = evaluation.directory.path(of: evaluation.item)
        let known = ItemVerdict.Known(evaluation, at: path, as: own)
        state.withLock { $0.known[path] = (known, evaluation.item.status.isFile) }
    }

    func observe(_ account: FileAccount, traits: NameTraits?, of path: [UInt8]) {
        guard case .candidate = account, let traits else { return }
        state.withLock { $0.candidates[ItemPath.parent(path), default: [:]][ItemPath.name(path)] = traits }
    }

    func observe(
        _ verdict: Verdict, pieces: [PieceOfEvidence], on group: EvidenceGroup, in directory: DirectoryEvidence
    ) {
        state.withLock { state in
            guard let candidates = state.candidates[directory.path] else { return }
            let names = group.isListed ? group.files.map(\.name) : Array(candidates.keys)
            for name in names {
                guard let traits = candidates[name], group.mayHold(traits) else { continue }
                let path = ItemPath.joined(directory.path, name: name)
                let isExact = group.traits == traits
                if isExact { state.exact.insert(path) } else if state.exact.contains(path) { continue }
                state.known[path]?.known.probability = verdict.probability
                state.known[path]?.known.isDescribed = verdict.isDescribed
            }
        }
    }

    /// All items. The files of which a reference may change the class come first.
    var searchedItems: [[UInt8]] {
        let known = state.withLock { $0.known }
        let open = known.filter { $0.value.isFile && ItemVerdict($0.value.known).itemClass == .undecided }
        let paths = known.keys.sorted { $0.lexicographicallyPrecedes($1) }
        return Array((paths.filter { open[$0] != nil } + paths.filter { open[$0] == nil }).prefix(References.mostFiles))
    }

    func observe(_ references: References) {
        state.withLock { state in
            for path in state.known.keys {
                state.known[path]?.known.reference = references[path]
                state.known[path]?.known.address = references.address(of: path)
            }
        }
    }

    var classes: ItemClasses {
        let known = state.withLock { $0.known }
        var verdicts = known.mapValues { ItemVerdict($0.known) }
        for path in known.keys {
            let database = OwningDatabase.paths(ofPart: path).first { known[$0]?.isFile ?? false }
            guard let database, let own = verdicts[database] else { continue }
            verdicts[path] = ItemVerdict(of: own, named: ByteText.escaped(ItemPath.name(database)))
        }
        return ItemClasses(verdicts, unsearched: max(0, known.count - References.mostFiles))
    }
}
