internal import Foundation

extension Configuration {
    /// The name of a project's configuration.
    public static let fileName = ".sandboxlint.yml"

    /// The configuration that is meant for an input: the closest file of that name, in the directory that holds the
    /// input or above it, up to a repository's top or the file system's root; and where there is none, the same from
    /// the working directory. A container's own content is not asked: it does not judge itself.
    ///
    /// - Returns: The file's path, relative to the working directory where it lies below it; nil where there is none.
    public static func discover(for input: String) -> String? {
        let current = FileManager.default.currentDirectoryPath
        let holder = URL(fileURLWithPath: input).standardizedFileURL.deletingLastPathComponent().path
        guard let found = closest(from: holder) ?? closest(from: current) else { return nil }
        let prefix = current.hasSuffix("/") ? current : current + "/"
        return found.hasPrefix(prefix) ? String(found.dropFirst(prefix.count)) : found
    }

    private static func closest(from directory: String) -> String? {
        var directory = URL(fileURLWithPath: directory).standardizedFileURL
        while true {
            let file = directory.appendingPathComponent(fileName).path
            if FileManager.default.fileExists(atPath: file) { return file }
            let isTop = FileManager.default.fileExists(atPath: directory.appendingPathComponent(".git").path)
            if isTop || directory.path == "/" { return nil }
            directory.deleteLastPathComponent()
        }
    }

    /// A configuration with all that it extends, and values that are set one by one.
    ///
    /// - Parameters:
    ///   - file: The configuration's file; nil for none.
    ///   - settings: Each `KEY=VALUE`; a key is a way such as `rules.stale-tmp.days`, a value is a text, or YAML where
    ///     it begins with a bracket or a quotation mark.
    /// - Returns: What all of them say together.
    /// - Throws: `SourceError` for what is wrong in it, `UnreadableSource` for a file that cannot be read.
    public static func read(_ file: String?, setting settings: [String] = []) throws -> Configuration {
        var configuration = Configuration.none
        if let file { configuration = try read(file, text: SourceFile.text(file), chain: []) }
        for setting in settings { configuration.add(try Configuration(setting: setting)) }
        return configuration
    }

    private static let deepest = 8

    private static func read(_ file: String, text: String, chain: [String]) throws -> Configuration {
        let own = try Configuration(file: file, text: text)
        let chain = chain + [SourceFile.identity(file)]
        var whole = Configuration.none
        for name in own.extends?.value ?? [] {
            guard let place = own.extends?.place else { continue }
            let path = SourceFile.path(name, besides: place)
            if name.contains("://") { throw place.error("only files of this machine can be extended") }
            if chain.contains(SourceFile.identity(path)) { throw place.error("“\(name)” extends this file in turn") }
            guard chain.count < deepest else {
                throw place.error("more than \(deepest) configurations build on each other")
            }
            let text: String
            do throws(UnreadableSource) { text = try SourceFile.text(path) } catch {
                throw place.error("“\(name)” cannot be read: \(error.reason)")
            }
            whole.add(try read(path, text: text, chain: chain))
        }
        whole.add(own)
        return whole
    }

    private init(setting: String) throws(SourceError) {
        let whole = SourcePlace(file: "--set", text: setting, line: 1, column: 1, width: setting.count)
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
                text, at: SourcePlace(file: "--set", text: setting, line: 1, column: column, width: max(1, text.count)))
        }
        var end = setting.distance(from: setting.startIndex, to: equals)
        for key in keys.reversed() {
            let place = SourcePlace(
                file: "--set", text: setting, line: 1, column: end - key.count + 1, width: key.count)
            value = YAMLValue(key, value, at: place)
            end -= key.count + 1
        }
        try self.init(value)
    }
}
