internal import BackupRepository
internal import ExternalPrograms

extension RunCancellation {
    /// Checks for a cancellation.
    ///
    /// - Throws: `interrupted`.
    static func check() throws(BackupError) {
        guard isRequested else { return }
        throw BackupError(.interrupted, "interrupted")
    }
}
