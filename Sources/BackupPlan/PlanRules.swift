internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import SystemPackage

/// What decides of every item whether it is kept.
package struct PlanRules: Sendable {
    package var view: BackupView
    /// Whether a directory that holds a CACHEDIR.TAG with its signature is left out.
    package var respectsCacheTags = false
    /// Whether what bears the "leave out of dumps" bit is left out.
    package var respectsNoDump = false

    package init(view: BackupView = .finder) { self.view = view }

    /// The verdict on an item of a directory that is kept. Its place comes first, then its marks.
    func verdict(on item: Item, in place: DirectoryContext, path: @autoclosure () -> [UInt8], of container: Container)
        -> PlanVerdict
    {
        switch item.status.kind {
        case .file, .directory, .symbolicLink: break
        default: return PlanVerdict(reason: .specialNode, decider: PlanDecider(item.status.kind))
        }
        return place.tableVerdict(on: item) ?? verdict(ofMarksOn: item, path: path(), in: container) ?? place.kept
    }

    /// What the item's own marks decide; nil where it has none that counts.
    func verdict(ofMarksOn item: Item, path: @autoclosure () -> [UInt8], in container: Container) -> PlanVerdict? {
        if let mark = view.mark(on: item) { return PlanVerdict(reason: .ownFlag, decider: PlanDecider(mark: mark)) }
        if respectsNoDump, item.status.isNoDump { return PlanVerdict(reason: .noDump, decider: .noDump) }
        if respectsCacheTags, item.status.kind == .directory, holdsCacheTag(path(), container) {
            return PlanVerdict(reason: .tagFile, decider: .cacheTag)
        }
        return nil
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

/// Whose backup a plan stands for, which says which marks keep an item out.
///
/// Source: Apple QA1719; the Manifest.db of an encrypted iOS 14.3 backup, which keeps an item with both softer
/// attributes (HomeDomain, Library/Avatar/CoreDataBackend); what each softer one means is told by its name alone.
package enum BackupView: String, Sendable, CaseIterable {
    /// Finder's encrypted backup on a computer: the do-not-back-up flag counts.
    case finder
    /// Finder's backup without a password, which also leaves out what must not lie about unencrypted.
    case finderUnencrypted = "finder-unencrypted"
    /// iCloud's, which also leaves out what is only for computers.
    case icloud

    /// The attribute that counts in this view alone.
    var softMark: String? {
        switch self {
        case .finder: nil
        case .finderUnencrypted: "com.apple.metadata:com_apple_unencryptedBackup_excludeItem"
        case .icloud: "com.apple.metadata:com_apple_cloudBackup_excludeItem"
        }
    }

    /// The mark of the item's own that keeps it out; nil where none does.
    func mark(on item: Item) -> String? {
        if let mark = item.marks.first { return mark.rawValue }
        guard let softMark, !item.attributes.isEmpty else { return nil }
        // macOS puts flags for copying behind a "#" (`#S`, `#PS`).
        return item.attributes.contains { $0.prefix { $0 != "#" } == softMark } ? softMark : nil
    }
}
