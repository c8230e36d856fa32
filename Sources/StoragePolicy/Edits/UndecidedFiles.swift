package import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// The files of which neither proof nor evidence decides the class: those in backups, and those that the app excludes from
/// backup in directories that backups include. What lies in Library/Caches and tmp is not undecided: of the apps that were
/// measured, none keeps user data there.
package struct UndecidedFiles: Sendable {
    /// Files of one directory with one verdict.
    package struct Group: Sendable {
        /// The path of the directory.
        package let directory: [UInt8]
        package let location: Location
        /// True if the files are excluded from backup.
        package let isExcluded: Bool
        /// The kind of the files in the vocabulary of evidence.
        package let kind: String
        /// The probability of being re-downloadable, from 0 to 1.
        package let probability: Double
        package let items: Int
        package let bytes: UInt64
        /// The files, each with the parts of its database, or the first ones of a group that is too large to list.
        package let files: [File]
        package var isListed: Bool { files.reduce(0) { $0 + $1.parts.count + 1 } == items }

        package init(
            directory: [UInt8], location: Location, isExcluded: Bool = false, kind: String, probability: Double,
            items: Int, bytes: UInt64, files: [File]
        ) {
            (self.directory, self.location, self.isExcluded, self.kind) = (directory, location, isExcluded, kind)
            (self.probability, self.items, self.bytes, self.files) = (probability, items, bytes, files)
        }
    }

    /// A file by its name.
    package struct File: Sendable {
        package let name: [UInt8]
        /// The names of the parts of a database.
        package let parts: [[UInt8]]
        /// The size with all parts.
        package let bytes: UInt64

        package init(name: [UInt8], parts: [[UInt8]] = [], bytes: UInt64) {
            (self.name, self.parts, self.bytes) = (name, parts, bytes)
        }
    }

    package let groups: [Group]
    /// One path of each form of name in the container, of all files.
    package let paths: KnownPaths
    /// False if a part of the container was not read.
    package let isComplete: Bool
    /// True if there are more undecided files than are weighed.
    package let isCut: Bool

    package init(groups: [Group], paths: KnownPaths, isComplete: Bool = true, isCut: Bool = false) {
        (self.groups, self.paths, self.isComplete, self.isCut) = (groups, paths, isComplete, isCut)
    }
}

/// One path of each form of name in a container, in bounded memory.
package struct KnownPaths: Sendable {
    /// By the path with `*` for the parts that change by themselves.
    package private(set) var byForm: [[UInt8]: [UInt8]] = [:]
    /// False if there were too many.
    package private(set) var isComplete = true
    private static let most = 20_000

    package init() {}

    package mutating func add(_ path: [UInt8]) {
        let form = PathPatterns.form(ofPath: path)
        if let known = byForm[form] {
            // The result does not depend on the order in which paths come.
            if path.lexicographicallyPrecedes(known) { byForm[form] = path }
        } else if byForm.count < Self.most {
            byForm[form] = path
        } else {
            isComplete = false
        }
    }
}

extension Linter {
    /// Returns the files of which neither the configuration, proof nor evidence decides the class, and which no finding of at
    /// least a warning calls re-downloadable.
    ///
    /// - Throws: `ContainerError` where the container cannot be read.
    package func undecidedFiles(in container: Container) throws(ContainerError) -> UndecidedFiles {
        guard let vocabulary = model?.vocabulary else {
            return UndecidedFiles(groups: [], paths: KnownPaths())
        }
        let recorder = UndecidedRecorder(vocabulary)
        let report = try lint(ContainerOfApp(container), observer: recorder, progress: { _ in }).report
        let reported = reportedPaths(report)
        let groups = recorder.found.compactMap { $0.without(reported) }
        let visitor = PathVisitor()
        try DirectoryTree(container).visit(visitor, threads: 1)
        let isCut = report.incidents.contains { $0.reason == .tooMuchToWeigh } || recorder.isCut
        return UndecidedFiles(
            groups: groups, paths: visitor.seen.paths.withLock { $0 }, isComplete: !visitor.seen.hasFailed.value,
            isCut: isCut)
    }

    /// The paths that findings of at least a warning call re-downloadable or without use: those of rules about verdicts, and of
    /// rules that take their place.
    private func reportedPaths(_ report: LintReport) -> Set<[UInt8]> {
        let verdicts = forms.map(\.rule).filter { $0.verdict != nil }
        let rules = verdicts.reduce(into: Set(verdicts.map(\.id))) { $0.formUnion($1.unless) }
        return Set(
            report.findings.filter { $0.severity >= .warning && rules.contains($0.rule.id) && !$0.path.isEmpty }
                .map(\.path))
    }
}

