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
            input of sandboxlint: packages, simulated devices, archives (zip, tar), device backups.
            """,
        completion: .file())
    var container: String?
    @OptionGroup(title: "Input") var selection: InputSelection
    @OptionGroup(title: "Input") var secret: BackupPasswordOptions

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

    /// Opens the container, and calls `body` with it. With a `reason`, only a directory in place is opened.
    func open(inPlaceBecause reason: String? = nil, _ body: (InputContainer) throws -> Void) throws {
        try selection.withContainer(at: path, inPlaceBecause: reason, password: secret.password, body)
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
