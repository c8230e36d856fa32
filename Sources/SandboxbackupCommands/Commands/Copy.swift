import ArgumentParser
import BackupPlan
import BackupReports
import BackupRepository
import CommandLineSupport
internal import ContainerTree
import FileSystem
import SystemPackage

/// `sandboxbackup copy [SNAPSHOT…] --from DIR --repository DIR`
struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copy snapshots from one repository into another.",
        discussion: CommandHelp.discussion(
            """
            Copies keep their date, labels and ID. Snapshots that the target already contains are not copied again, and every \
            byte is verified. The target is created if the directory does not exist or is empty.
            """,
            examples: [
                "sandboxbackup copy --from REPOSITORY --repository /mnt/disk/repository",
                "sandboxbackup copy latest --from REPOSITORY --repository OTHER",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged, .interrupted]))

    @Argument(help: "The snapshots: numbers, beginnings of IDs, or latest. (default: all)")
    var snapshots: [String] = []
    @Option(help: ArgumentHelp("Copy from this repository.", valueName: "dir")) var from: String
    @OptionGroup var location: RepositoryOptions
    @Option(help: ArgumentHelp("Copy only snapshots of this app.", valueName: "identifier")) var bundleId: String?
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var shown: RunOptions

    func validate() throws {
        guard snapshots.contains(where: { $0.contains(":") }) else { return }
        throw ValidationError("A copy has the whole container. Name the snapshots without a directory.")
    }

    func run() throws {
        let source = try Repository.open(from, for: .reading, command: "copy", waiting: location.lock)
        let path = try location.directory
        try source.requireOutside(FilePath(path))
        var damage = DamageReport()
        let (chosen, damaged) = try choose(in: source)
        let target = try Repository.openOrCreate(path, command: "copy", waiting: location.lock)
        let present = Dictionary(
            try target.snapshots().snapshots.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var copier = try SnapshotCopier(from: source, to: target)
        var total = ProgressAmount(items: 0)
        for snapshot in chosen where present[snapshot.id] == nil {
            total.items += snapshot.files
            total.bytes.addClamped(snapshot.bytes)
        }
        var copies: [SnapshotCopy] = []
        try shown.showingProgress(of: "file", total, in: output.format) { line in
            var done = ProgressAmount(items: 0)
            copier.progress = {
                done.items += $0
                done.bytes.addClamped($1)
                line.reach(done)
            }
            for snapshot in chosen {
                if let copy = present[snapshot.id] {
                    copies.append(SnapshotCopy(of: snapshot, as: copy, isNew: false))
                    continue
                }
                do throws(BackupError) {
                    copies.append(SnapshotCopy(of: snapshot, as: try copier.copy(snapshot), isNew: true))
                } catch {
                    guard error.code == .damaged else { throw error }
                    damage.add(snapshot, error: error)
                }
            }
        }
        try target.close()
        try output.printList(copies, named: "copies", none: "nothing to copy")
        try damage.end(damaged)
    }

    /// Returns the snapshots to copy, each once, and those that cannot be read.
    private func choose(in source: Repository) throws -> ([Snapshot], [SnapshotList.Damaged]) {
        guard !snapshots.isEmpty else {
            let list = try source.snapshots()
            guard bundleId != nil else { return (list.snapshots, list.damaged) }
            return (try list.ofOneApp(bundleId), list.damaged)
        }
        var chosen: [Snapshot] = []
        var damaged: [SnapshotList.Damaged] = []
        for name in snapshots {
            let choice = try Repository.snapshot(name, of: bundleId, in: source)
            if !chosen.contains(where: { $0.number == choice.snapshot.number }) { chosen.append(choice.snapshot) }
            damaged += choice.damaged.filter { !damaged.contains($0) }
        }
        return (chosen, damaged)
    }
}
