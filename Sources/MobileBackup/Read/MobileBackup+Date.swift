internal import PropertyLists
internal import SystemPackage

extension MobileBackup {
    /// When the backup was made, as its `Status.plist` says: seconds since 1970-01-01T00:00:00Z; nil where it does not
    /// say so, or a time that no calendar of four digits has.
    ///
    /// - Throws: `damaged` where the list has become none since the backup was opened, `failed`.
    package func date() throws(MobileBackupError) -> Int64? {
        guard case .date(let seconds)? = try BackupFacts(folder).list("Status.plist")?.root["Date"]?.node else {
            return nil
        }
        let time = (seconds + 978_307_200).rounded(.down)
        return (0...253_402_300_799).contains(time) ? Int64(time) : nil
    }
}
