internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import SystemPackage

/// What decides of every item whether it is kept.
package struct PlanRules: Sendable {
    package var view: BackupView
    /// Whether a directory that holds a CACHEDIR.TAG with its signature is left out.
    package var heedsCacheTags = false
    /// Whether what bears the "leave out of dumps" bit is left out.
    package var heedsNoDump = false

    package init(view: BackupView = .finder) { self.view = view }

    /// The verdict on an item of a directory that is kept. Its place comes first, then its marks.
    func verdict(on item: Item, in place: PlanPlace, path: @autoclosure () -> [UInt8], of container: Container)
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
        if heedsNoDump, item.status.isNoDump { return PlanVerdict(reason: .noDump, decider: .noDump) }
        if heedsCacheTags, item.status.kind == .directory, holdsCacheTag(path(), container) {
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
