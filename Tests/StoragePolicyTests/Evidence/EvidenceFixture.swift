import AppContainer
import ContainerTree
import FileSystem
import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

/// 2026-01-01T00:00:00Z.
let firstDay: Int64 = 1_767_225_600

/// A container for tests of evidence.
struct EvidenceFixture {
    let container: Container
    let folder: URL

    /// Writes a file with a modification time `minutes` after the first day; nil for a time that is far from all others.
    func write(_ path: String, _ content: Data = Data("x".utf8), minutes: Int64? = nil) throws {
        let url = folder.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: url)
        var hash: Int64 = 7
        for byte in path.utf8 { hash = (hash &* 31 &+ Int64(byte)) & 0xffff }
        let time = Timestamp(seconds: firstDay + 60 * (minutes ?? 100_000 + hash * 97))
        try container.folder.setTimes(FilePath(path), accessed: time, modified: time)
    }

    func write(_ path: String, text: String, minutes: Int64? = nil) throws {
        try write(path, Data(text.utf8), minutes: minutes)
    }

    /// Returns the evidence on the files of a directory: ids and strengths by file name.
    func evidence(_ configuration: Configuration = .none) throws -> [String: [String: Double]] {
        let linter = try Linter(catalogue: .embedded(), configuration: configuration, threads: 2)
        var found: [String: [String: Double]] = [:]
        for record in try linter.evidence(in: container) {
            for name in record.names {
                let directory = String(decoding: record.directory, as: UTF8.self)
                let path = (directory.isEmpty ? "" : directory + "/") + String(decoding: name, as: UTF8.self)
                found[path] = Dictionary(record.pieces.map { ($0.id, $0.strength) }, uniquingKeysWith: max)
            }
        }
        return found
    }

    /// Returns the findings of the rule about weighed evidence.
    func findings(
        _ configuration: Configuration = .none, threads: Int = 2, app: AppBundle? = nil, others: [Container] = []
    ) throws -> [Finding] {
        try report(configuration, threads: threads, app: app, others: others).findings
            .filter { $0.rule.id == "likely-regenerable-in-backup" }
    }

    func report(
        _ configuration: Configuration = .none, threads: Int = 2, app: AppBundle? = nil, others: [Container] = []
    ) throws -> LintReport {
        try Linter(catalogue: .embedded(), configuration: configuration, now: firstDay + 86_400, threads: threads)
            .lint(container, app: app, others: others)
    }
}

/// Creates an empty container, passes it to the body, and removes it.
func withEvidence<Result>(
    _ bundleIdentifier: String = "com.example.app", _ body: (EvidenceFixture) throws -> Result
) throws -> Result {
    try withScratch { scratch throws in
        let folder = scratch.appending(path: "container")
        return try body(
            EvidenceFixture(
                container: Container.create(at: FilePath(folder.path), bundleIdentifier: bundleIdentifier),
                folder: folder))
    }
}

/// The embedded model.
func embeddedModel() throws -> EvidenceModel { try model.get() }
private let model = Result { try Catalogue.embedded().evidenceModel() }

/// Returns the status of a file.
func status(size: UInt64 = 1, seconds: Int64 = firstDay) -> FileStatus {
    FileStatus(
        kind: .file, permissions: 0o644, links: 1, owner: (0, 0), size: size, identity: (1, 1),
        modified: Timestamp(seconds: seconds), changed: Timestamp(seconds: seconds))
}

/// Returns the traits of a name by the embedded vocabulary.
func traits(_ name: [UInt8]) throws -> NameTraits {
    let vocabulary = try embeddedModel().vocabulary
    return name.withUnsafeBytes { NameTraits($0, vocabulary: vocabulary) }
}

/// Collects the candidates of every directory, independent of rules and configuration.
struct EvidenceVisitor: ItemVisitor {
    let vocabulary: Vocabulary
    let found = Found()

    final class Found: Sendable {
        let directories = LockedValue<[DirectoryEvidence]>([])
    }

    /// Returns the candidates of a container, by path.
    static func directories(of container: Container) throws -> [String: DirectoryEvidence] {
        let visitor = EvidenceVisitor(vocabulary: try embeddedModel().vocabulary)
        try DirectoryTree(container).visit(visitor, threads: 1)
        let all = visitor.found.directories.withLock { $0 }
        return Dictionary(uniqueKeysWithValues: all.map { (String(decoding: $0.path, as: UTF8.self), $0) })
    }

    func root(_ item: Item, directory: Directory) {}

    func begin(_ directory: Directory, context: Void) -> DirectoryEvidence {
        DirectoryEvidence(directory, carried: [])
    }

    func visit(_ item: Item, in directory: Directory, context: Void, into accumulator: inout DirectoryEvidence) {
        accumulator.add(item, traits: NameTraits(item.name, vocabulary: vocabulary), vocabulary: vocabulary)
    }

    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Void,
        into accumulator: inout DirectoryEvidence
    ) { accumulator.addSubdirectory(item.name) }

    func end(_ directory: Directory, context: Void, accumulator: DirectoryEvidence) {
        found.directories.withLock { $0.append(accumulator) }
    }

    func failed(_ failure: WalkFailure) {}
}
