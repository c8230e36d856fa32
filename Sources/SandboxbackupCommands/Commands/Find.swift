import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport
import FileSystem
import TextOutput

/// `sandboxbackup find PATTERN… --repository DIR`
struct Find: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find items by name, path, size or time in all snapshots.",
        discussion: CommandHelp.discussion(
            """
            A pattern without a slash is compared with names, any other with paths from the container. * and ? match within \
            a name, ** matches any directories, [a-z] matches one character. The output lists each version of an item once, \
            with the snapshots that contain it. An item must match all options; only files have a size.
            """,
            examples: [
                "sandboxbackup find '*.sqlite' --repository REPOSITORY",
                "sandboxbackup find 'Documents/**/letter*' --repository REPOSITORY",
                "sandboxbackup find --larger-than 100MB --modified-since 2026-01-31 --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @Argument(help: "The patterns; an item must match one of them. (default: * with another option)")
    var patterns: [String] = []
    @OptionGroup var location: RepositoryOptions
    @Option(help: ArgumentHelp("Search only the snapshots of this app.", valueName: "identifier"))
    var bundleId: String?
    @Flag(name: .shortAndLong, help: "Ignore the case of letters.") var ignoreCase = false
    @Option(help: ArgumentHelp("Find files of more than this size, such as 512, 64KiB or 10MB.", valueName: "size"))
    var largerThan: ByteSize?
    @Option(help: ArgumentHelp("Find files of less than this size.", valueName: "size"))
    var smallerThan: ByteSize?
    @Option(
        help: ArgumentHelp(
            "Find items that were modified at this date or later, such as 2026-01-31 or 2026-01-31T12:00:00Z.",
            valueName: "date"))
    var modifiedSince: DateArgument?
    @Option(help: ArgumentHelp("Find items that were modified before this date.", valueName: "date"))
    var modifiedBefore: DateArgument?
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let isFiltered = largerThan != nil || smallerThan != nil || modifiedSince != nil || modifiedBefore != nil
        guard isFiltered || !self.patterns.isEmpty else {
            throw ValidationError("Give a pattern such as '*.txt', a size or a date.")
        }
        let patterns = try ItemPatterns.parse(self.patterns.isEmpty ? ["*"] : self.patterns, ignoringCase: ignoreCase)
        let repository = try location.open(for: .reading, command: "find")
        let list = try repository.snapshots()
        let snapshots = list.snapshots.filter { bundleId == nil || $0.bundleIdentifier == bundleId }
        var damage = DamageReport()
        try output.printAll(named: "items", none: "nothing found") { emit in
            try SnapshotSearch(snapshots, in: repository).visit { item throws(BackupError) in
                guard !item.path.isEmpty, selects(item.entry),
                    patterns.matches(name: item.entry.name, path: item.path)
                else { return }
                emit(ItemLine(item, as: .snapshots))
            } damaged: {
                damage.add($0, in: $1)
            }
        }
        try damage.end(list.damaged)
    }

    /// Returns true if an item has a size and a date that the options select.
    private func selects(_ entry: SnapshotEntry) -> Bool {
        if largerThan != nil || smallerThan != nil, entry.kind != .file { return false }
        if let largerThan, entry.size <= largerThan.bytes { return false }
        if let smallerThan, entry.size >= smallerThan.bytes { return false }
        if let modifiedSince, entry.modified.seconds < modifiedSince.seconds { return false }
        if let modifiedBefore, entry.modified.seconds >= modifiedBefore.seconds { return false }
        return true
    }
}
