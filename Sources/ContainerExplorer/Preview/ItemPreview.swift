package import AppContainer
package import ContainerTree
internal import DatabaseInspection
internal import FileSystem
internal import SystemPackage
package import TextOutput

/// The content of an item in a few lines: its kind in words, and what a reader wants to see of it.
///
/// A preview never fails and never takes long: it reads a bounded part of the item as it is at the moment, and problems
/// become lines. It follows no link in the last component, opens only regular files, and shows secrets as their kind.
package struct ItemPreview: Sendable {
    /// The kind of a line. It only decides how the line is shown.
    package enum LineStyle: String, Sendable { case plain, heading, dim, error }

    /// A line without control characters.
    package struct Line: Sendable, Hashable {
        package let text: String
        /// The number of levels by which the line is indented.
        package let depth: Int
        package let style: LineStyle
    }

    /// The limits of a preview.
    package struct Limits: Sendable {
        /// The bytes that are read of a text, a JSON document or a file of an unknown format.
        package var bytes = 256 << 10
        /// The maximum size of a property list, which is read as a whole.
        package var listBytes = 2 << 20
        /// The maximum size of a database, which is copied.
        package var databaseBytes: UInt64 = 64 << 20
        /// The maximum time for a database in seconds.
        package var databaseSeconds = 2.0
        package var lines = 1_000
        /// The maximum number of characters of a line.
        package var lineLength = 500
        /// The number of nested levels that are shown.
        package var depth = 6
        /// The number of members that are shown of an array or a dictionary.
        package var members = 100
        /// The number of rows that are shown of a table.
        package var rows = 5
        /// The number of names that are shown of a directory.
        package var names = 500
        /// The bytes that are shown in hexadecimal.
        package var hexadecimalBytes = 2_048

        package init() {}
    }

    /// The kind of the item in words, such as `SQLite database, 3 tables`.
    package let title: String
    package let lines: [Line]

    /// Returns the preview of an item.
    ///
    /// - Parameters:
    ///   - path: The path of the item, relative to the container. Empty for the container itself.
    ///   - container: The container.
    ///   - columns: The width for tables, or nil for any.
    ///   - limits: The limits.
    ///   - isCancelled: Returns true when nobody waits for the preview any more. Called often, on this thread.
    /// - Returns: The preview. Its last line states what was left out.
    package static func make(
        of path: [UInt8], in container: Container, columns: Int? = nil, limits: Limits = Limits(),
        isCancelled: @Sendable () -> Bool = { false }
    ) -> ItemPreview {
        withoutActuallyEscaping(isCancelled) { isCancelled in
            var lines = PreviewLines(limits: limits, columns: columns, isCancelled: isCancelled)
            let title: String
            do throws(FileSystemError) {
                let status = try container.folder.status(FilePath(bytes: path))
                switch status.kind {
                case .directory: title = try lines.add(directory: path, of: container)
                case .symbolicLink:
                    title = "link to " + ByteText.escaped(try container.folder.linkTarget(FilePath(bytes: path)))
                case .file: title = lines.add(file: try PreviewFile(path, in: container))
                case let kind: title = "\(ItemText.word(for: kind)), which is not opened"
                }
            } catch {
                title = error.errno == .noSuchFileOrDirectory ? "missing" : "unreadable"
                lines.add("cannot be read: \(error.errno.description)", style: .error)
            }
            lines.end()
            return ItemPreview(title: PreviewLines.cut(ByteText.printable(title), to: 300), lines: lines.lines)
        }
    }
}

extension ItemPreview {
    /// Returns the paths of the items that arguments name, each as often as it is named.
    ///
    /// - Parameters:
    ///   - arguments: Paths and patterns.
    ///   - tree: The tree, which is only read completely if an argument is not the path of an item.
    /// - Returns: The paths, in the order of the arguments.
    /// - Throws: `usage`, `notFound`; the error of reading the tree.
    package static func paths(of arguments: [String], in tree: any Tree) throws -> [[UInt8]] {
        var index: ContainerIndex?
        return try arguments.flatMap { argument in
            let path = try PathArgument(argument).bytes
            if path.isEmpty || tree.contains(path) { return [path] }
            let found = try index ?? ContainerIndex(of: tree)
            index = found
            return try found.select(argument).numbers.map { found.path(of: $0) }
        }
    }
}

