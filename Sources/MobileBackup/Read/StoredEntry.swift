/// An entry as a backup has it.
package struct StoredEntry: Sendable, Hashable {
    package let entry: BackupEntry
    /// Bytes of a file's payload as its record says; nil where it does not say, and for what is no file.
    package let size: UInt64?
    /// The SHA-1 of a file's payload, where its record has it.
    package let digest: [UInt8]?
    /// The row's place in the manifest's table.
    let row: Int64
    let identifier: FileIdentifier

    /// A problem with it.
    func problem(_ kind: BackupProblem.Kind, _ detail: String = "") -> BackupProblem {
        BackupProblem(
            kind, domain: Array(entry.domain.name.utf8), path: Array(entry.path.bytes), row: row, detail)
    }
}
