internal import DatabaseInspection
internal import FileSystem

/// A backup of Apple's layout that could not be opened, read on or written.
package struct MobileBackupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. The set is closed.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The folder holds no manifest.
        case notABackup = "not-a-backup"
        /// It was made before iOS 10.2.
        case tooOld = "too-old"
        case encrypted
        /// It was never brought to its end.
        case unfinished
        /// A file that it cannot do without is missing, or is not what it should be.
        case damaged
        /// The manifest is larger than is looked at.
        case tooLarge = "too-large"
        /// The manifest takes too long to look at.
        case tooSlow = "too-slow"
        /// No private copy of the manifest can be made.
        case noCopy = "no-copy"
        /// There is a backup of that device already.
        case exists
        /// Another process writes a backup of that device.
        case beingWritten = "being-written"
        /// The device's identifier cannot name a folder.
        case deviceInvalid = "device-invalid"
        /// Two entries have one identifier.
        case taken
        /// An entry lies in what is no directory.
        case notADirectory = "not-a-directory"
        /// A call of the file system's or of SQLite's failed.
        case failed
    }

    package let code: Code
    /// What happened, what is on disk now, and what to do about it.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// A call that failed while a backup was read.
    init(reading error: FileSystemError) {
        self.init(.failed, "\(error). Nothing has been changed.")
    }

    /// A call that failed while a backup was written.
    init(writing error: FileSystemError) {
        self.init(.failed, "\(error). No backup has been made; free room or choose another folder, and begin anew.")
    }

    /// Why the manifest cannot be looked at.
    init(_ error: DatabaseReadError) {
        let because = error.detail.isEmpty ? "" : " (\(error.detail))"
        switch error.code {
        case .unreadable:
            self.init(.damaged, "Manifest.db cannot be read\(because). Nothing has been changed.")
        case .tooLarge:
            self.init(.tooLarge, "Manifest.db is larger than \(MobileBackup.maximumManifest >> 30) GiB.")
        case .changing:
            self.init(.unfinished, "Manifest.db is being written to. Wait until the backup is finished.")
        case .noCopy:
            self.init(
                .noCopy, "No private copy of Manifest.db can be made\(because). Make room where TMPDIR points to.")
        case .tooSlow:
            self.init(.tooSlow, "Manifest.db takes too long to look at. Nothing has been changed.")
        case .undecided, .damaged, .notUnderstood, .refused:
            self.init(.damaged, "Manifest.db is damaged\(because). Make a new backup, or restore this one's manifest.")
        }
    }
}
