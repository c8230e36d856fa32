import ArgumentParser
import BackupOperations
import BackupRepository
import CommandLineSupport
import FileSystem
import TextOutput

/// `sandboxbackup dump SNAPSHOT PATH --repository DIR`
struct Dump: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a file of a snapshot, or a directory as a tar archive, to standard output.",
        discussion: CommandHelp.discussion(
            """
            Every byte is verified before it is written. If content is damaged, the output ends before it, and the exit code \
            is 12. The archive has the pax format. Its paths are those from the container, which is the path “.”.
            """,
            examples: [
                "sandboxbackup dump latest Documents/letter.txt --repository REPOSITORY",
                "sandboxbackup dump 3 Library/a.plist --repository REPOSITORY | plutil -p -",
                "sandboxbackup dump latest Documents --repository REPOSITORY | tar --extract --xattrs",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @Argument(help: SnapshotArgument.help) var snapshot: String
    @Argument(help: "The path of the file or directory.") var path: String
    @OptionGroup var location: RepositoryOptions
    @OptionGroup var app: AppOptions

    func run() throws {
        let repository = try location.open(for: .reading, command: "dump")
        let choice = try Repository.snapshot(snapshot, of: app.bundleId, in: repository)
        let path = try repository.path(self.path, in: choice.snapshot)
        let entry = try repository.entry(at: path, in: choice.snapshot)
        let name = "“\(path.isEmpty ? "." : ByteText.escaped(path))”"
        switch entry.kind {
        case .file: try writeFile(entry, name: name, of: repository)
        case .directory:
            guard !Terminal().isShown else {
                throw ValidationError("\(name) is a directory. Redirect the archive to a file or a program.")
            }
            try writeDirectory(path, of: choice.snapshot, in: repository)
        default:
            let target = entry.target.map { " to “\(ByteText.escaped($0))”" } ?? ""
            throw ValidationError("\(name) is a link\(target), which has no content.")
        }
        if !choice.damaged.isEmpty { throw Failure.damaged }
    }

    private func writeFile(_ entry: SnapshotEntry, name: String, of repository: Repository) throws {
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
                what: "\(error.what); the first \(Quantity.bytes(written)) of \(name) were written, which are intact",
                hint: "another snapshot may contain the rest: see `sandboxbackup history`")
        }
        try output.end()
    }

    /// Writes a directory with everything in it as a tar archive.
    private func writeDirectory(_ root: [UInt8], of snapshot: Snapshot, in repository: Repository) throws {
        struct Closed: Error {}
        let output = Output()
        var archive = try TarWriter(of: repository) { piece in
            output.write(piece)
            if output.isClosed { throw Closed() }
        }
        let prefix = root.isEmpty ? [] : root + [UInt8(ascii: "/")]
        var damage = DamageReport()
        do {
            var failure: (any Error)?
            try SnapshotSearch([snapshot], in: repository).visit { directory in
                failure == nil && (Repository.leads(directory, to: root) || directory.starts(with: prefix))
            } _: { item throws(BackupError) in
                guard failure == nil, !item.path.isEmpty, item.path == root || item.path.starts(with: prefix) else {
                    return
                }
                do { try archive.add(item.entry, at: item.path) } catch let error as BackupError
                    where error.code == .damaged
                {
                    failure = BackupError(
                        .damaged,
                        what:
                            "\(error.what); the archive ends in “\(ByteText.escaped(item.path))”, and what is before it is intact",
                        hint: "another snapshot may contain the item: see `sandboxbackup history`")
                } catch { failure = error }
            } damaged: {
                damage.add($0, in: $1)
            }
            if let failure { throw failure }
            try archive.end()
        } catch is Closed {} catch {
            try output.end()
            throw error
        }
        try output.end()
        try damage.end([])
    }
}
