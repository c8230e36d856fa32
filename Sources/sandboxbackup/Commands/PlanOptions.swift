import AppContainer
import ArgumentParser
import CommandLineSupport
import ContainerInputs
import BackupPlan
import FileSystem
import Foundation
import SystemPackage
import TextOutput

extension BackupView: ExpressibleByArgument {}

/// The argument that names a container.
enum ContainerArgument {
    static let help: ArgumentHelp = """
        The container of an app: the directory that contains Documents, Library and tmp, a package .xcappdata, an archive \
        (zip, tar), or a device backup.
        """
}

/// The rules of the plan of a container, for `plan` and `create`.
struct PlanOptions: ParsableArguments {
    @Option(help: "Plan the backup that Finder (finder: encrypted, finder-unencrypted) or iCloud (icloud) makes.")
    var view: BackupView = .finder
    @Option(
        help: ArgumentHelp(
            "Set the bundle identifier if the container does not name it. Of an archive or a device backup, take the "
                + "container with it.", valueName: "identifier"))
    var bundleId: String?
    @Option(
        help: ArgumentHelp(
            "Read the password of an encrypted device backup from a file. (default: DEVICE_BACKUP_PASSWORD, or a prompt on "
                + "the terminal)", valueName: "file"))
    var backupPasswordFile: String?
    @Flag(help: "Exclude directories that contain a CACHEDIR.TAG.")
    var excludeCachesTag = false
    @Flag(help: "Exclude items with the nodump flag (chattr +d, chflags nodump).")
    var excludeNodump = false

    var rules: PlanRules {
        var rules = PlanRules(view: view)
        (rules.respectsCacheTags, rules.respectsNoDump) = (excludeCachesTag, excludeNodump)
        return rules
    }

    /// Returns true if the container is in an archive or a device backup.
    func isExtracted(_ path: String) -> Bool { Input.isExtracted(FilePath(path)) }

    /// Returns the paths of the containers in a directory that contains several, or the path itself.
    func containers(in path: String) throws -> [String] {
        guard !isExtracted(path), let input = try? Input(.path(path)), input.kind == .folder else { return [path] }
        let found = input.containers.map(\.container)
            .filter { bundleId == nil || $0.bundleIdentifier == bundleId }
        guard found.isEmpty else { return found.map(\.location.string) }
        throw ValidationError(
            "“\(path)” contains no container" + (bundleId.map { " of “\($0)”" } ?? "") + ". Name a container.")
    }

    /// Calls `body` with the container at a path, which is extracted from an archive or a backup first.
    ///
    /// - Throws: Errors of `body`; `InputError`; `Failure.incomplete` after `body` if parts were not extracted.
    func withContainer(at path: String, _ body: (Container) throws -> Void) throws {
        guard isExtracted(path) else { return try body(open(path)) }
        let isFile = (try? Folder(opening: FilePath(path))) == nil
        let input = try Input(.path(path), only: isFile ? [] : [bundleId].compactMap(\.self)) {
            try BackupPasswordOptions.password(of: $0, file: backupPasswordFile)
        }
        for note in input.notes + input.gaps { Failure.note(note) }
        // The input keeps the extracted files.
        try withExtendedLifetime(input) { try body(selected(input.containers, of: path)) }
        if !input.gaps.isEmpty { throw Failure.incomplete }
    }

    /// Returns the only container, or the one with the identifier.
    private func selected(_ containers: [InputContainer], of path: String) throws -> Container {
        let found = containers.map(\.container)
        let matching = bundleId.map { wanted in found.filter { $0.bundleIdentifier == wanted } } ?? found
        if matching.count == 1 { return matching[0] }
        if let bundleId, matching.isEmpty, found.count == 1, found[0].bundleIdentifier == nil {
            var named = try Container.open(found[0].location, bundleIdentifier: bundleId)
            named.keepsAttributes = found[0].keepsAttributes
            return named
        }
        let known = found.map { $0.bundleIdentifier ?? "one without an identifier" }.sorted()
        let list = known.prefix(10).joined(separator: ", ") + (known.count > 10 ? ", …" : "")
        throw ValidationError(
            "“\(path)” has \(Quantity.count(found.count, "container")): \(list). Select one with --bundle-id.")
    }

    /// Opens a container that is a directory, and notes if reading it changes access times.
    private func open(_ path: String) throws -> Container {
        let opened = try Container.open(FilePath(path), bundleIdentifier: bundleId)
        // On Linux only root and the owner of a file may read it without changing its access time (O_NOATIME).
        if geteuid() != 0, let owner = try? opened.folder.status("").owner.user, owner != geteuid() {
            Failure.note(
                "note: the container belongs to another user, so reading changes the access times of its files")
        }
        return opened
    }
}
