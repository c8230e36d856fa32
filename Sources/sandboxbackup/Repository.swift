import BackupRepository
import SystemPackage
import TextOutput

/// The repository that a command names, with the warnings that each run gives of it.
enum Repository {
    /// Opens a repository.
    static func open(
        _ path: String, for purpose: BackupStore.Purpose, command: String
    ) throws -> BackupStore {
        let store = try BackupStore(at: FilePath(path), for: purpose, command: command)
        warnIfOpenToOthers(store, path)
        return store
    }

    /// Opens a repository to add to it, and makes one where there is none.
    static func openOrMake(_ path: String, command: String) throws -> BackupStore {
        let store = try BackupStore(makingAt: FilePath(path), command: command)
        warnIfOpenToOthers(store, path)
        return store
    }

    /// Returns the snapshot that a user names, and names those that were skipped to find it.
    static func snapshot(
        _ name: String, of bundleIdentifier: String?, in store: BackupStore
    ) throws -> SnapshotChoice {
        let choice = try store.snapshot(named: name, of: bundleIdentifier)
        Failure.warn(of: choice.damaged)
        if !choice.ahead.isEmpty {
            let numbers = choice.ahead.map { "\($0.number)" }.joined(separator: ", ")
            Failure.warn(
                "snapshots that are dated ahead of the system clock are not the latest: \(numbers); "
                    + "name one by its number to use it")
        }
        return choice
    }

    private static func warnIfOpenToOthers(_ store: BackupStore, _ path: String) {
        guard let mode = store.modeOpenToOthers else { return }
        let digits = String(mode, radix: 8)
        Failure.warn(
            "the repository “\(ByteText.escaped(Array(path.utf8)))” is open to other users (mode \(digits)) and is not "
                + "encrypted; `chmod go= DIRECTORY` makes it private")
    }
}
