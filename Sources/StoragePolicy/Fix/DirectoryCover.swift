internal import AppContainer
internal import FileSystem
internal import SystemPackage

/// Which directory stands for items in it: the highest one of the app's own of which all is meant.
///
/// It is never a directory that the system defines, nor the app's whole part of one.
struct DirectoryCover {
    private var targets: [[UInt8]: [UInt8]] = [:]

    /// The effect of an unselected entry on the directories above it.
    private enum Verdict {
        /// They cannot stand for what is in them.
        case spoils
        /// Nothing, and what is in it says nothing either; or what is in it will say.
        case passes, isEntered
    }

    /// For flags. One on a directory lasts, where one on a file is lost at the next save, but leaves out all that is in
    /// it: so it is set only where every file is to be left out, or has been by a flag of its own or of a directory.
    static func flags(
        of findings: [Finding], in folder: Folder, bundleIdentifier: String?
    ) throws(FileSystemError) -> DirectoryCover {
        try DirectoryCover(findings, folder, bundleIdentifier) { entry, _ throws(FileSystemError) in
            let isDirectory = entry.status.kind == .directory
            guard isDirectory || entry.status.kind == .file else { return .spoils }
            let isFlagged = try entry.open().attributes().contains { ExclusionMark(attribute: $0)?.isApple == true }
            return isFlagged ? .passes : isDirectory ? .isEntered : .spoils
        }
    }

    /// For empty directories: what holds nothing but these would be empty itself when they are gone.
    static func empty(
        of findings: [Finding], in folder: Folder, bundleIdentifier: String?
    ) throws(FileSystemError) -> DirectoryCover {
        try DirectoryCover(findings, folder, bundleIdentifier) { entry, isAbove in
            entry.status.kind == .directory && isAbove ? .isEntered : .spoils
        }
    }

    /// `judge` is told whether the entry is a directory above something that is meant.
    private init(
        _ findings: [Finding], _ folder: Folder, _ bundleIdentifier: String?,
        classify: (Folder.Entry, _ isAbove: Bool) throws(FileSystemError) -> Verdict
    ) throws(FileSystemError) {
        let wanted = Set(findings.map(\.path))
        var candidates: Set<[UInt8]> = []
        for path in wanted {
            for directory in ItemPath.lineage(path).dropFirst() {
                guard !candidates.contains(directory), Self.isOwn(directory, bundleIdentifier) else { break }
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

    /// The directory that stands for the item, or the item itself.
    func target(of finding: Finding) -> [UInt8] { targets[finding.path] ?? finding.path }

    /// Returns true if a directory is one of several that an app keeps, as far as its place tells.
    private static func isOwn(_ path: [UInt8], _ bundleIdentifier: String?) -> Bool {
        let components = FilePath(bytes: path).components.map(\.string)
        guard Location.exactly(components, bundleIdentifier: bundleIdentifier) == nil else { return false }
        let above = Location.exactly(Array(components.dropLast()), bundleIdentifier: bundleIdentifier)
        let isInLibrary = above == .applicationSupport || above == .library
        return !isInLibrary || !ItemPath.name(path).withUnsafeBytes { NameShapePredicate.isReverseDNS($0) }
    }
}
