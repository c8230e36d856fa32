internal import AppContainer
internal import FileSystem
internal import PolicyTexts
internal import StoragePolicy
internal import SystemPackage

/// The directories that cover several items: the highest directory of the app whose items are all selected.
///
/// Never a directory that the system defines, nor the app's whole part of one.
struct DirectoryCover {
    private var targets: [[UInt8]: [UInt8]] = [:]

    /// The effect of an unselected entry on the directories above it.
    private enum Verdict {
        /// They do not cover their items.
        case spoils
        /// Nothing, and what is in it says nothing either; or what is in it will say.
        case passes, isEntered
    }

    /// Returns the cover for exclusions. An exclusion of a directory lasts, one of a file is lost at the next save. It
    /// excludes all items of the directory, so it is set only if every file is to be excluded or already is.
    static func flags(
        of findings: [Finding], in folder: Folder, bundleIdentifier: String?
    ) throws(FileSystemError) -> DirectoryCover {
        try DirectoryCover(findings, folder: folder, bundleIdentifier: bundleIdentifier) {
            entry, _ throws(FileSystemError) in
            let isDirectory = entry.status.kind == .directory
            guard isDirectory || entry.status.kind == .file else { return .spoils }
            let isFlagged = try entry.open().attributes().contains { ExclusionMark(attribute: $0)?.isApple == true }
            return isFlagged ? .passes : isDirectory ? .isEntered : .spoils
        }
    }

    /// Returns the cover for empty directories: a directory that contains only these would be empty after their
    /// removal.
    static func empty(
        of findings: [Finding], in folder: Folder, bundleIdentifier: String?
    ) throws(FileSystemError) -> DirectoryCover {
        try DirectoryCover(findings, folder: folder, bundleIdentifier: bundleIdentifier) { entry, isAbove in
            entry.status.kind == .directory && isAbove ? .isEntered : .spoils
        }
    }

    /// Passes to `classify` true for a directory above a selected item.
    private init(
        _ findings: [Finding], folder: Folder, bundleIdentifier: String?,
        classify: (Folder.Entry, _ isAbove: Bool) throws(FileSystemError) -> Verdict
    ) throws(FileSystemError) {
        let wanted = Set(findings.map(\.path))
        var candidates: Set<[UInt8]> = []
        for path in wanted {
            for directory in ItemPath.lineage(path).dropFirst() {
                guard !candidates.contains(directory), Self.isOwn(directory, bundleIdentifier: bundleIdentifier) else {
                    break
                }
                candidates.insert(directory)
            }
        }
        guard !candidates.isEmpty else { return }
        var spoiled: Set<[UInt8]> = []
        try folder.visit("") { entry throws(FileSystemError) in
            let path = entry.path.bytes
            guard !wanted.contains(path) else { return false }
            let above = ItemPath.lineage(path).dropFirst().filter(candidates.contains)
            guard !above.isEmpty else { return entry.status.kind == .directory }
            let verdict = try classify(entry, candidates.contains(path))
            if verdict == .spoils { spoiled.formUnion(above) }
            return verdict == .isEntered
        }
        for path in wanted {
            let above = ItemPath.lineage(path).dropFirst().prefix { candidates.contains($0) && !spoiled.contains($0) }
            if let highest = above.last { targets[path] = highest }
        }
    }

    /// Returns the directory that covers the item, or the item itself.
    func target(of finding: Finding) -> [UInt8] { targets[finding.path] ?? finding.path }

    /// Returns true if a directory is one of several of the app, according to its location.
    private static func isOwn(_ path: [UInt8], bundleIdentifier: String?) -> Bool {
        let components = FilePath(bytes: path).components.map(\.string)
        guard Location.exactly(components, bundleIdentifier: bundleIdentifier) == nil else { return false }
        let above = Location.exactly(Array(components.dropLast()), bundleIdentifier: bundleIdentifier)
        let isInLibrary = above == .applicationSupport || above == .library
        return !isInLibrary || !ItemPath.name(path).withUnsafeBytes { NameScan.isReverseDNS($0) }
    }
}
