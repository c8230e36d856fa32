internal import AppContainer
internal import FileSystem
internal import Foundation
internal import SystemPackage

extension Configuration {
    /// The name of a project's configuration.
    public static let fileName = ".sandboxlint.yml"

    /// Returns the configuration for an input: the closest file of that name in the working directory or above it, or else
    /// above the input; each time up to a repository's top or the file system's root.
    ///
    /// A container does not configure its own lint: a file at or below an input is never used, nor one in any directory of a
    /// container. Only if the input is the working directory and holds containers, its own file is used.
    ///
    /// - Parameters:
    ///   - input: The input; nil to search from the working directory alone.
    ///   - inputs: The other inputs of the same run, if any.
    /// - Returns: The file's path, relative to the working directory if it is below it; nil without a file.
    public static func discover(for input: String? = nil, besides inputs: [String] = []) -> String? {
        let working = Invocation.current.workingDirectory
        let current = working.path.string
        let search = ConfigurationSearch(inputs: inputs + [input].compactMap(\.self))
        let found =
            search.closest(from: current) ?? input.flatMap { search.closest(from: directory(holding: $0)) }
        return found.map(relative)
    }

    /// Returns the closest configuration above a file, such as the source code of a test.
    package static func closest(above file: String) -> String? {
        ConfigurationSearch(inputs: [file]).closest(from: directory(holding: file)).map(relative)
    }

    /// Returns true if a file of the project may lie at a path while an input is read: it is not in the input, or the input is
    /// the working directory and the file is in none of its containers.
    package static func isAllowed(at path: String, besides input: String) -> Bool {
        ConfigurationSearch(inputs: [input]).isAllowed(path)
    }

    private static func directory(holding path: String) -> String {
        URL(fileURLWithPath: Invocation.current.workingDirectory.resolved(path)).standardizedFileURL
            .deletingLastPathComponent().path
    }

    private static func relative(_ path: String) -> String {
        let current = Invocation.current.workingDirectory.path.string
        let prefix = current.hasSuffix("/") ? current : current + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }

    /// A configuration with all that it extends, and values that are set one by one.
    ///
    /// - Parameters:
    ///   - file: The configuration's file; nil for none.
    ///   - settings: Each `KEY=VALUE`; a key is a way such as `rules.stale-tmp.days`, a value is a text, or YAML where
    ///     it begins with a bracket or a quotation mark.
    /// - Returns: The merged configuration.
    /// - Throws: `SourceError` for what is wrong in it, `UnreadableSource` for a file that cannot be read.
    public static func read(_ file: String?, setting settings: [String] = []) throws -> Configuration {
        var configuration = Configuration.none
        if let file {
            var reader = ConfigurationReader()
            configuration = try reader.read(file, text: SourceFile.text(file))
        }
        for setting in settings { configuration.add(try Configuration(setting: setting)) }
        return configuration
    }

    private init(setting: String) throws(SourceError) {
        let whole = SourcePosition(file: "--set", text: setting, line: 1, column: 1, width: setting.count)
        guard let equals = setting.firstIndex(of: "="), equals != setting.startIndex else {
            throw whole.error("expected KEY=VALUE, such as rules.stale-tmp.days=14")
        }
        let text = String(setting[setting.index(after: equals)...])
        let column = setting.distance(from: setting.startIndex, to: equals) + 2
        let keys = setting[..<equals].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var value: YAMLValue
        if let first = text.first, "[{\"'".contains(first) {
            let spaces = String(repeating: " ", count: column - 1)
            value = try YAMLValue(file: "--set", text: spaces + text, shown: setting)
        } else {
            value = YAMLValue(
                text,
                at: SourcePosition(file: "--set", text: setting, line: 1, column: column, width: max(1, text.count)))
        }
        var end = setting.distance(from: setting.startIndex, to: equals)
        for key in keys.reversed() {
            let position = SourcePosition(
                file: "--set", text: setting, line: 1, column: end - key.count + 1, width: key.count)
            value = YAMLValue(key, value: value, at: position)
            end -= key.count + 1
        }
        try self.init(value)
    }
}

/// The search for the configuration of a run.
private struct ConfigurationSearch {
    /// The inputs that contain no configuration.
    private let closed: [String]
    /// The working directory, if it is an input and holds containers.
    private var holder: String?

    init(inputs: [String]) {
        let identities = inputs.map(SourceFile.identity)
        let current = SourceFile.identity(".")
        if identities.contains(current), !Self.isContainer(current) { holder = current }
        let holder = holder
        closed = identities.filter { $0 != holder }
    }

    func closest(from directory: String) -> String? {
        var directory = FilePath(directory).lexicallyNormalized()
        // A process whose working directory was removed has no path to begin with.
        guard directory.isAbsolute else { return nil }
        while true {
            let file = directory.appending(Configuration.fileName).string
            if !isClosed(SourceFile.identity(directory.string)) {
                if FileManager.default.fileExists(atPath: file), isAllowed(file) { return file }
                if FileManager.default.fileExists(atPath: directory.appending(".git").string) { return nil }
            }
            if directory.components.isEmpty { return nil }
            directory.removeLastComponent()
        }
    }

    private func isClosed(_ path: String) -> Bool { closed.contains { Self.isAtOrBelow($0, path: path) } }

    /// Returns true if a file lies in no container. A link may lead into one.
    func isAllowed(_ file: String) -> Bool {
        let file = SourceFile.identity(file)
        guard !isClosed(file) else { return false }
        var directory = URL(fileURLWithPath: file).deletingLastPathComponent()
        while directory.path != "/" {
            let isBelowHolder =
                holder.map { directory.path != $0 && Self.isAtOrBelow($0, path: directory.path) } ?? false
            // Above an input, only the metadata shows a container: a home directory has Documents and Library, too.
            let metadata = directory.appendingPathComponent(Location.metadata.path).path
            if FileManager.default.fileExists(atPath: metadata) || isBelowHolder && Self.isContainer(directory.path) {
                return false
            }
            directory.deleteLastPathComponent()
        }
        return true
    }

    private static func isAtOrBelow(_ directory: String, path: String) -> Bool {
        path == directory || path.hasPrefix(directory == "/" ? "/" : directory + "/")
    }

    private static func isContainer(_ path: String) -> Bool { (try? Container.open(FilePath(path))) != nil }
}
