package import BackupRepository
package import FileSystem
package import MobileBackup

/// Writes a snapshot as a backup in Apple's layout, which iTunes, Finder and the tools for their backups know.
///
/// Contents go from the store to the backup piece by piece, each judged by its hash. `LAYOUT.md` beside this file says
/// what the layout cannot tell; the outcome names all of it.
package struct Exportation {
    package let store: BackupStore
    package let snapshot: Snapshot
    /// What the backup is to say of the device that it is of.
    package let device: BackedUpDevice
    private let domain: BackupDomain
    /// How many bytes of holes one export writes as zeros, which the layout needs; a file that holds more is named. A
    /// hole costs a store nothing, however large it is, and would take days and disks to write.
    var mostZeros: UInt64 = 64 << 30
    /// Is told how many files and bytes are in the backup.
    package var progress: (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    /// Looks where the snapshot belongs in the layout: the app is the one given, or else the snapshot's; `adapt` says
    /// what is known of the device.
    ///
    /// - Throws: `notFound` where no one says whose container it is, `failed` for what is no identifier.
    package init(
        _ snapshot: Snapshot, of store: BackupStore, bundleIdentifier: String? = nil,
        adapting adapt: (inout BackedUpDevice) -> Void = { _ in }
    ) throws(BackupError) {
        guard let identifier = bundleIdentifier ?? snapshot.bundleIdentifier else {
            throw BackupError(
                .notFound, "snapshot \(snapshot.number) does not say whose container it is of",
                hint: "name the app with --bundle-id")
        }
        do throws(EntryRefusal) { domain = try BackupDomain(of: snapshot.kind, identifier) } catch {
            throw BackupError(.failed, error.description, hint: "name the app with --bundle-id")
        }
        self.store = store
        self.snapshot = snapshot
        var device = try BackedUpDevice(standingFor: snapshot, of: store, bundleIdentifier: identifier)
        adapt(&device)
        self.device = device
    }

    /// What was written.
    package struct Outcome: Sendable {
        package let snapshot: Int64
        /// The folder of the backup, in the one that was named.
        package let folder: String
        package var files = 0
        package var directories = 0
        package var links = 0
        package var bytes: UInt64 = 0
        /// What is not in the backup, or not as it was planned; by path.
        package var incidents: [Snapshot.Incident] = []
        /// What is in it, and told less exactly than the snapshot has it; by path.
        package var losses: [Snapshot.Incident] = []
        /// Items whose time of modification has a fraction of a second, which the layout drops.
        package var roundedTimes = 0
    }

    /// Writes the backup beneath a folder. Before all of it is there, nothing of it looks like a backup.
    ///
    /// - Throws: `damaged` where the catalogue says nothing of the container, `failed` with what Apple's layout or the disk
    ///   refuses, `interrupted`; nothing of the backup is left then. A damaged file, or what lies in a damaged directory,
    ///   is an incident, and is not in the backup.
    package func run(into root: Folder) throws(BackupError) -> Outcome {
        try RunInterruption.during { () throws(BackupError) in
            do {
                let writer = try MobileBackupWriter(in: root, of: device)
                var run = try ExportationRun(self, domain, writer)
                try store.visit(snapshot) { path, entry throws(BackupError) in
                    try run.add(entry, at: path)
                } damaged: { path in
                    run.note(path, "damaged")
                }
                try writer.finish(before: RunInterruption.check)
                return run.outcome
            } catch { throw BackupError(error) }
        }
    }
}
