internal import FileSystem
internal import Foundation

/// `"Library/Caches/Covers/**": Sources/CoverStore.swift:42`: the line of source code that writes some items.
package struct ConfiguredSource: Sendable {
    let glob: PathGlob
    /// The file as written, relative to the configuration.
    let file: String
    /// From 1.
    package let line: Int

    init(_ key: YAMLValue, value: YAMLValue) throws(SourceError) {
        guard let glob = try key.globs().first?.value else { throw key.error("expected a glob such as \"tmp/**\"") }
        self.glob = glob
        if let recorder = value.recorder {
            (file, line) = recorder.record(.sourceLine, answer: ("x", 1))
            return
        }
        let text = try value.shownString()
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        let number = parts.count == 2 ? Int32(parts[1]).map(Int.init) : 1
        (file, line) = (name, number ?? 0)
        guard parts.count <= 2, !name.isEmpty, !name.hasSuffix("/"), line >= 1 else {
            throw value.error("expected a source file and a line, such as Sources/Store.swift:42")
        }
        if name.hasPrefix("/") || name.hasPrefix("~") {
            throw value.error("the path of a source file must be relative to the configuration")
        }
    }
}

extension Configuration {
    /// The source code that a configuration declares for an item.
    package struct DeclaredSource: Sendable, Hashable {
        /// The path of the file, which can be opened.
        package let path: String
        /// From 1.
        package let line: Int

        init(_ source: Located<ConfiguredSource>) {
            path = SourceFile.path(source.value.file, besides: source.position)
            line = source.value.line
        }
    }

    /// Returns the declared source code of the item at a path: that of the longest glob that matches.
    package func source(of path: [UInt8]) -> DeclaredSource? {
        sources.values.filter { $0.value.glob.matches(path) }.max { left, right in
            let (old, new) = (left.value.glob.text, right.value.glob.text)
            return (old.utf8.count, old) < (new.utf8.count, new)
        }.map(DeclaredSource.init)
    }

    /// The declared source files that do not exist, one sentence each.
    package var missingSources: [String] {
        let missing = sources.values.filter { source in
            !FileManager.default.fileExists(
                atPath: Invocation.current.workingDirectory.resolved(DeclaredSource(source).path))
        }
        return missing.sorted { ($0.position.file, $0.position.line) < ($1.position.file, $1.position.line) }.map {
            "\($0.position.file):\($0.position.line): the source file “\($0.value.file)” does not exist"
        }
    }
}