extension UndecidedFiles.Group {
    /// The group without the files at or below some paths; nil if nothing is left.
    fileprivate func without(_ reported: Set<[UInt8]>) -> UndecidedFiles.Group? {
        guard !reported.isEmpty else { return self }
        if ItemPath.lineage(directory).contains(where: reported.contains) { return nil }
        guard isListed else { return self }
        let left = files.filter { !reported.contains(ItemPath.joined(directory, name: $0.name)) }
        guard !left.isEmpty else { return nil }
        return UndecidedFiles.Group(
            directory: directory, location: location, isExcluded: isExcluded, kind: kind, probability: probability,
            items: left.reduce(0) { $0 + $1.parts.count + 1 },
            bytes: left.reduce(0) { $0.addingSaturated($1.bytes) }, files: left)
    }
}

/// Gathers the groups of files that evidence leaves undecided, and the files that are excluded from backup.
private final class UndecidedRecorder: LintObserver {
    private let groups = LockedValue<[UndecidedFiles.Group]>([])
    private let excluded = LockedValue<[[UInt8]: UndecidedFiles.Group]>([:])
    private let vocabulary: Vocabulary

    let observedItems = ObservedItems.all
    /// More excluded files are not asked about.
    private static let mostExcluded = 50_000

    init(_ vocabulary: Vocabulary) { self.vocabulary = vocabulary }

    /// The groups, those in backups first.
    var found: [UndecidedFiles.Group] {
        let excluded = excluded.withLock { $0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return groups.withLock { $0 } + excluded.map(\.value)
    }

    /// True if there were too many excluded files.
    var isCut: Bool { excluded.withLock { $0.count } >= Self.mostExcluded }

    func observe(_ evaluation: Evaluation, as own: Directory?, rules: [Policy.Compiled]) {
        let (item, directory) = (evaluation.item, evaluation.directory)
        guard own == nil, item.status.isFile, directory.isBackedUp,
            !item.marks.isEmpty || directory.exclusion.state == .excluded,
            OwningDatabase.names(ofPart: item.name).isEmpty, !evaluation.traits.contains(.registered)
        else { return }
        let path = directory.path(of: item)
        let known = ItemVerdict.Known(evaluation, at: path, as: own)
        guard known.declared == nil, ItemVerdict(known).itemClass == .undecided else { return }
        let name = Array(item.name)
        let group = UndecidedFiles.Group(
            directory: directory.path, location: directory.location, isExcluded: true,
            kind: vocabulary.kinds[vocabulary.kind(of: item.name)], probability: 0.5, items: 1, bytes: item.status.size,
            files: [UndecidedFiles.File(name: name, bytes: item.status.size)])
        excluded.withLock { if $0.count < Self.mostExcluded { $0[path] = group } }
    }

    func observe(
        _ verdict: Verdict, pieces: [PieceOfEvidence], on group: EvidenceGroup, in directory: DirectoryEvidence
    ) {
        guard verdict.itemClass == .undecided else { return }
        let files = group.files.map { file in
            UndecidedFiles.File(
                name: file.name, parts: file.parts.map(\.name),
                bytes: file.all.reduce(0) { $0.addingSaturated($1.bytes) })
        }
        let new = UndecidedFiles.Group(
            directory: directory.path, location: directory.location,
            kind: vocabulary.kinds[Int(group.traits.kind)], probability: verdict.probability, items: group.allItems,
            bytes: group.bytes, files: files)
        groups.withLock { $0.append(new) }
    }
}

/// Gathers the paths of all files.
private struct PathVisitor: ItemVisitor {
    final class Seen: Sendable {
        let paths = LockedValue(KnownPaths())
        let hasFailed = SharedFlag()
    }
    let seen = Seen()

    func root(_ item: Item, directory: Directory) {}
    func begin(_ directory: Directory, context: Void) {}
    func end(_ directory: Directory, context: Void, accumulator: Void) {}
    func failed(_ failure: WalkFailure) { seen.hasFailed.set() }
    func visit(_ item: Item, in directory: Directory, context: Void, into accumulator: inout Void) {
        seen.paths.withLock { $0.add(directory.path(of: item)) }
    }
    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Void, into accumulator: inout Void
    ) {}
}
