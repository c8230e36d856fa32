internal import CFileSystem
package import SystemPackage

/// The durability of a write when it returns.
package enum WriteDurability: Sendable, Hashable, CaseIterable {
    /// The new content is visible. After a power loss the old file may be back, or a new file may be missing.
    case none
    /// The content is on disk before it becomes visible. The name may not be on disk.
    case file
    /// Content and name are on disk: the write survives a power loss.
    case full
}

/// An atomic write that stopped before it completed.
package struct AtomicWriteError: Error, Sendable, Hashable {
    /// The state on disk after the failure.
    package enum Stage: Sendable, Hashable {
        /// The old file, if any, is unchanged, and nothing of the new file remains.
        case untouched
        /// The old file is unchanged. A temporary file with this path remains beside it.
        case leftover(FilePath)
        /// The new file is visible and complete, but may not survive a power loss.
        case visible
        /// The new file or directory is in place and durable. The one that it replaces remains, perhaps in part, at
        /// this path.
        case besideOld(FilePath)
    }
    package let stage: Stage
    package let cause: FileSystemError

    package init(stage: Stage, cause: FileSystemError) {
        self.stage = stage
        self.cause = cause
    }
}

/// The policy for an existing entry with the name of a file that is written. A directory is always refused.
package struct ConflictPolicy: Sendable, Hashable {
    /// The action for an entry of a certain kind.
    package enum Choice: Sendable, Hashable { case replace, refuse }
    /// The action for a symbolic link. With `follow`, the target is replaced if it is beneath the folder.
    package enum LinkChoice: Sendable, Hashable { case follow, replace, refuse }

    /// Any entry. If refused, the error is `Errno.fileExists`.
    package var any: Choice = .replace
    /// A symbolic link. If refused, the error is `Errno.tooManySymbolicLinkLevels`.
    package var symbolicLink: LinkChoice = .refuse
    /// A file with other hard links. If replaced, the other links keep the old content. If refused, the error is
    /// `Errno.tooManyLinks`.
    package var hardLink: Choice = .replace
    /// A pipe, a socket or a device. If refused, the error is `Errno.invalidArgument`.
    package var special: Choice = .refuse

    package init() {}
}

/// A durable atomic write: the content goes to a temporary file beside the target, which is then renamed to the target.
///
/// At every moment, and after a crash, a reader of the name finds the old file or the new one, complete. The new file
/// has the attributes of the old one (including the backup exclusion), its owner, access list and mode before it is
/// visible. Source: POSIX rename(2), fsync(2); `docs/architecture/saves.md`.
package struct AtomicWrite: Sendable {
    package var durability: WriteDurability
    package var conflicts: ConflictPolicy
    /// Changes to the attributes that the new file inherits from the old one.
    package var attributes: [AttributeChange]
    /// The permission bits of the new file. Nil for those of the file that it replaces, or the umask's.
    package var permissions: UInt16?
    /// The data-protection class of the new file. Nil for that of the file that it replaces, or the directory's.
    package var protectionClass: Int32?

    package init(
        durability: WriteDurability = .full, conflicts: ConflictPolicy = ConflictPolicy(),
        attributes: [AttributeChange] = [], permissions: UInt16? = nil
    ) {
        self.permissions = permissions
        self.durability = durability
        self.conflicts = conflicts
        self.attributes = attributes
    }

    /// The prefix of the names of temporary files and directories. Saves and moves of an app refuse names with it.
    package static let stagingPrefix = ".appcontainer-staging-"

    /// Returns a new name for a temporary file or directory: the prefix, and 16 hexadecimal digits of which the last 6
    /// are the number of this process.
    package static func stagingName() -> FilePath {
        let digits = String(cfs_random() << 24 | UInt64(cfs_process_id()) & 0xff_ffff, radix: 16)
        return FilePath(stagingPrefix + String(repeating: "0", count: 16 - digits.count) + digits)
    }

    /// Returns true for a name of the form of `stagingName()`.
    package static func isStagingName(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name.first == UInt8(ascii: "."), name.count == stagingPrefix.utf8.count + 16,
            name.starts(with: stagingPrefix.utf8)
        else { return false }
        return name.suffix(16).allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 || (UInt8(ascii: "a")...UInt8(ascii: "f")) ~= $0
        }
    }

    /// Returns true if the process that made a temporary file with this name no longer runs on this computer.
    package static func isProcessGone(of name: [UInt8]) -> Bool {
        guard name.withUnsafeBytes(isStagingName),
            let number = Int32(String(decoding: name.suffix(6), as: UTF8.self), radix: 16)
        else { return false }
        return cfs_is_process_gone(number)
    }

    /// Writes `bytes` to `path` beneath `folder`.
    package func write(
        _ bytes: UnsafeRawBufferPointer, to path: FilePath, in folder: Folder
    ) throws(AtomicWriteError) {
        try write(to: path, in: folder, modelledOn: nil) { file throws(FileSystemError) in try file.write(bytes) }
    }

    /// Writes the content that `fill` produces to `path` beneath `folder`. The new file gets the metadata of the file
    /// that it replaces, or the metadata and times of `model`.
    package func write(
        to path: FilePath, in folder: Folder, modelledOn model: OpenFile? = nil,
        fill: (OpenFile) throws(FileSystemError) -> Void
    ) throws(AtomicWriteError) {
        let staged = try StagedFile(self, for: path, in: folder, isPrivate: model != nil)
        do throws(FileSystemError) { try fill(staged.file) } catch { throw staged.discard(after: error) }
        try staged.seal(modelledOn: model)
        try staged.publish()
        try staged.finishReplacement()
    }
}
