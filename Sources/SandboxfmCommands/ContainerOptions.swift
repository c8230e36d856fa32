import AppContainer
import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import ContainerInputs
import ContainerTree
import FileSystem
import StoragePolicy
import SystemPackage
import TextOutput

/// The container of a command.
struct ContainerOptions: ParsableArguments {
    @Argument(
        help: """
            The container of an app: the directory that contains Documents, Library and tmp. Commands that read take every \
            input of sandboxlint: packages, simulated devices, archives (zip, tar), device backups; and repositories of \
            sandboxbackup.
            """,
        completion: .file())
    var container: String?
    @OptionGroup(title: "Input") var selection: InputSelection
    @OptionGroup(title: "Input") var secret: BackupPasswordOptions
    @Option(
        help: ArgumentHelp(
            "Read this snapshot of a repository: its number, the beginning of its ID, or latest. (default: latest)",
            valueName: "snapshot"))
    var snapshot: String?

    func validate() throws { _ = try selection.source(path) }

    /// The path of the input; nil for an app in a simulator or on a device.
    private var path: String? { selection.hasApp ? nil : container }

    // MARK: - Arguments after the container

    /// Returns the arguments after the container. The parser takes the first argument for the container; if an option names an
    /// app instead, it is one of them.
    func following(_ arguments: [String]) -> [String] {
        (selection.hasApp ? [container].compactMap(\.self) : []) + arguments
    }

    /// Returns the arguments after the container, at least one.
    func required(_ name: String, arguments: [String]) throws -> [String] {
        let arguments = following(arguments)
        guard !arguments.isEmpty else { throw ValidationError("Missing expected argument '<\(name)> ...'") }
        return arguments
    }

    /// Returns the arguments after the container, exactly one for each name.
    func required(_ names: [String], arguments: [String?]) throws -> [String] {
        let arguments = following(arguments.compactMap(\.self))
        guard arguments.count >= names.count else {
            throw ValidationError("Missing expected argument '<\(names[arguments.count])>'")
        }
        guard arguments.count == names.count else {
            throw ValidationError("Unexpected argument '\(arguments[names.count])'")
        }
        return arguments
    }

    // MARK: - Opening

    /// Opens the container, and calls `body` with it. With a `reason`, only a directory in place is opened. What was not read
    /// is noted, and makes the run incomplete after `body`.
    func open(inPlaceBecause reason: String? = nil, _ body: (InputContainer) throws -> Void) throws {
        let opened = try openInput(inPlaceBecause: reason)
        try requireRepository(among: [opened])
        opened.printRemarks()
        // The input keeps what was extracted, copied or restored.
        try withExtendedLifetime(opened) { try body(opened.container) }
        guard opened.gaps.isEmpty else { throw Failure.incomplete }
    }

    /// Opens the container of the command. See `openInput(at:)`.
    func openInput(inPlaceBecause reason: String? = nil) throws -> OpenedInput {
        guard let path else { return try opened(selection, at: nil, inPlaceBecause: reason, password: secret.password) }
        return try openInput(at: path, inPlaceBecause: reason, password: secret.password)
    }

    /// Opens the container of another input that is a path, with the options of this one: `--bundle-id`, `--snapshot` and the
    /// password. Prints nothing, so that it can run while a screen is shown.
    ///
    /// - Parameters:
    ///   - path: A container, an archive, a device backup, a repository of sandboxbackup, or a directory with containers.
    ///   - reason: The reason for which only a directory in place is opened. See `Input.init`.
    ///   - password: Returns the password of an encrypted device backup. That of the options may ask on the terminal.
    /// - Returns: The input. A copy exists as long as it does.
    /// - Throws: `ValidationError` if a directory in place is needed; `InputError`; `BackupError`; `UnreadablePassword`.
    func openInput(
        at path: String, inPlaceBecause reason: String? = nil, password: @escaping BackupPassword
    ) throws -> OpenedInput {
        var selection = selection
        (selection.booted, selection.device) = ([], nil)
        return try opened(selection, at: path, inPlaceBecause: reason, password: password)
    }

    /// Opens the container of another input, and calls `body` with it. See `openInput(at:inPlaceBecause:password:)`.
    func openInput(
        at path: String, password: @escaping BackupPassword, _ body: (OpenedInput) throws -> Void
    ) throws {
        let opened = try openInput(at: path, password: password)
        try withExtendedLifetime(opened) { try body(opened) }
    }

    private func opened(
        _ selection: InputSelection, at path: String?, inPlaceBecause reason: String?,
        password: @escaping BackupPassword
    ) throws -> OpenedInput {
        if let path, SnapshotInput.isRepository(path) {
            guard let reason else { return try SnapshotInput.open(path, snapshot: snapshot, of: selection.bundleID) }
            throw ValidationError(
                "\(reason), and “\(path.printable)” is a repository. `sandboxbackup restore` restores a snapshot.")
        }
        let (container, input) = try selection.single(at: path, inPlaceBecause: reason, password: password)
        return OpenedInput(
            container, path: path ?? container.container.location.string, notes: input.notes, gaps: input.gaps)
    }

    /// Checks that `--snapshot` has an effect on one of the inputs, and only on one.
    func requireRepository(among inputs: [OpenedInput]) throws {
        guard let snapshot else { return }
        let count = inputs.count(where: \.isSnapshot)
        guard count != 1 else { return }
        throw ValidationError(
            count == 0
                ? "--snapshot \(snapshot.printable) selects a snapshot of a repository, and the input is not one."
                : "--snapshot selects a snapshot of one repository. `sandboxbackup diff` compares two snapshots.")
    }

    /// Opens the container for changes. Unless they are only planned, the leftovers of interrupted changes are removed first,
    /// and interrupted changes are reverted, except for an undo, which reports that.
    func change(isPlan: Bool, isUndo: Bool = false, _ body: (Container) throws -> Void) throws {
        try open(inPlaceBecause: "only a directory can be changed") {
            if !isPlan {
                _ = try? $0.container.sweepLeftovers()
                if !isUndo { try ContainerEditor($0.container).recover(within: .seconds(10)) }
            }
            try body($0.container)
        }
    }

    /// Opens the content of the container for reading.
    func read(_ body: (any Tree) throws -> Void) throws { try open { try body(DirectoryTree($0.container)) } }

    /// Reads every item of the container.
    func readIndex(_ body: (ContainerIndex) throws -> Void) throws { try read { try body(ContainerIndex(of: $0)) } }

    /// Returns the classes of items, by the linter with the configuration that belongs to the container.
    func classes(of items: [Int], in index: ContainerIndex) throws -> ItemClasses {
        try linter(for: index.container).classes(of: Set(items.map { index.path(of: $0) }), in: index.container)
    }

    /// Returns the linter with the configuration that belongs to the container.
    func linter(for container: Container) throws -> Linter {
        try Linter(configuredFor: path ?? container.location.string)
    }

    /// Returns the classes of items of another container, by the linter with the configuration that belongs to a path.
    func classes(of items: [Int], in index: ContainerIndex, configuredAt path: String) throws -> ItemClasses {
        try Linter(configuredFor: path).classes(of: Set(items.map { index.path(of: $0) }), in: index.container)
    }

    /// Returns the path of a container for the user: that of an archive or a backup for a container in it.
    func shownPath(of found: InputContainer) -> String {
        guard let path, found.isCopy || found.relativePath.isEmpty else { return found.container.location.string }
        return path
    }
}

/// The paths of a command that reads.
struct PathArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Paths or patterns of items, relative to the container. (default: the container)",
            discussion: "A byte that is not UTF-8 is written as it is printed: %FF."))
    var paths: [String] = []
}
