import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("README and docs", .timeLimit(.minutes(60))) struct DocumentationTests {
    /// Commands that exit with a code other than the one for findings.
    private static let clean = ["sandboxlint lint path/to/container --baseline baseline.txt"]
    /// Options of other programs that the pages mention.
    private static let foreignOptions: Set = [
        "sparse", "host", "tag", "group-by", "keep-last", "xattrs", "xattrs-include", "help", "version",
        "traits", "check", "rm", "strip-components", "fake-super", "sequester", "schemafile", "listen-port",
    ]
    private static let root = DocumentationPage.root
    private static let pages = DocumentationPage.guides

    /// Runs the body in a folder that has what the commands refer to: `path/to/container`, `path/to/before`,
    /// `path/to/rules`, `path/to/unpacked`, an archive and a device backup.
    private static func withPaths(_ body: (URL) throws -> Void) throws {
        try withSample { sample throws in
            try withScratch { folder throws in
                let parent = folder.appending(path: "path/to")
                try FileManager.default.createDirectory(
                    at: parent.appending(path: "unpacked"), withIntermediateDirectories: true)
                for name in ["container", "before"] {
                    try parent.copyAll(sample, to: name)
                }
                for name in ["reader", "player"] {
                    let report = parent.appending(path: "\(name).json").path
                    _ = try sandboxlint("lint", sample, "--output", "json=\(report)")
                }
                try parent.copyAll(root.appending(path: "rules/archive").path, to: "rules")
                try FileManager.default.copyItem(
                    at: root.appending(path: "Tests/Traffic/mitmproxy.har"), to: parent.appending(path: "capture.har"))
                try Command.setUp(
                    "tar", ["--xattrs", "-czf", "path/to/container.tar.gz", "-C", "path/to", "container"], in: folder)
                try FileManager.default.createDirectory(
                    at: folder.appending(path: "MobileSync"), withIntermediateDirectories: false)
                for words in [
                    ["create", "path/to/container", "--repository", "repository"],
                    ["export", "latest", "--to", "MobileSync/Backup", "--udid", "UDID", "--repository", "repository"],
                ] {
                    let run = try sandboxbackup(words, in: folder)
                    try #require([0, 3].contains(run.code), "\(run.errors)")
                }
                try body(folder)
            }
        }
    }

    private static func expectedCode(of command: String) -> Int32 {
        guard !clean.contains(command) else { return 0 }
        return command.contains(" lint ") || command.contains(" merge ") || command.hasSuffix("--diff") ? 1 : 0
    }

    @Test(
        "Output on a page is the output of the tool for the sample", .needs(.externalProgram),
        arguments: pages.filter { !$0.blocks("console").isEmpty })
    func output(page: DocumentationPage) throws {
        try withScratch { folder throws in
            let parent = folder.appending(path: "path/to")
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            // The sample of the guides.
            try Command.setUp(Command.sampleApp, [parent.appending(path: "sample").path])
            if page.path == "docs/written-by.md" { try Self.makeTimeline(in: parent) }
            for block in page.blocks("console") {
                let command = try #require(block.lines.first)
                #expect(command.hasPrefix("$ sandboxlint "))
                let words = command.split(separator: " ").map(String.init)
                let run = try sandboxlint(Array(words.dropFirst(2)), in: folder)
                #expect(run.code == Self.expectedCode(of: String(command.dropFirst(2))), "\(command): \(run.errors)")
                var rest = run.text[...]
                for piece in block.lines.dropFirst().split(separator: "…") {
                    let shown = piece.joined(separator: "\n")
                    let found = rest.range(of: shown)
                    #expect(found != nil, "\(command): does not print:\n\(shown)\nbut:\n\(run.text)")
                    rest = rest[(found?.upperBound ?? rest.startIndex)...]
                }
            }
        }
    }

    /// Makes an app's source code and a container with the file that it writes.
    private static func makeTimeline(in parent: URL) throws {
        try parent.makeDirectories("timeline/Library/Caches", "timeline/tmp")
        try parent.write("{}\n", to: "timeline/Documents/timeline-cache.json")
        try parent.write(
            """
            import Foundation

            struct TimelineCache {
                let directory = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]

                func save(_ timeline: Data) throws {
                    try timeline.write(to: directory.appending(path: "timeline-cache.json"))
                }
            }

            """, to: "app/Sources/TimelineCache.swift")
    }

    @Test("README shows output, and four or more commands; all pages together show thirty or more")
    func amount() throws {
        let readme = try #require(Self.pages.first { $0.path == "README.md" })
        #expect(!readme.blocks("console").isEmpty)
        #expect(readme.commands(of: "sandboxlint").count >= 4 && readme.commands(of: "sandboxbackup").count >= 4)
        #expect(Self.pages.map { $0.commands(of: "sandboxlint").count }.reduce(0, +) >= 30)
        #expect(readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }

    /// Returns the words of a command line. A word in quotation marks may contain spaces.
    private static func words(of line: String) -> [String] {
        line.matches(of: /"([^"]*)"|[^ "]+/).map { String($0.1 ?? $0.0) }
    }

    @Test("Each command of sandboxlint and of the shell on a page works", .needs(.externalProgram), arguments: pages)
    func commands(page: DocumentationPage) throws {
        try Self.withPaths { folder throws in
            for line in page.shellLines {
                let words = Self.words(of: line)
                switch words.first {
                case "sandboxlint":
                    let run = try sandboxlint(Array(words.dropFirst()), in: folder)
                    #expect(run.code == Self.expectedCode(of: line), "\(line): \(run.errors)")
                case "cp", "tar", AttributeTool.reader:
                    let run = try Command(words[0], Array(words.dropFirst()), in: folder)
                    #expect(run.code == 0, "\(line): \(run.errors)")
                case "sandboxbackup": break  // SandboxbackupTests runs it.
                case "sandboxfm": break  // SandboxfmTests runs it.
                case "make":
                    let makefile = try String(contentsOf: Self.root.appending(path: "Makefile"), encoding: .utf8)
                    #expect(words.count > 1 && makefile.contains("\n\(words[1]):"), "\(line)")
                case "swift":
                    // `make test` runs the plugins.
                    let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
                    #expect(words.count > 2 && words[1] == "package", "\(line)")
                    #expect(words.count > 2 && manifest.contains("verb: \"\(words[2])\""), "\(line)")
                default: Issue.record("no test runs \(line)")
                }
            }
        }
    }

    @Test("Archives and copies of the FAQ keep the attributes of the container", .needs(.externalProgram))
    func attributes() throws {
        let faq = try #require(Self.pages.first { $0.path == "docs/faq.md" })
        try Self.withPaths { folder throws in
            for line in faq.shellLines where line.hasPrefix("cp ") || line.hasPrefix("tar ") {
                try Command.setUp("bash", ["-c", "set -f; \(line)"], in: folder)
            }
            for copy in ["path/to/copy", "path/to/unpacked/path/to/container"] {
                let path = "\(copy)/Documents/images/a.jpg"
                #expect(try AttributeTool.text("user.xdg.origin.url", of: path, in: folder) != nil, "\(path)")
            }
        }
    }

    @Test("Each YAML block on a page is a configuration that the tool accepts, or part of an example", arguments: pages)
    func configurations(page: DocumentationPage) throws {
        let files = [
            ".github/workflows/container.yml", ".github/workflows/fleet.yml", ".github/workflows/pull-request.yml",
            ".pre-commit-config.yaml",
        ]
        let examples = try files.map {
            try String(contentsOf: Self.root.appending(path: "Examples/\($0)"), encoding: .utf8)
        }
        try withSample { path throws in
            for block in page.blocks("yaml") {
                guard !block.text.contains("uses:"), !block.text.contains("repos:") else {
                    // An excerpt may be indented less than the example.
                    let margins = ["", "  ", "    ", "      "]
                    #expect(
                        margins.contains { margin in
                            let text = block.lines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
                            return examples.contains { $0.contains(text) }
                        }, "\(block.text)")
                    continue
                }
                let config = URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: "config.yml")
                try Data(block.text.utf8).write(to: config)
                let run = try sandboxlint("lint", path, "--config", config.path)
                #expect(run.code == 1, "\(run.errors)")
            }
        }
    }

    @Test("Each option on the pages is an option of one of the tools")
    func options() throws {
        var known = Self.foreignOptions
        for tool in TestedTool.allCases {
            let help = try tool.run(["--experimental-dump-help"]).text
            known.formUnion(help.matches(of: /"name"\s*:\s*"([a-z-]+)"/).map { String($0.1) })
        }
        #expect(known.isSuperset(of: ["fresh-install", "preserve-special-modes"]))
        for page in Self.pages {
            for option in page.text.matches(of: /(?:^|[^\w-])--([a-z][a-z-]+)/) {
                #expect(known.contains(String(option.1)), "\(page): --\(option.1)")
            }
        }
    }

    /// The options of each command of a tool, as `sandboxlint lint --format`, that none of the texts mentions.
    private static func undocumented(_ tool: TestedTool, in texts: [String]) throws -> [String] {
        struct Dump: Decodable { let command: Node }
        struct Node: Decodable {
            let commandName: String
            let arguments: [Argument]?
            let subcommands: [Node]?
        }
        struct Argument: Decodable {
            struct Name: Decodable { let kind, name: String }
            let names: [Name]?
            let shouldDisplay: Bool
        }
        let mentioned = Set(
            texts.flatMap { $0.matches(of: /(?:^|[^\w-])--([a-z][a-z0-9-]+)/).map { String($0.1) } })
        func missing(_ node: Node, _ words: [String]) -> [String] {
            let options = (node.arguments ?? []).filter(\.shouldDisplay).flatMap { $0.names ?? [] }
                .filter { $0.kind == "long" && !["help", "version"].contains($0.name) }
            return options.filter { !mentioned.contains($0.name) }.map {
                (words + ["--\($0.name)"]).joined(separator: " ")
            }
                + (node.subcommands ?? []).filter { $0.commandName != "help" }.flatMap {
                    missing($0, words + [$0.commandName])
                }
        }
        let dump = try tool.run(["--experimental-dump-help"]).output
        return missing(try JSONDecoder().decode(Dump.self, from: dump).command, [tool.rawValue])
    }

    @Test("Each option of each command is on a page about its tool", arguments: TestedTool.allCases)
    func mentions(tool: TestedTool) throws {
        let own = ["docs/backup.md": TestedTool.sandboxbackup, "docs/sandboxfm.md": .sandboxfm]
        // The options of inputs are the same in all tools.
        let about = Self.pages.filter { page in
            page.path == "docs/inputs.md" || (own[page.path] ?? .sandboxlint) == tool
        }
        #expect(try Self.undocumented(tool, in: about.map(\.text)) == [])
        // A page without one of the options is found.
        let (option, command) =
            switch tool {
            case .sandboxlint: ("no-baseline", "lint")
            case .sandboxbackup: ("keep-daily", "forget")
            case .sandboxfm: ("free", "purge")
            }
        let without = about.map { $0.text.replacing("--\(option)", with: "--\(option)s") }
        #expect(try Self.undocumented(tool, in: without) == ["\(tool.rawValue) \(command) --\(option)"])
    }

    @Test(
        "Each package manifest on a page is valid, and its products exist", .needs(.externalProgram), arguments: pages)
    func manifests(page: DocumentationPage) throws {
        let products = try PackageManifest.root.get().products.map(\.name)
        for block in page.blocks("swift manifest") {
            for product in block.text.matches(of: /\.product\(name: "(\w+)", package: "sandboxlint"/) {
                #expect(products.contains(String(product.1)), "\(product.1)")
            }
            try withScratch { folder throws in
                try Data(page.manifest(block).utf8).write(to: folder.appending(path: "Package.swift"))
                let run = try Command("swift", ["package", "--package-path", folder.path, "dump-package"])
                #expect(run.code == 0 && run.text.contains("AppContainer"), "\(run.errors)")
            }
        }
    }

    @Test("ARCHITECTURE.md shows the imports of every target in Package.swift", .needs(.externalProgram))
    func imports() throws {
        struct Package: Decodable { let targets: [Target] }
        struct Target: Decodable {
            let name: String
            let type: String
            let path: String?
            let dependencies: [Dependency]
        }
        struct Dependency: Decodable {
            let byName: [String?]?
            let target: [Value?]?
        }
        struct Value: Decodable {
            let name: String?
            init(from decoder: any Decoder) throws { name = try? decoder.singleValueContainer().decode(String.self) }
        }
        let package = try withScratch { scratch throws in
            let dump = try Command(
                "swift",
                [
                    "package", "--package-path", Self.root.path, "--scratch-path", scratch.path, "dump-package",
                ])
            #expect(dump.code == 0, "\(dump.errors)")
            return try JSONDecoder().decode(Package.self, from: dump.output)
        }
        let libraries = package.targets.filter { ["regular", "executable", "macro"].contains($0.type) }
            .filter { target in !["Tests/", "Examples/"].contains { target.path?.hasPrefix($0) == true } }
            .filter { !["PolicyRules", "embed-files"].contains($0.name) && !$0.name.hasSuffix("Trait") }
        let names = Set(libraries.map(\.name))
        let page = DocumentationPage("ARCHITECTURE.md")
        let rows = page.prose.compactMap { line in
            line.wholeMatch(of: /\| `([\w-]+)` \| (.*?) \| .* \|/).map { (String($0.1), String($0.2)) }
        }
        let table = Dictionary(rows) { first, _ in first }
        #expect(names.count > 15)
        for target in libraries {
            let imports = target.dependencies.compactMap { $0.byName?.first ?? $0.target?.first??.name ?? nil }
                .filter(names.contains).sorted()
            let shown = table[target.name].map { $0 == "–" ? [] : $0.split(separator: ", ").map(String.init) }
            #expect(shown == imports, "\(target.name)")
            // Another build order would not find an import that is no dependency.
            let imported = try Self.imports(of: target.name).intersection(names)
            #expect(imported.subtracting(imports).isEmpty, "\(target.name): \(imported.subtracting(imports))")
        }
    }

    /// The modules that the sources of a target import.
    private static func imports(of target: String) throws -> Set<String> {
        let folder = root.appending(path: "Sources/\(target)")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var found: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let lines = text.matches(of: /(?:^|\n) *(?:@\w+ )?(?:\w+ )?import (?:struct |enum )?(\w+)/)
            found.formUnion(lines.map { String($0.1) })
        }
        return found
    }
}
