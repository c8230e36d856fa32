internal import FileSystem
internal import Foundation
internal import SystemPackage

extension Configuration {
    /// The name of a project's configuration.
    public static let fileName = ".sandboxlint.yml"

    /// Returns the configuration for an input: the closest file of that name, in the directory that holds the input or
    /// above it, up to a repository's top or the file system's root. Without such a file, searches from the working
    /// directory. A file at or below an input is never used, whatever the working directory is: a container does not
    /// configure its own lint.
    ///
    /// - Parameters:
    ///   - input: The input; nil to search from the working directory alone.
    ///   - inputs: The other inputs of the same run, if any.
    /// - Returns: The file's path, relative to the working directory if it is below it; nil without a file.
    public static func discover(for input: String? = nil, besides inputs: [String] = []) -> String? {
        let working = Invocation.current.workingDirectory
        let current = working.path.string
        let closed = (inputs + [input].compactMap(\.self)).map(SourceFile.identity)
        let holder = input.map {
            URL(fileURLWithPath: working.resolved($0)).standardizedFileURL.deletingLastPathComponent().path
        }
        guard
            let found = holder.flatMap({ closest(from: $0, outside: closed) })
                ?? closest(from: current, outside: closed)
        else { return nil }
        let prefix = current.hasSuffix("/") ? current : current + "/"
        return found.hasPrefix(prefix) ? String(found.dropFirst(prefix.count)) : found
    }

    private static func closest(from directory: String, outside closed: [String]) -> String? {
        func isClosed(_ path: String) -> Bool {
            let path = SourceFile.identity(path)
            return closed.contains { path == $0 || path.hasPrefix($0 == "/" ? "/" : $0 + "/") }
        }
        var directory = URL(fileURLWithPath: directory).standardizedFileURL
        while true {
            let file = directory.appendingPathComponent(fileName).path
            if !isClosed(directory.path) {
                // A link may lead into an input.
                if FileManager.default.fileExists(atPath: file), !isClosed(file) { return file }
                if FileManager.default.fileExists(atPath: directory.appendingPathComponent(".git").path) { return nil }
            }
            if directory.path == "/" { return nil }
            directory.deleteLastPathComponent()
        }
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
            value = YAMLValue(key, value, at: position)
            end -= key.count + 1
        }
        try self.init(value)
    }
}
