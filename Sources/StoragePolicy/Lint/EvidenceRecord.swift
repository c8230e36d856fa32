package import AppContainer
internal import FileSystem
internal import PolicyTexts

/// The evidence on a group of files, as the weights are fitted from it.
package struct EvidenceRecord: Sendable {
    /// The directory, relative to the container.
    package let directory: [UInt8]
    /// The names of the files, or the first of them where the group is too large to list.
    package let names: [[UInt8]]
    /// The number of files.
    package let items: Int
    /// The ids of the pieces of evidence with their strengths, from 0 to 1.
    package let pieces: [(id: String, strength: Double)]
    /// The words of the first paths, as the second judge of names sees them; each with its place, as in `nearest:cache`.
    package let words: [[String]]
    /// The probability by the weights of this run.
    package let probability: Double
}

extension Linter {
    /// Returns the evidence on every candidate of a container, in the order of the paths.
    package func evidence(in container: Container) throws(ContainerError) -> [EvidenceRecord] {
        let recorder = EvidenceRecorder(vocabulary: model?.vocabulary, identifier: container.bundleIdentifier)
        _ = try lint(ContainerOfApp(container), observer: recorder, progress: { _ in })
        return recorder.records.withLock { $0 }
    }
}

extension Linter {
    /// Returns the directories with files that nothing accounts for, the largest first; none where no rule asks for
    /// them.
    func undeclaredDirectories(in container: Container) throws(ContainerError) -> [UndeclaredDirectory] {
        let recorder = UndeclaredRecorder()
        _ = try lint(ContainerOfApp(container), observer: recorder, progress: { _ in })
        return recorder.directories.withLock { $0 }
    }
}

private final class UndeclaredRecorder: LintObserver {
    let directories = LockedValue<[UndeclaredDirectory]>([])

    func observe(_ directories: [UndeclaredDirectory]) { self.directories.withLock { $0 = directories } }
}

private final class EvidenceRecorder: LintObserver {
    let records = LockedValue<[EvidenceRecord]>([])
    private let vocabulary: Vocabulary?
    private let identifier: String?

    init(vocabulary: Vocabulary?, identifier: String?) { (self.vocabulary, self.identifier) = (vocabulary, identifier) }

    func observe(
        _ verdict: Verdict, pieces: [PieceOfEvidence], on group: EvidenceGroup, in directory: DirectoryEvidence
    ) {
        guard let vocabulary else { return }
        let structure = DirectoryStructure(directory, vocabulary: vocabulary, identifier: identifier)
        let words = group.files.prefix(PathEvidence.samples).map { file in
            structure.tokens(of: file.name).map(\.text).sorted()
        }
        let record = EvidenceRecord(
            directory: directory.path, names: group.files.map(\.name), items: group.items,
            pieces: pieces.map { ($0.id, $0.strength) }, words: words, probability: verdict.probability)
        records.withLock { $0.append(record) }
    }
}
