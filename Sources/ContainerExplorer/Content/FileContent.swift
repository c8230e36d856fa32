package import ContainerTree
internal import FileSystem
internal import Foundation
package import TextOutput

/// The content of a file of a tree.
package struct FileContent: Sendable {
    /// The path relative to the container.
    package let path: [UInt8]
    private let tree: any Tree
    private static let pieceSize = 1 << 20
    /// The maximum size of a file that is read as a whole.
    package static let wholeLimit = 64 << 20

    private init(_ path: [UInt8], in tree: any Tree) {
        self.path = path
        self.tree = tree
    }

    /// Creates the content of a file whose path is known.
    package init(_ path: PathArgument, in tree: any Tree) { self.init(path.bytes, in: tree) }

    /// Returns the files that arguments name, each as often as it is named.
    ///
    /// - Parameters:
    ///   - arguments: Paths and patterns.
    ///   - tree: The tree, which is only read completely if an argument is not the path of a file.
    /// - Returns: The files, in the order of the arguments.
    /// - Throws: `usage`, `notFound`, `failed` for an item that is not a file; the error of reading the tree.
    package static func files(at arguments: [String], in tree: any Tree) throws -> [FileContent] {
        var index: ContainerIndex?
        return try arguments.flatMap { argument in
            let path = try PathArgument(argument).bytes
            let file = FileContent(path, in: tree)
            if !path.isEmpty, tree.bytes(of: path, count: 1, at: 0) != nil { return [file] }
            let found = try index ?? ContainerIndex(of: tree)
            index = found
            return try found.select(argument).numbers.map { number in
                try require(number, in: found)
                return FileContent(found.path(of: number), in: tree)
            }
        }
    }

    /// Returns the one file that an argument names.
    ///
    /// - Throws: The errors of `files`; `usage` if a pattern matches several files.
    package static func file(at argument: String, in tree: any Tree) throws -> FileContent {
        let files = try files(at: [argument], in: tree)
        guard let first = files.first, files.count == 1 else {
            throw ExplorerError(
                .usage,
                description:
                    "the pattern “\(ByteText.escaped(Array(argument.utf8)))” matches \(files.count) items. Name one file."
            )
        }
        return first
    }

    private static func require(_ number: Int, in index: ContainerIndex) throws(ExplorerError) {
        let shown = "“\(ByteText.escaped(index.path(of: number)))”"
        switch index[number].kind {
        case .file: return
        case .directory:
            throw ExplorerError(
                .failed,
                description: number == ContainerIndex.root
                    ? "the container is a directory. Name a file." : "\(shown) is a directory. Name a file.")
        case .symbolicLink:
            let target = ByteText.escaped(Array(index.linkTarget(of: number) ?? []))
            throw ExplorerError(
                .failed,
                description: "\(shown) is a symbolic link to “\(target)”, which is not followed. Name the file itself.")
        case let kind:
            throw ExplorerError(.failed, description: "\(shown) is a \(ItemText.word(for: kind)), not a file.")
        }
    }

    /// The path as it is shown.
    package var shownPath: String { ByteText.escaped(path) }

    /// Writes the bytes.
    ///
    /// - Throws: `failed` if the file cannot be read to its end.
    package func write(to output: ([UInt8]) -> Void) throws(ExplorerError) {
        var offset: UInt64 = 0
        while true {
            guard let piece = tree.bytes(of: path, count: Self.pieceSize, at: offset) else {
                throw ExplorerError(
                    .failed,
                    description: "“\(shownPath)” cannot be read"
                        + (offset > 0
                            ? " after \(offset) bytes. The output is incomplete." : ". Check its permissions."))
            }
            if piece.isEmpty { return }
            output(piece)
            offset += UInt64(piece.count)
        }
    }

    /// Returns all bytes.
    ///
    /// - Parameter limit: The maximum size in bytes.
    /// - Returns: The bytes.
    /// - Throws: `failed` for a larger file or one that cannot be read.
    package func whole(limit: Int = FileContent.wholeLimit) throws(ExplorerError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            guard
                let piece = tree.bytes(
                    of: path, count: min(Self.pieceSize, limit + 1 - bytes.count), at: UInt64(bytes.count))
            else { throw ExplorerError(.failed, description: "“\(shownPath)” cannot be read. Check its permissions.") }
            if piece.isEmpty { return bytes }
            bytes += piece
            guard bytes.count <= limit else {
                throw ExplorerError(
                    .failed,
                    description: "“\(shownPath)” is larger than \(limit >> 20) MiB, the limit for this command. "
                        + "`sandboxfm get` copies files of any size.")
            }
        }
    }

    /// Writes the text for a terminal: lines without control characters.
    ///
    /// - Throws: `wrongContent` if the file begins with bytes that are not text, `failed`.
    package func writeText(to output: (String) -> Void) throws(ExplorerError) {
        guard let start = tree.bytes(of: path, count: 8192, at: 0) else {
            throw ExplorerError(.failed, description: "“\(shownPath)” cannot be read. Check its permissions.")
        }
        guard !start.contains(0) else {
            throw ExplorerError(
                .wrongContent,
                description:
                    "“\(shownPath)” is not text, and its bytes could change the terminal. Redirect the output, or use "
                    + "`sandboxfm get`, `sandboxfm archive show` or `sandboxfm db`.")
        }
        // The bytes of a character that a piece does not complete.
        var rest: [UInt8] = []
        try write { piece in
            let bytes = rest + piece
            let end = Self.completeLength(of: bytes)
            rest = Array(bytes[end...])
            output(Self.printable(bytes[..<end]))
        }
        if !rest.isEmpty { output(Self.printable(rest[...])) }
    }

    /// Returns text in which control characters other than line breaks and tabs are replaced.
    private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        var text = ""
        var isAfterReturn = false
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            // A return that does not end a line would overwrite it.
            if isAfterReturn, scalar != "\n" { text += "\u{fffd}" }
            isAfterReturn = scalar == "\r"
            if isAfterReturn { continue }
            text += scalar == "\n" || scalar == "\t" ? String(scalar) : ByteText.printable(String(scalar))
        }
        return isAfterReturn ? text + "\u{fffd}" : text
    }

    /// Returns the number of bytes without a character that is cut off at the end.
    static func completeLength(of bytes: [UInt8]) -> Int {
        for back in 1...4 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xc0 == 0x80 { continue }
            let length = byte & 0xe0 == 0xc0 ? 2 : byte & 0xf0 == 0xe0 ? 3 : byte & 0xf8 == 0xf0 ? 4 : 1
            return length > back ? bytes.count - back : bytes.count
        }
        return bytes.count
    }

    /// The contents of files as JSON.
    package struct Texts: ExplorerOutput {
        private let files: [(path: String, bytes: [UInt8])]
        private static let limit = 16 << 20

        /// Reads the files.
        ///
        /// - Throws: `failed` for a file of more than 16 MiB, or files of more than 64 MiB.
        package init(_ files: [FileContent]) throws(ExplorerError) {
            var read: [(path: String, bytes: [UInt8])] = []
            var total = 0
            for file in files {
                let bytes = try file.whole(limit: Self.limit)
                total += bytes.count
                guard total <= FileContent.wholeLimit else {
                    throw ExplorerError(
                        .failed, description: "the files have more than 64 MiB, the limit for JSON. Name fewer files.")
                }
                read.append((file.shownPath, bytes))
            }
            self.files = read
        }

        package func writeText(in style: Style, to output: (String) -> Void) {
            for file in files { output(FileContent.printable(file.bytes[...])) }
        }

        package func write(_ json: inout JSONWriter) {
            json.array("files") { json in
                for file in files {
                    json.object { json in
                        json.field("path", file.path)
                        json.field("bytes", file.bytes.count)
                        // Bytes that are not UTF-8 are replaced in the text.
                        let text = String(decoding: file.bytes, as: UTF8.self)
                        if text.utf8.elementsEqual(file.bytes) {
                            json.field("text", text)
                        } else {
                            json.field("base64", Data(file.bytes).base64EncodedString())
                        }
                    }
                }
            }
        }
    }
}