/// A regular file that is read by position.
struct PreviewFile {
    private let file: OpenFile
    private let container: Container
    let path: [UInt8]
    /// The size in bytes when the file was opened.
    let size: UInt64
    /// True if only the name, the size and the attributes are on this disk.
    let isEvicted: Bool

    /// Opens a file.
    ///
    /// - Throws: The error of opening; `invalidArgument` for an item that is no longer a regular file.
    init(_ path: [UInt8], in container: Container) throws(FileSystemError) {
        let file = try container.folder.open(FilePath(bytes: path), followingLinks: false)
        let status = try file.status()
        guard status.kind == .file else { throw FileSystemError("open", path: file.path, errno: .invalidArgument) }
        (self.file, self.path, self.container, size) = (file, path, container, status.size)
        let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
        isEvicted =
            status.isDataless || Availability.isPlaceholder(name)
            || !Host.marksEvictedFiles && status.allocated == 0 && status.size > 4_096 && file.nextData(from: 0) == nil
    }

    /// The name extension in lower case.
    var nameExtension: String {
        let end = path.suffix(16)
        guard let dot = end.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(decoding: end[(dot + 1)...], as: UTF8.self).lowercased()
    }

    /// Returns at most `count` bytes from an offset; fewer at the end of the file, none if it cannot be read.
    func bytes(_ count: Int, at offset: UInt64 = 0) -> [UInt8] {
        guard count > 0, offset <= UInt64(Int64.max) - UInt64(count) else { return [] }
        return (try? file.read(upTo: count, from: offset)) ?? []
    }

    /// Opens a copy of the file as a database.
    func database(within limits: ItemPreview.Limits) throws(ExplorerError) -> OpenedDatabase {
        var reading = DatabaseLimits()
        (reading.bytes, reading.seconds) = (limits.databaseBytes, limits.databaseSeconds)
        (reading.querySeconds, reading.valueBytes) = (limits.databaseSeconds / 2, 1_024)
        return try OpenedDatabase(file: path, in: DirectoryTree(container), limits: reading)
    }
}

/// The lines of a preview while they are written.
struct PreviewLines {
    let limits: ItemPreview.Limits
    let columns: Int?
    private let isCancelled: () -> Bool
    private(set) var lines: [ItemPreview.Line] = []
    private var isCut = false

    init(limits: ItemPreview.Limits, columns: Int?, isCancelled: @escaping () -> Bool) {
        (self.limits, self.columns, self.isCancelled) = (limits, columns, isCancelled)
    }

    /// Returns true if a line can be added and somebody waits for it. Called before more is added.
    mutating func hasRoom() -> Bool {
        if lines.count >= limits.lines { isCut = true }
        return !isCut && !isCancelled()
    }

    /// Adds a line. Control characters and secrets in it are replaced, and it is cut at the limit.
    mutating func add(_ text: String, depth: Int = 0, style: ItemPreview.LineStyle = .plain) {
        guard lines.count < limits.lines else {
            isCut = true
            return
        }
        // A long line is cut before it is examined; a secret at the cut is shown in part only if it is longer than the line.
        let start = Self.cut(text, to: 8 * limits.lineLength)
        let shown = ByteText.printable(start.replacing("\t", with: "    "))
        lines.append(
            ItemPreview.Line(text: Self.cut(shown, to: limits.lineLength), depth: max(0, depth), style: style))
    }

    /// Replaces the text of a line that was added before, by its position.
    mutating func replace(_ position: Int, with text: String) {
        guard lines.indices.contains(position) else { return }
        lines[position] = ItemPreview.Line(
            text: Self.cut(ByteText.printable(text), to: limits.lineLength), depth: lines[position].depth,
            style: lines[position].style)
    }

    /// Adds the line that states that lines were left out.
    mutating func end() {
        guard isCut else { return }
        lines.append(ItemPreview.Line(text: "… more is not shown", depth: 0, style: .dim))
    }

