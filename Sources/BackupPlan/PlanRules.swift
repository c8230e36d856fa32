internal import AppContainer
internal import ContainerTree
package import FileSystem
internal import SystemPackage

/// The rules that decide which items are included.
package struct PlanRules: Sendable {
    package var view: BackupView
    /// True if the content of directories with a valid CACHEDIR.TAG is excluded, except for the tag.
    package var respectsCacheTags = false
    /// True if items with the nodump flag are excluded.
    package var respectsNoDump = false
    /// Patterns of items that are excluded with everything below them.
    package var excluded: ItemPatterns?
    /// The maximum size of a file in bytes; larger ones are excluded. Nil without a limit.
    package var largestFile: UInt64?

    package init(view: BackupView = .finder) { self.view = view }

    /// Returns the verdict on an item of an included directory. The location takes precedence over attributes.
    func verdict(on item: Item, in context: DirectoryContext, path: @autoclosure () -> [UInt8]) -> PlanVerdict {
        switch item.status.kind {
        case .file, .directory, .symbolicLink: break
        default: return PlanVerdict(reason: .specialNode, decider: PlanDecider(item.status.kind))
        }
        if AtomicWrite.isStagingName(item.name) { return PlanVerdict(reason: .temporaryFile, decider: .temporaryFile) }
        return context.tableVerdict(on: item) ?? verdict(ofMarksOn: item) ?? context.tagVerdict(on: item)
            ?? verdict(ofOptionsOn: item, path: path()) ?? context.kept
    }

    /// Returns the verdict by the item's own attributes and flags, or nil if none applies.
    func verdict(ofMarksOn item: Item) -> PlanVerdict? {
        if let mark = view.mark(on: item) { return PlanVerdict(reason: .ownFlag, decider: PlanDecider(mark: mark)) }
        if respectsNoDump, item.status.isNoDump { return PlanVerdict(reason: .noDump, decider: .noDump) }
        return nil
    }

    /// Returns the verdict by the patterns and the limit of the user, or nil if none applies.
    private func verdict(ofOptionsOn item: Item, path: @autoclosure () -> [UInt8]) -> PlanVerdict? {
        if let excluded, excluded.matches(name: Array(item.name), path: path()) {
            return PlanVerdict(reason: .pattern, decider: .pattern)
        }
        if let largestFile, item.status.isFile, item.status.size > largestFile {
            return PlanVerdict(reason: .tooLarge, decider: .size)
        }
        return nil
    }

    /// Returns true if the rules exclude the content of a directory because of its CACHEDIR.TAG.
    func excludesContent(of path: @autoclosure () -> [UInt8], in container: Container) -> Bool {
        respectsCacheTags && holdsCacheTag(path(), container)
    }

    private func holdsCacheTag(_ path: [UInt8], _ container: Container) -> Bool {
        let tag = FilePath(bytes: path).appending(ExclusionMark.cacheTag.rawValue)
        let signature = ExclusionMark.cacheTagSignature
        guard let file = try? container.folder.open(tag, followingLinks: false),
            (try? file.status())?.kind == .file
        else { return false }
        return (try? file.read(upTo: signature.count)) == signature
    }
}

/// The kind of backup that a plan describes, which determines the attributes that exclude an item.
///
/// Source: Apple QA1719; the Manifest.db of an encrypted iOS 14.3 backup, which includes an item with both
/// view-specific attributes (HomeDomain, Library/Avatar/CoreDataBackend). The meaning of the view-specific attributes
/// is inferred from their names.
package enum BackupView: String, Sendable, CaseIterable {
    /// The encrypted backup of Finder: only the general backup exclusion counts.
    case finder
    /// The unencrypted backup of Finder, which also excludes items that must not be stored unencrypted.
    case finderUnencrypted = "finder-unencrypted"
    /// The iCloud backup, which also excludes items that are meant only for computers.
    case icloud

    /// The attribute that excludes an item only in this view.
    var softMark: String? {
        switch self {
        case .finder: nil
        case .finderUnencrypted: "com.apple.metadata:com_apple_unencryptedBackup_excludeItem"
        case .icloud: "com.apple.metadata:com_apple_cloudBackup_excludeItem"
        }
    }

    /// Returns the attribute or file that excludes the item, if any.
    func mark(on item: Item) -> String? {
        if let mark = item.marks.first { return mark.rawValue }
        guard let softMark, !item.attributes.isEmpty else { return nil }
        // macOS appends copy flags to attribute names after a "#" (`#S`, `#PS`).
        return item.attributes.contains { $0.prefix { $0 != "#" } == softMark } ? softMark : nil
    }
}
