import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport
import FileSystem

/// `sandboxbackup ls SNAPSHOT [PATH] --repository DIR`
struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List the items of a snapshot.",
        discussion: CommandHelp.discussion(
            "Paths are relative to the container, and a directory ends with a slash.",
            examples: [
                "sandboxbackup ls latest --repository REPOSITORY",
                "sandboxbackup ls 3 Documents --long --repository REPOSITORY",
                "sandboxbackup ls 3 --recursive --format jsonl --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @Argument(help: SnapshotArgument.help) var snapshot: String
    @Argument(help: "The directory to list, or a single item. (default: the container)") var path: String?
    @OptionGroup var location: RepositoryOptions
    @OptionGroup var app: AppOptions
    @Flag(name: .shortAndLong, help: "Also print mode, owner, size and modification time.") var long = false
    @Flag(name: .shortAndLong, help: "Also list the items of all directories below.") var recursive = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let repository = try location.open(for: .reading, command: "ls")
        let choice = try Repository.snapshot(snapshot, of: app.bundleId, in: repository)
        let root = try path.map { try repository.path($0, in: choice.snapshot) } ?? []
        let prefix = root.isEmpty ? [] : root + [UInt8(ascii: "/")]
        var damage = DamageReport()
        try output.printAll(named: "items", none: "no items") { emit in
            try SnapshotSearch([choice.snapshot], in: repository).visit { directory in
                Repository.leads(directory, to: root) || recursive && directory.starts(with: prefix)
            } _: { item throws(BackupError) in
                let isItself = item.path == root && item.entry.kind != .directory
                let isBelow = !item.path.isEmpty && item.path != root && item.path.starts(with: prefix)
                if isItself || isBelow { emit(ItemLine(item, as: long ? .long : .path)) }
            } damaged: {
                damage.add($0, in: $1)
            }
        }
        try damage.end(choice.damaged)
    }
}
