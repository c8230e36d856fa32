public import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
internal import TextOutput

/// A suggested configuration, derived from a container. The user should review it.
public struct ConfigurationGuess: Sendable {
    /// The bundle identifier of the container.
    public let bundleIdentifier: String?
    /// Globs of databases that no SDK is known to write.
    public let databases: [String]
    /// The globs of directories that are excluded from backup.
    public let excluded: [String]

    /// Directories in backups that nothing accounts for: the largest and those that the evidence leaves undecided, the
    /// largest first.
    package let directories: [UndeclaredDirectory]

    private static let most = 20
    /// The largest directories that are listed, and as many undecided ones.
    private static let mostDirectories = 8

    /// Nothing is known.
    public init() { (bundleIdentifier, databases, excluded, directories) = (nil, [], [], []) }

    /// Creates a suggestion from the content of a container.
    ///
    /// - Throws: `ContainerError` where it cannot be read.
    public init(_ container: Container) throws(ContainerError) { try self.init(container, comparedWith: nil) }

    /// Creates a suggestion from the content of a container, and from recorded traffic with the bytes of its files.
    ///
    /// - Throws: `ContainerError` where it cannot be read.
    package init(_ container: Container, comparedWith traffic: RecordedTraffic?) throws(ContainerError) {
        bundleIdentifier = container.bundleIdentifier
        let registry =
            (try? Catalogue.embedded())?.registry(bundleIdentifier: bundleIdentifier) ?? Registry(entries: [])
        let visitor = Visitor(positions: RegistryPositions(registry))
        try DirectoryTree(container).visit(visitor, threads: 1)
        let (stores, excluded) = visitor.seen.globs.withLock {
            (Array($0.userData.sorted().prefix(Self.most)), Array($0.mustExclude.sorted().prefix(Self.most)))
        }
        databases = stores
        self.excluded = excluded
        directories = try Self.candidates(in: container, besides: stores, traffic)
    }

    /// The directories that the developer should decide on.
    private static func candidates(
        in container: Container, besides stores: [String], _ traffic: RecordedTraffic?
    ) throws(ContainerError) -> [UndeclaredDirectory] {
        let declared = JSONValue.object(["user-data": .array(stores.map { .string($0) })]).compact
        // All rules are evaluated, because evidence comes from the texts that some of them read.
        guard let catalogue = try? Catalogue.embedded(),
            let configuration = try? Configuration(file: "init", text: declared),
            let linter = try? Linter(catalogue: catalogue, configuration: configuration)
        else { return [] }
        let all = try linter.comparing(with: traffic).undeclaredDirectories(in: container).filter {
            $0.bytes > 0 && $0.glob != nil
        }
        let largest = Array(all.prefix(mostDirectories))
        return largest + all.dropFirst(largest.count).filter(\.isUndecided).prefix(mostDirectories)
    }

    private struct Visitor: ItemVisitor {
        struct Globs {
            var userData: Set<String> = []
            var mustExclude: Set<String> = []
        }
        private static let mostKept = 1000
        final class Seen: Sendable { let globs = LockedValue(Globs()) }
        let positions: RegistryPositions
        let seen = Seen()

        func root(_ item: Item, directory: Directory) -> RegistryPosition { positions.root }
        func begin(_ directory: Directory, context position: RegistryPosition) {}
        func end(_ directory: Directory, context position: RegistryPosition, accumulator: Void) {}
        func failed(_ failure: WalkFailure) {}

        func visit(
            _ item: Item, in directory: Directory, context position: RegistryPosition, into accumulator: inout Void
        ) {
            let endings: [String] = ["sqlite", "sqlite3", "db", "realm", "store"]
            guard directory.isBackedUp, item.status.kind == .file, item.status.size >= 24,
                let ending = endings.first(where: { PathExtension.word($0) == PathExtension.word(of: item.name) }),
                !position.hasMatch(item.name, isDirectory: false), let first = item.entry.bytes(112, at: 0),
                [.sqlite, .realm].contains(Magic(first))
            else { return }
            guard let glob = Self.glob(directory.path, last: "*.\(ending)") else { return }
            seen.globs.withLock { if $0.userData.count < Self.mostKept { $0.userData.insert(glob) } }
        }

        func enter(
            _ item: Item, subdirectory: Directory, in directory: Directory, context position: RegistryPosition,
            into accumulator: inout Void
        ) -> RegistryPosition {
            if !item.marks.isEmpty, directory.isBackedUp, directory.exclusion.state != .excluded,
                !position.hasMatch(item.name, isDirectory: true), let glob = Self.glob(subdirectory.path, last: "**")
            {
                seen.globs.withLock { if $0.mustExclude.count < Self.mostKept { $0.mustExclude.insert(glob) } }
            }
            return position.entering(item.name, positions: positions)
        }

        /// A pattern of what lies in a directory; nil for a name that a pattern cannot say as it is.
        private static func glob(_ path: [UInt8], last: String) -> String? {
            let text = ByteText.escaped(path)
            guard Array(text.utf8) == path, !text.contains(where: { "*?{\"\\".contains($0) }) else { return nil }
            return "\(text)/\(last)"
        }
    }
}
