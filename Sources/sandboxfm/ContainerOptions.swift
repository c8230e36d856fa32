import AppContainer
import ArgumentParser
import ContainerExplorer
import ContainerTree
import FileSystem
import StoragePolicy
import SystemPackage

/// The container of a command.
struct ContainerOptions: ParsableArguments {
    @Argument(
        help: "The container of an app: the directory that contains Documents, Library and tmp.",
        completion: .directory)
    var container: String
    @Option(help: ArgumentHelp("Set the bundle identifier if the container does not name it.", valueName: "identifier"))
    var bundleId: String?

    /// Opens the content of the container for reading.
    func openTree() throws -> any Tree {
        try ContainerInput.tree(at: FilePath(container), bundleIdentifier: bundleId)
    }

    /// Opens the container for changes.
    func open() throws -> Container { try Container.open(FilePath(container), bundleIdentifier: bundleId) }

    /// Reads every item of the container.
    func index() throws -> ContainerIndex { try ContainerIndex(of: openTree()) }
}

/// The paths of a command that reads.
struct PathArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Paths or patterns of items, relative to the container. (default: the container)",
            discussion: "A byte that is not UTF-8 is written as it is printed: %FF."))
    var paths: [String] = []
}

/// A date on the command line, in UTC.
struct DateArgument: ExpressibleByArgument {
    let seconds: Int64

    init?(argument: String) {
        guard let seconds = DateText.seconds(argument) else { return nil }
        self.seconds = seconds
    }
}

/// The date from which ages are computed.
struct DateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Compute ages from this date, such as 2026-01-31 or 2026-01-31T12:00:00Z. (default: now)",
            valueName: "date"))
    var now: DateArgument?

    /// The date in seconds since 1970.
    var seconds: Int64 { now?.seconds ?? Timestamp.now.seconds }
}
