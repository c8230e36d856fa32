import AppContainer
import ArgumentParser
import BackupOperations
import BackupRepository
import CommandLineSupport
import ContainerInputs
import FileSystem
import SystemPackage
import TextOutput

/// An open input. A copy of an archive, a backup, a device or a snapshot exists as long as the value.
struct OpenedInput: Sendable {
    let container: InputContainer
    /// The given path of the input; that of the container for an app in a simulator or on a device.
    let path: String
    /// Notes for the user, one sentence each.
    let notes: [String]
    /// The parts of the input that could not be read, one or two sentences each.
    let gaps: [String]
    /// True for a snapshot of a repository.
    let isSnapshot: Bool

    init(_ container: InputContainer, path: String, notes: [String], gaps: [String], isSnapshot: Bool = false) {
        (self.container, self.path, self.notes, self.gaps) = (container, path, notes, gaps)
        self.isSnapshot = isSnapshot
    }

    /// Prints the notes and the gaps.
    func printRemarks() { for remark in notes + gaps { StandardError.printNote(remark) } }
}

/// A snapshot of a repository of `sandboxbackup` as an input. The whole snapshot is restored into a private directory, which
/// takes the time and the space of its content.
enum SnapshotInput {
    /// The name of the container in the private directory, which has the attributes and the mode of the original.
    private static let name: FilePath = "container"

    /// Returns true if a path is the directory of a repository.
    static func isRepository(_ path: String) -> Bool {
        (try? Folder(opening: FilePath(path))).map(Repository.isRepository) ?? false
    }

    /// Restores a snapshot.
    ///
    /// - Parameters:
    ///   - path: The directory of the repository.
    ///   - name: The number of the snapshot, the beginning of its ID, or `latest`; nil for the latest.
    ///   - bundleIdentifiers: The app of the latest snapshot; empty if the repository has only one.
    /// - Returns: The container of the snapshot.
    /// - Throws: `BackupError`, `InputError`, `ValidationError` for several apps.
    static func open(_ path: String, snapshot name: String?, of bundleIdentifiers: [String]) throws -> OpenedInput {
        guard bundleIdentifiers.count < 2 else {
            throw ValidationError("A snapshot has one container. Name one app with --bundle-id.")
        }
        let wait = LockWait(limit: .seconds(60), name: "1m")
        let repository = try Repository(at: FilePath(path), for: .reading, command: "sandboxfm", waiting: wait)
        try repository.requireOutside(Invocation.current.temporaryDirectory)
        let choice = try repository.snapshot(named: name ?? "latest", of: bundleIdentifiers.first)
        let scratch = try ScratchFolder.forInput()
        let result = try restore(choice.snapshot, of: repository, into: scratch)
        var container = try Container.open(
            known: scratch.path.appending(Self.name.components),
            bundleIdentifier: choice.snapshot.bundleIdentifier,
            kind: Container.Kind(rawValue: choice.snapshot.kind))
        // A restored file has holes where the original may have had zeros.
        container.keepsHoles = false
        let role: InputContainer.Role =
            switch choice.snapshot.kind {
            case "group": .group
            case "plugin": .plugIn
            default: .data
            }
        return OpenedInput(
            InputContainer(container, role: role, label: container.bundleIdentifier, scratch: scratch), path: path,
            notes: [choice.aheadWarning].compactMap(\.self) + notes(on: result, of: choice.snapshot),
            gaps: choice.damaged.map(\.warning) + gaps(of: result, in: choice.snapshot, of: path), isSnapshot: true)
    }

    private static func restore(
        _ snapshot: Snapshot, of repository: Repository, into scratch: ScratchFolder
    ) throws -> RestoreResult {
        try Invocation.current.interruption.during {
            do {
                try scratch.folder.createDirectory(name, permissions: 0o700)
                let target = try scratch.folder.openFolder(noFollow: name)
                var restorer = try Restorer(RestoreOptions(snapshot, of: repository, into: target))
                let result = try restorer.restore()
                Host.waitIfTerminating()
                return result
            } catch {
                // The handler of the signal ends the process.
                Host.waitIfTerminating()
                throw error
            }
        }
    }

    /// The reason of an item whose set-user-ID and set-group-ID bits were not restored, which changes no content.
    private static let droppedBits = "set-id-bits-dropped"

    private static func notes(on result: RestoreResult, of snapshot: Snapshot) -> [String] {
        let count = result.incidents.count { $0.reason == droppedBits }
        guard count > 0 else { return [] }
        return ["\(Quantity.count(count, "item")) of snapshot \(snapshot.number) had a mode that is not restored."]
    }

    private static func gaps(of result: RestoreResult, in snapshot: Snapshot, of path: String) -> [String] {
        var gaps: [String] = []
        let lost = result.incidents.filter { $0.reason != droppedBits }
        if let first = lost.first {
            gaps.append(
                "\(Quantity.count(lost.count, "item")) of snapshot \(snapshot.number) of “\(path.printable)” could not be "
                    + "restored, such as \(shown(first)). `sandboxbackup verify` reports all damage.")
        }
        if let first = result.missing.first {
            gaps.append(
                "snapshot \(snapshot.number) is incomplete: it lacks \(Quantity.count(result.missing.count, "item")), such "
                    + "as \(shown(first)). `sandboxbackup snapshots` lists all snapshots.")
        }
        return gaps
    }

    private static func shown(_ incident: Snapshot.Incident) -> String {
        let path = incident.path.isEmpty ? "the container" : "“\(ByteText.escaped(incident.path))”"
        return "\(path) (\(incident.reason.replacing("-", with: " ")))"
    }
}