    /// Returns the first characters of a text, by scalars: a character may have any number of combining marks.
    static func cut(_ text: String, to count: Int) -> String {
        guard text.utf8.count > count else { return text }
        let start = text.unicodeScalars.prefix(count)
        return start.endIndex == text.unicodeScalars.endIndex ? text : String(start) + "…"
    }

    // MARK: - Directories and files

    /// Adds the names in a directory, and returns its title.
    mutating func add(directory path: [UInt8], of container: Container) throws(FileSystemError) -> String {
        let most = 20_000
        let folder = path.isEmpty ? container.folder : try container.folder.openFolder(noLinks: FilePath(bytes: path))
        var items: [(name: [UInt8], status: FileStatus)] = []
        var hasMore = false
        do throws(FileSystemError) {
            try folder.forEachEntry { name, status throws(FileSystemError) in
                guard items.count < most, !isCancelled() else {
                    hasMore = true
                    throw FileSystemError("list", path: "", errno: .canceled)
                }
                items.append((Array(name), status))
            }
        } catch { if !hasMore { throw error } }
        items.sort { $0.name.lexicographicallyPrecedes($1.name) }
        for (name, status) in items.prefix(limits.names) {
            let name = ByteText.escaped(name)
            switch status.kind {
            case .directory: add(name + "/")
            case .file: add("\(name)  \(Quantity.bytes(status.size))")
            case let kind: add("\(name)  \(ItemText.word(for: kind))")
            }
        }
        if items.count > limits.names { add("… \(Quantity.grouped(items.count - limits.names)) more", style: .dim) }
        return "directory, " + (hasMore ? "more than " : "") + Quantity.count(items.count, "item")
    }

    /// Adds the content of a file, and returns its title.
    mutating func add(file: PreviewFile) -> String {
        guard !file.isEvicted else {
            return "file, \(Quantity.bytes(file.size)), content not on this disk"
        }
        let start = file.bytes(limits.bytes)
        guard !start.isEmpty else {
            if file.size > 0 { add("cannot be read, or was emptied in the meantime", style: .error) }
            return file.size > 0 ? "file, \(Quantity.bytes(file.size))" : "empty file"
        }
        return addDatabase(file, start) ?? addPropertyList(file, start) ?? addPicture(file, start)
            ?? addMedia(file, start) ?? addText(file, start) ?? addBytes(file, start)
    }
}

/// Previews of items, for scripts.
package struct PreviewReport: ExplorerOutput {
    private let previews: [(path: [UInt8], preview: ItemPreview)]

    /// Creates a report of items in the order in which they are printed.
    package init(_ previews: [(path: [UInt8], preview: ItemPreview)]) { self.previews = previews }

    package func writeText(in style: Style, to output: (String) -> Void) {
        for (position, (path, preview)) in previews.enumerated() {
            if position > 0 { output("\n") }
            let name = path.isEmpty ? "." : ByteText.escaped(path)
            output(style.bold("\(name): \(preview.title)") + "\n")
            for line in preview.lines {
                let indent = String(repeating: "  ", count: min(line.depth + 1, (style.columns ?? .max) / 4))
                let text = indent + line.text
                let shown = style.columns.map { Columns.cut(text, to: $0) } ?? text
                switch line.style {
                case .plain: output(shown + "\n")
                case .heading: output(style.bold(shown) + "\n")
                case .dim: output(style.dim(shown) + "\n")
                case .error: output(style.wrap(shown, "31") + "\n")
                }
            }
        }
    }

    package func write(_ json: inout JSONWriter) {
        json.array("previews") { json in
            for (path, preview) in previews {
                json.object { json in
                    json.field("path", ByteText.escaped(path))
                    json.field("title", preview.title)
                    json.array("lines") { json in
                        for line in preview.lines {
                            json.object { json in
                                json.field("text", line.text)
                                json.field("depth", line.depth)
                                json.field("style", line.style.rawValue)
                            }
                        }
                    }
                }
            }
        }
    }
}
