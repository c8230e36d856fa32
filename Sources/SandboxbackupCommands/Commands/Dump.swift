import ArgumentParser
import BackupRepository
import CommandLineSupport
import FileSystem
import TextOutput

/// `sandboxbackup dump SNAPSHOT PATH --repository DIR`
struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write the content of a file of a snapshot to standard output.",
        discussion: CommandHelp.discussion(
            """
            Every byte is verified before it is written. If content is damaged, the output ends before it, and the exit code \
            is 12.
            """,
            examples: [
                "sandboxbackup dump latest Documents/letter.txt --repository REPOSITORY",
                "sandboxbackup dump 3 Library/a.plist --repository REPOSITORY | plutil -p -",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @Argument(help: SnapshotArgument.help) var snapshot: String
    @Argument(help: "The path of the file.") var path: String
    @OptionGroup var location: RepositoryOptions
    @OptionGroup var app: AppOptions

    func run() throws {
        let repository = try location.open(for: .reading, command: "dump")
        let choice = try Repository.snapshot(snapshot, of: app.bundleId, in: repository)
        let path = try repository.path(self.path, in: choice.snapshot)
        let entry = try repository.entry(at: path, in: choice.snapshot)
        let name = "“\(path.isEmpty ? "." : ByteText.escaped(path))”"
        switch entry.kind {
        case .file: break
        case .directory:
            throw ValidationError("\(name) is a directory. List it with `ls`, or restore it with `restore`.")
        default:
            let target = entry.target.map { " to “\(ByteText.escaped($0))”" } ?? ""
            throw ValidationError("\(name) is a link\(target), which has no content.")
        }
        let output = Output()
        var written: UInt64 = 0
        do {
            try repository.content(of: entry) { piece in
                output.write(piece)
                written += UInt64(piece.count)
                return !output.isClosed
            }
        } catch let error as BackupError where error.code == .damaged {
            try output.end()
            throw BackupError(
                .damaged,
                "\(error.what); the first \(Quantity.bytes(written)) of \(name) were written, which are intact",
                hint: "another snapshot may contain the rest: see `sandboxbackup history`")
        }
        try output.end()
        if !choice.damaged.isEmpty { throw Failure.damaged }
    }
}
