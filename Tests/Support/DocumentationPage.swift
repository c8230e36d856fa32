public import Foundation

/// A Markdown page of this repository.
public struct DocumentationPage: Sendable, CustomStringConvertible {
    /// A fenced code block.
    public struct Block: Sendable {
        /// The text after the opening fence, such as `sh`.
        public let info: String
        /// The lines without the indentation of the opening fence.
        public let lines: [String]
        /// The lines as one text.
        public var text: String { lines.joined(separator: "\n") }
    }

    /// The root of the repository.
    public static let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
    /// README.md and the pages in `docs`, whose commands and code the tests run.
    public static let guides: [DocumentationPage] = [DocumentationPage("README.md")] + pages(in: "docs")

    /// The path relative to the root of the repository.
    public let path: String
    /// The content; empty if the file cannot be read.
    public let text: String
    /// The fenced code blocks, in order.
    public let blocks: [Block]
    /// The lines outside of code blocks.
    public let prose: [String]

    /// The path, as the name of a test case.
    public var description: String { path }
    /// The location of the file.
    public var url: URL { Self.root.appending(path: path) }

    /// Reads a page of the repository.
    public init(_ path: String) {
        let text = try? String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
        self.init(path, text: text ?? "")
    }

    /// Creates a page with the given content.
    public init(_ path: String, text: String) {
        (self.path, self.text) = (path, text)
        var (blocks, prose): ([Block], [String]) = ([], [])
        var open: (info: String, indentation: Int, lines: [String])?
        for line in text.components(separatedBy: "\n") {
            let content = line.drop { $0 == " " }
            if content.hasPrefix("```") {
                if let block = open { blocks.append(Block(info: block.info, lines: block.lines)) }
                open = open == nil ? (String(content.dropFirst(3)), line.count - content.count, []) : nil
            } else if let indentation = open?.indentation {
                open?.lines.append(String(line.dropFirst(min(indentation, line.count - content.count))))
            } else {
                prose.append(line)
            }
        }
        (self.blocks, self.prose) = (blocks, prose)
    }

    /// Returns a complete package manifest with the content of a block, which may show a part of one.
    public func manifest(_ block: Block) -> String {
        block.text.contains("import PackageDescription")
            ? block.text
            : """
            // swift-tools-version: 6.2
            import PackageDescription
            let source = Package.Dependency.package(url: "https://github.com/<owner>/sandboxlint", from: "0.1.0")
            let package = Package(name: "Reader", dependencies: [source], targets: [
            \(block.text)
            ])
            """
    }

    /// Returns the pages in a folder, sorted by name.
    public static func pages(in folder: String) -> [DocumentationPage] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted().map { DocumentationPage("\(folder)/\($0)") }
    }

    /// Returns the blocks with an info string.
    public func blocks(_ info: String) -> [Block] { blocks.filter { $0.info == info } }

    /// Returns the commands in the `sh` blocks that run a program.
    public func commands(of program: String) -> [[String]] {
        shellLines.map { $0.split(separator: " ").map(String.init) }.filter { $0.first == program }
    }

    /// The lines of the `sh` blocks without comments.
    public var shellLines: [String] {
        blocks("sh").flatMap(\.lines).map {
            ($0.components(separatedBy: " #").first ?? "").trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty }
    }
}
