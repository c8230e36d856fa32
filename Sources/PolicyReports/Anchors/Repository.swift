internal import AppContainer
internal import FileSystem
internal import Foundation
internal import StoragePolicy
internal import SystemPackage
internal import TextOutput

/// A Swift file as in `#fileID`.
struct SourceName: Hashable {
    let module: String
    let file: String

    /// Returns nil for a text that `#fileID` cannot produce: attributes of items are untrusted.
    init?(_ source: CodeLocation) {
        let parts = source.fileID.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix(".swift"), !["", ".", ".."].contains(parts[0]) else { return nil }
        (module, file) = (String(parts[0]), String(parts[1]))
    }
}

/// The base of paths in reports: the closest directory with `.git` at or above the working directory, or the working
/// directory.
struct Repository {
    /// The path without links; nil for the root of the file system.
    private let top: String?

    /// The repository of the working directory.
    static var current: Repository { Repository(around: Invocation.current.workingDirectory.path.string) }

    init(around directory: String) {
        let start = FilePath(Self.resolved(directory))
        let top = (start.workTree ?? start).string
        self.top = top == "/" ? nil : top
    }

    /// Returns the path in the repository, empty for its top directory; nil for a path outside.
    func relative(_ path: String) -> String? {
        let whole = Self.resolved(path)
        guard let top else { return nil }
        if whole == top { return "" }
        return whole.hasPrefix(top + "/") ? String(whole.dropFirst(top.count + 1)) : nil
    }

    /// Returns the absolute path of a file in the repository.
    func absolute(_ path: String) -> String? { top.map { "\($0)/\(path)" } }

    /// Returns the name of a file without paths of this machine: its path in the repository, or its last component.
    func name(of path: String) -> String {
        guard let relative = relative(path), !relative.isEmpty else { return Self.lastName(path) }
        return relative
    }

    /// Returns a text in which a path is replaced by that name.
    func renaming(_ path: String, in text: String) -> String {
        let text = path.hasPrefix("/") ? text.replacing(path, with: name(of: path)) : text
        return ByteText.escaped(Array(text.utf8))
    }

    /// Returns a path without links, also for a file that does not exist and for a broken link.
    static func resolved(_ path: String) -> String {
        FilePath(path).physical(from: Invocation.current.workingDirectory.path).string
    }

    /// Returns true if a file is the directory or is in it.
    static func isFile(_ file: String, in directory: String) -> Bool {
        let (file, directory) = (resolved(file), resolved(directory))
        return file == directory || file.hasPrefix(directory == "/" ? "/" : directory + "/")
    }

    static func lastName(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    /// The maximum number of directory entries that are searched for source files.
    private static let mostEntries = 200_000

    /// Returns the paths of Swift files whose name is unique, or unique below a directory with the name of the module;
    /// skips `directories`.
    func paths(of names: Set<SourceName>, besides directories: [String]) -> [SourceName: String] {
        guard !names.isEmpty, let top else { return [:] }
        let files = Set(names.map(\.file))
        var found: [String: [String]] = [:]
        let walk = FileManager.default.enumerator(
            at: URL(fileURLWithPath: top), includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        let skipped = Set(directories.map(Self.resolved))
        var entries = 0
        while entries < Self.mostEntries, let url = walk?.nextObject() as? URL {
            entries += 1
            if skipped.contains(url.path) { walk?.skipDescendants() }
            let name = url.lastPathComponent
            guard files.contains(name), let path = relative(url.path) else { continue }
            found[name, default: []].append(path)
        }
        var paths: [SourceName: String] = [:]
        for name in names {
            let all = found[name.file] ?? []
            let own = all.filter { $0.split(separator: "/").dropLast().contains { $0 == name.module } }
            if let path = own.count == 1 ? own.first : all.count == 1 ? all.first : nil { paths[name] = path }
        }
        return paths
    }
}
