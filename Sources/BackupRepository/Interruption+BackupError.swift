package import FileSystem

extension Interruption {
    /// Checks for a request to end the run.
    ///
    /// - Throws: `interrupted`.
    package func throwIfRequested() throws(BackupError) {
        if isRequested { throw BackupError(.interrupted, what: "interrupted") }
    }
}
