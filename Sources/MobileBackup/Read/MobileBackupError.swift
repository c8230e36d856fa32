internal import DatabaseInspection
internal import FileSystem

/// An error while opening, reading or writing a backup in Apple's layout.
package struct MobileBackupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error. The set is closed.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The directory contains no manifest.
        case notABackup = "not-a-backup"
        /// The backup was made before iOS 10.2.
        case tooOld = "too-old"
        /// The backup is encrypted, and no password was given or its keys are missing.
        case encrypted
        /// The password does not open the keys of the backup.
        case wrongPassword = "wrong-password"
        /// The keybag is missing, damaged or refused.
        case keybagInvalid = "keybag-invalid"
        /// The backup was not finished.
        case unfinished
        /// `Status.plist` or `Manifest.plist` is missing.
        case incomplete
        /// A required file is damaged.
        case damaged
        /// The manifest lacks its end.
        case truncated
        /// The manifest exceeds the size limit.
        case tooLarge = "too-large"
        /// Reading the manifest exceeds the time limit.
        case tooSlow = "too-slow"
        /// The private copy of the manifest cannot be made.
        case noCopy = "no-copy"
        /// A backup of the device exists already.
        case exists
        /// Another process is writing a backup of the device.
        case beingWritten = "being-written"
        /// The identifier of the device is not a valid name of a directory.
        case deviceInvalid = "device-invalid"
        /// Two entries have the same identifier.
        case taken
        /// The parent of an entry is not a directory.
        case notADirectory = "not-a-directory"
        /// A call of the file system or of SQLite failed.
        case failed
    }

    package let code: Code
    /// The problem, the state on disk, and the solution.
    package let description: String

    init(_ code: Code, description: String) {
        self.code = code
        self.description = description
    }

    /// An error of the file system while reading a backup.
    init(reading error: FileSystemError) {
        self.init(.failed, description: "\(error). Nothing was changed.")
    }

    /// An error of the file system while writing a backup.
    init(writing error: FileSystemError) {
        self.init(
            .failed,
            description: "\(error). No backup was made; free disk space or choose another directory, and start again.")
    }

    /// An error while opening the manifest.
    init(_ error: DatabaseReadError) {
        let because = error.detail.isEmpty ? "" : " (\(error.detail))"
        switch error.code {
        case .unreadable:
            self.init(.damaged, description: "Manifest.db cannot be read\(because). Nothing was changed.")
        case .tooLarge:
            self.init(.tooLarge, description: "Manifest.db is larger than \(MobileBackup.maximumManifest >> 30) GiB.")
        case .changing:
            self.init(.unfinished, description: "Manifest.db is being written. Wait until the backup is finished.")
        case .noCopy:
            self.init(
                .noCopy,
                description:
                    "The private copy of Manifest.db cannot be made\(because). Free disk space in the directory of TMPDIR."
            )
        case .tooSlow:
            self.init(.tooSlow, description: "Manifest.db takes too long to read. Nothing was changed.")
        case .undecided, .damaged, .notUnderstood, .refused:
            self.init(
                .damaged, description: "Manifest.db is damaged\(because). Make a new backup, or restore the manifest.")
        }
    }
}
