package import AppContainer
package import ContainerTree
internal import FileSystem
internal import Foundation
internal import SystemPackage
package import TextOutput

/// The absolute paths or file URLs of items.
package struct ItemLocations: ExplorerOutput {
    /// The form in which a location is printed.
    package enum Form: Sendable { case path, url }

    /// A location of an item.
    private struct Entry {
        let item: [UInt8]
        let path: [UInt8]
        let url: String
    }

    private let entries: [Entry]
    private let form: Form
    private let container: Container

    /// Finds the locations of items.
    ///
    /// - Parameters:
    ///   - arguments: Paths, which need not exist, and patterns. `{bundle-id}` stands for the app's identifier. Without
    ///     any, the container.
    ///   - container: The container.
    ///   - form: The form in which text is printed.
    ///   - index: Returns the index, which is needed for patterns only.
    /// - Throws: `usage` for a path that leads out of the container; `notFound` for a pattern; the error of the index.
    package init(
        of arguments: [String], in container: Container, as form: Form, index: () throws -> ContainerIndex
    ) throws {
        self.form = form
        self.container = container
        var entries: [Entry] = []
        for argument in arguments.isEmpty ? [""] : arguments {
            var path = try PathArgument(argument)
            // A name as it is printed.
            if !Self.exists(path, in: container), let unescaped = try? PathArgument(ByteText.unescaped(argument)),
                Self.exists(unescaped, in: container)
            {
                path = unescaped
            }
            if try PathPattern(argument: path.bytes).isPattern, !Self.exists(path, in: container) {
                let found = try index()
                for number in try found.select(argument).numbers {
                    entries.append(
                        try Self.entry(
                            ContainerPath(components: FilePath(bytes: found.path(of: number))), container: container))
                }
            } else {
                entries.append(try Self.entry(path.containerPath(in: container), container: container))
            }
        }
        self.entries = entries
    }

    private static func exists(_ path: PathArgument, in container: Container) -> Bool {
        (try? container.exists(ContainerPath(components: FilePath(bytes: path.bytes)))) == true
    }

    private static func entry(_ item: ContainerPath, container: Container) throws(ContainerError) -> Entry {
        let path = try container.path(item)
        let absolute = Invocation.current.workingDirectory.absolute(path)
        let plain = FilePath(root: absolute.root, absolute.components.filter { $0.kind != .currentDirectory })
        return Entry(
            item: try container.relative(item).bytes, path: plain.bytes,
            url: try container.url(for: item).absoluteURL.absoluteString)
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        for entry in entries { output((form == .url ? entry.url : ByteText.escaped(entry.path)) + "\n") }
    }

    /// The paths as bytes, each followed by `end`.
    package func bytes(endingIn end: UInt8) -> [UInt8] {
        entries.flatMap { (form == .url ? Array($0.url.utf8) : $0.path) + [end] }
    }

    package func write(_ json: inout JSONWriter) {
        json.array("items") { json in
            for entry in entries {
                json.object { json in
                    json.field("path", ByteText.escaped(entry.item))
                    json.field("absolutePath", ByteText.escaped(entry.path))
                    json.field("url", entry.url)
                }
            }
        }
    }
}
