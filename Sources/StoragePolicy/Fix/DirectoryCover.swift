internal import AppContainer
internal import FileSystem
internal import SystemPackage

/// Which directory stands for items in it: the highest one of the app's own of which all is meant.
///
/// It is never a directory that the system defines, nor the app's whole part of one.
struct DirectoryCover {
    private var targets: [[UInt8]: [UInt8]] = [:]

    /// For flags. One on a directory lasts, where one on a file is lost at the next save, but leaves out all that is in
    /// it: so it is set only where every file is to be left out, or has a flag of its own.
    static func flags(
        of findings: [Finding], in folder: Folder, bundleIdentifier: String?
    ) throws(FileSystemError) -> DirectoryCover {
        try DirectoryCover(findings, folder, bundleIdentifier) { entry, _ throws(FileSystemError) in
            guard entry.status.kind != .directory else { return false }
            guard entry.status.kind == .file else { return true }
            return try !entry.open().attributes().contains { ExclusionMark(attribute: $0)?.isApple == true }
        }
    }

    /// For empty directories: what holds nothing but these would be empty itself when they are gone.
    static func empty(
        of findings: [Finding], in folder: Folder, bundleIdentifier: String?
    ) throws(FileSystemError) -> DirectoryCover {
        try DirectoryCover(findings, folder, bundleIdentifier) { entry, isAbove throws(FileSystemError) in
            entry.status.kind != .directory || !isAbove
        }
    }

    /// `spoils` says whether an entry that is not meant itself keeps the directories above it from standing for what is
    /// in them; it is told whether the entry is a directory above something that is meant.
    private init(
        _ findings: [Finding], _ folder: Folder, _ bundleIdentifier: String?,
        spoils: (Folder.Entry, _ isAbove: Bool) throws(FileSystemError) -> Bool
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
            if !above.isEmpty, try spoils(entry, candidates.contains(path)) { spoiled.formUnion(above) }
            return entry.status.kind == .directory
        }
        for path in wanted {
            let above = ItemPath.lineage(path).dropFirst().prefix { candidates.contains($0) && !spoiled.contains($0) }
            if let highest = above.last { targets[path] = highest }
        }
    }

    /// The directory that stands for the item, or the item itself.
    func target(of finding: Finding) -> [UInt8] { targets[finding.path] ?? finding.path }

    /// Whether a directory is one of several that an app keeps, as far as its place tells.
    private static func isOwn(_ path: [UInt8], _ bundleIdentifier: String?) -> Bool {
        let components = FilePath(bytes: path).components.map(\.string)
        guard Location.exactly(components, bundleIdentifier: bundleIdentifier) == nil else { return false }
        let above = Location.exactly(Array(components.dropLast()), bundleIdentifier: bundleIdentifier)
        let isInLibrary = above == .applicationSupport || above == .library
        return !isInLibrary || !ItemPath.name(path).withUnsafeBytes { NameShapeTest.isReverseDNS($0) }
    }
}
