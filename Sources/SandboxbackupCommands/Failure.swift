import ArgumentParser
import BackupRepository
import CommandLineSupport

extension ExitStatus {
    static let noRepository = ExitStatus(10, meaning: "no repository")
    static let locked = ExitStatus(11, meaning: "repository locked")
    static let damaged = ExitStatus(12, meaning: "damage found")
}

/// The exit codes of the tool, and its messages.
enum Failure {
    static let failed = ExitCode(ExitStatus.failed.code)
    static let incomplete = ExitCode(ExitStatus.incomplete.code)
    static let damaged = ExitCode(ExitStatus.damaged.code)

    /// Returns the exit status for an error.
    static func status(of error: BackupError) -> ExitStatus {
        switch error.code {
        case .noRepository: .noRepository
        case .locked: .locked
        case .damaged: .damaged
        case .interrupted: .interrupted
        case .misplaced: .usage
        default: .failed
        }
    }

    /// Prints a note on standard error.
    static func printNote(_ text: String) { StandardError.printNote(text) }

    /// Prints a warning on standard error.
    static func warn(_ text: String) { StandardError.warn(text) }

    /// Warns about the snapshots that were skipped because they cannot be read.
    static func warn(of damaged: [SnapshotList.Damaged]) {
        for one in damaged { warn(one.warning) }
    }
}
