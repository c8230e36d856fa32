package import SystemPackage

/// How much a save has done for a file to last when it returns.
package enum WriteDurability: Sendable, Hashable, CaseIterable {
    /// The new content is visible; a power cut may bring back the old file, or lose a new one.
    case none
    /// The content is on the medium before it becomes visible; its name may not be.
    case file
    /// Content and name are on the medium: the save survives a power cut.
    case full
}

/// A durable replace that stopped part-way.
package struct ReplaceError: Error, Sendable, Hashable {
    /// How far it got, which tells what is on disk now.
    package enum Stage: Sendable, Hashable {
        /// The old file, if any, is untouched, and nothing of the new one is left.
        case untouched
        /// The old file is untouched; what was written of the new one is left under this name beside it.
        case leftover(FilePath)
        /// The new file is visible, whole, but a power cut may still undo it.
        case visible
        /// The new file or directory is there to stay; what it stands for is left, perhaps in part, under this name.
        case besideOld(FilePath)
    }
    package let stage: Stage
    package let cause: FileSystemError

    package init(stage: Stage, cause: FileSystemError) {
        self.stage = stage
        self.cause = cause
    }
}

/// What a replace does about what already has the name. A directory is always refused.
package struct Existing: Sendable, Hashable {
    /// What is done about a name of some kind.
    package enum Choice: Sendable, Hashable { case replace, refuse }
    /// What is done about a symbolic link; followed, the file it names is replaced, as long as that lies beneath
    /// the folder.
    package enum LinkChoice: Sendable, Hashable { case follow, replace, refuse }

    /// Any entry at all: refused, it is `Errno.fileExists`.
    package var any: Choice = .replace
    /// `Errno.tooManySymbolicLinkLevels` when refused.
    package var symbolicLink: LinkChoice = .refuse
    /// A file with other names; replaced, it is parted from them, and they keep the old content.
    /// `Errno.tooManyLinks` when refused.
    package var hardLink: Choice = .replace
    /// A pipe, socket or device. `Errno.invalidArgument` when refused.
    package var special: Choice = .refuse

    package init() {}
}

/// The durable replace: a file is made beside its target and takes the target's name in one step.
///
/// Whoever opens the name finds the old file or the new one, whole, at every moment and after a crash. The
/// new one carries the old one's attributes (and with them a do-not-back-up flag), owner, access list and
/// mode before it is visible. Source: POSIX rename(2), fsync(2); `ARCHITECTURE.md`, "A save".
package struct Replace: Sendable {
    package var durability: WriteDurability
    package var existing: Existing
    /// Made on the new file, over what it inherits from the old one.
    package var attributes: [AttributeChange]

    package init(
        durability: WriteDurability = .full, existing: Existing = Existing(),
        attributes: [AttributeChange] = []
    ) {
        self.durability = durability
        self.existing = existing
        self.attributes = attributes
    }

    /// What the name of a file or directory in the making begins with; a sweep knows our leftovers by it.
    package static let stagingPrefix = ".appcontainer-staging-"

    /// Writes `bytes` as `path` beneath `folder`.
    package func write(_ bytes: UnsafeRawBufferPointer, to path: FilePath, in folder: Folder) throws(ReplaceError) {
        try write(to: path, in: folder, modelledOn: nil) { file throws(FileSystemError) in try file.write(bytes) }
    }

    /// Writes what `fill` gives as `path` beneath `folder`. The new file carries the metadata of the one it
    /// replaces, or of `model`, whose times it then has as well: a copy.
    package func write(
        to path: FilePath, in folder: Folder, modelledOn model: OpenFile? = nil,
        fill: (OpenFile) throws(FileSystemError) -> Void
    ) throws(ReplaceError) {
        let staged = try StagedFile(self, for: path, in: folder, isPrivate: model != nil)
        do throws(FileSystemError) { try fill(staged.file) } catch { throw staged.discard(after: error) }
        try staged.seal(modelledOn: model)
        try staged.publish()
        try staged.settle()
    }
}
