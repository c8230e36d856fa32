import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport
import FileSystem

/// `sandboxbackup find PATTERN… --repository DIR`
struct Find: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find items by name or path in all snapshots.",
        discussion: CommandHelp.discussion(
            """
            A pattern without a slash is compared with names, any other with paths from the container. * and ? match within \
            a name, ** matches any directories, [a-z] matches one character. The output lists each version of an item once, \
            with the snapshots that contain it.
            """,
            examples: [
                "sandboxbackup find '*.sqlite' --repository REPOSITORY",
                "sandboxbackup find 'Documents/**/letter*' --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @Argument(help: "The patterns; an item must match one of them.") var patterns: [String]
    @OptionGroup var location: RepositoryOptions
    @Option(help: ArgumentHelp("Search only the snapshots of this app.", valueName: "identifier"))
    var bundleId: String?
    @Flag(name: .shortAndLong, help: "Ignore the case of letters.") var ignoreCase = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        var names: [PathPattern] = []
        var paths: [PathPattern] = []
        for text in patterns {
            do {
                let pattern = try PathPattern(Array((ignoreCase ? text.lowercased() : text).utf8))
                if text.utf8.contains(UInt8(ascii: "/")) { paths.append(pattern) } else { names.append(pattern) }
            } catch { throw ValidationError("\(error). Use a shorter one.") }
        }
        let repository = try location.open(for: .reading, command: "find")
        let list = try repository.snapshots()
        let snapshots = list.snapshots.filter { bundleId == nil || $0.bundleIdentifier == bundleId }
        var damage = DamageReport()
        try output.printAll(named: "items", none: "nothing found") { emit in
            try SnapshotSearch(snapshots, in: repository).visit { item throws(BackupError) in
                guard !item.path.isEmpty else { return }
                let (name, path) = (compared(item.entry.name), compared(item.path))
                guard names.contains(where: { $0.matches(name) }) || paths.contains(where: { $0.matches(path) }) else {
                    return
                }
                emit(ItemLine(item, as: .snapshots))
            } damaged: {
                damage.add($0, in: $1)
            }
        }
        try damage.end(list.damaged)
    }

    private func compared(_ bytes: [UInt8]) -> [UInt8] {
        ignoreCase ? Array(String(decoding: bytes, as: UTF8.self).lowercased().utf8) : bytes
    }
}
