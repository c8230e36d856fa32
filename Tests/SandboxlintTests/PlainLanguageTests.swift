import Foundation
import TestSupport
import Testing
import ToolSupport

/// Checks that texts use the standard terms of the field, and none of the phrases below.
@Suite("Plain language") struct PlainLanguageTests {
    /// The tools whose help is checked.
    static let tools = [TestedTool.sandboxlint, .sandboxfm]
    /// The files and folders whose whole text is checked.
    static let texts = [
        "README.md", "rules", "docs", "action.yml", ".pre-commit-hooks.yaml", "Examples/.pre-commit-config.yaml",
        "scripts/write-manual", "scripts/lint-before-commit", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md",
        "Makefile",
        "Benchmarks/README.md", "Tests/Corpus/README.md", "Tests/Judgement/README.md",
    ]
    /// The folders of Swift sources whose comments are checked.
    static let sources =
        messages + [
            "Plugins", "Sources/PropertyLists", "Sources/StoragePolicyTesting", "Sources/TextOutput", "Tests/Support",
        ]
    /// The folders of Swift sources whose string literals are checked.
    static let messages = [
        "Sources/BackupOperations", "Sources/BackupPlan", "Sources/BackupReports", "Sources/BackupRepository",
        "Sources/CommandLineSupport", "Sources/ContainerExplorer", "Sources/ContainerInputs",
        "Sources/ExternalPrograms", "Sources/HTMLReports", "Sources/MobileBackup", "Sources/PolicyReports",
        "Sources/SandboxbackupCommands", "Sources/SandboxfmCommands", "Sources/SandboxlintCommands",
        "Sources/StoragePolicy",
    ]

    /// Phrases that are not standard technical English, in lowercase.
    static let phrases = [
        // Re-downloadable, regenerable.
        "can be had again", "could be had again", "be had again", "can be made again", "could be made again",
        "can be fetched again", "downloaded or made again",
        // Backup exclusion.
        "do-not-back-up", "flagged for good reason", "carries the flag", "carry the flag", "carries a flag",
        "take the flag off", "takes the flag", "leave the flag away", "has the flag", "the flag is on", "has no flag",
        "kept out of backups", "kept out of every backup", "keep it out of every backup", "go into a backup",
        "goes into every backup", "go into every backup", "goes into backups", "go into backups",
        "whose backup it is to be like",
        // User data.
        "a person's", "the person's", "a person made", "a person brought", "a person who", "it takes a person",
        "a person keeps", "person may name", "what a person",
        // Rules.
        "rules that are not put", "rules are put", "not put:", "it is put only", "put a rule", "rule is met",
        "rules put to", "asked is let be", "rule is asked", "it must be asked for", "for the rules about",
        "is the rule's", "another rule's", "rule's business", "is the business of", "no matter of", "not judged by",
        "what decides", "is to be found, and",
        // Reports and messages.
        "tell of a", "tells of", "how to tell it", "is told", "are told", "was told", "what was told",
        "tell on standard error", "says nothing either way", "nothing is said", "where none is named",
        "from this severity on", "findings left by", "not looked at", "was looked at", "is looked at", "be looked at",
        "where they are known", "is there already", "are there already", "is left as it is", "as it was",
        "that should not happen", "wrong usage", "wholly read", "not wholly", "one a line", "a line each",
        "exclude each other", "goes alone", "which linting does not change", "what was there is untouched",
        "check whose it is", "mend the", "written anew", "write anew", "saved anew", "flagged anew",
        // Respect, ignore.
        "heed no", "are heeded", "is heeded", "do not heed", "need not heed", "heed the", "let be", "lets be",
        "see through the baseline", "sees through", "excused",
        // Suppressions and the baseline.
        "has nothing to let be", "nothing comes under", "is over; it is", "a suppression is over",
        "hold all that is found",
        "is found and not held", "is held and no longer", "take out the entries", "findings that are known",
        // Fixes.
        "do also what asks", "what asks", "do away with", "does away with", "done away with", "take it back",
        "takes it back", "taken back", "takes back", "take back", "what was begun", "what would be done",
        "only give up what", "what has come since", "what came since", "takes away", "taken away",
        // Backups and disks.
        "file of nothing", "belongs to nothing", "as kept already", "what ails", "down to the medium", "to the medium",
        "is no bundle identifier", "more bytes more", "have more bytes", "in the making", "a run that was ended",
        "app was ended", "whose it is",
        // Negations with “no” and “none”.
        "is no file", "is no report", "is no baseline", "is no property list", "is no directory", "is no container",
        "is no document", "is no database", "is no evidence", "is no archive", "is no log", "is no package",
        "is no picture", "is no terminal", "is no folder", "is no identifier", "is no size", "is none", "are none",
        "and is none", "none of preferences", "none of the system", "there is none",
        // Constructions.
        "of its own making", "which no one", "has nothing to say", "is what the project says", "says the project",
        "says the configuration", "says the library", "what the configuration says", "a name that speaks",
        "its name speaks", "must speak", "speaks of", "what lies there", "what is larger than", "the rest of a time",
        "is of no use", "are of no use", "of one form", "without a word", "stands under a",
        "lies without", "lie without", "are of use",
    ]

    /// The phrases of a text, with some text around each.
    static func found(in text: String) -> [String] {
        let plain = text.lowercased().replacing("’", with: "'").split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        return phrases.compactMap { phrase in
            guard let range = plain.range(of: phrase) else { return nil }
            let start = plain.index(range.lowerBound, offsetBy: -40, limitedBy: plain.startIndex) ?? plain.startIndex
            let end = plain.index(range.upperBound, offsetBy: 20, limitedBy: plain.endIndex) ?? plain.endIndex
            return "“\(phrase)” in “…\(plain[start..<end])…”"
        }
    }

    /// The files at a path of the repository, with one of these extensions if it is a folder.
    private static func files(at path: String, _ extensions: Set<String>) throws -> [URL] {
        let url = Workflow.root.appending(path: path)
        guard try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true else { return [url] }
        let all = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter { extensions.contains($0.pathExtension) }
    }

    /// The words of every command of a tool, from the root to the subcommands.
    private static func commands(of tool: TestedTool) throws -> [[String]] {
        struct Dump: Decodable { let command: Node }
        struct Node: Decodable {
            let commandName: String
            let subcommands: [Node]?

            func words(after parent: [String]) -> [[String]] {
                [parent]
                    + (subcommands ?? []).filter { $0.commandName != "help" }.flatMap {
                        $0.words(after: parent + [$0.commandName])
                    }
            }
        }
        let dump = try JSONDecoder().decode(Dump.self, from: try tool.run(["--experimental-dump-help"]).output)
        return dump.command.words(after: [])
    }

    @Test("The help of every command uses none of the phrases, and has two examples and exit codes", arguments: tools)
    func help(tool: TestedTool) throws {
        let commands = try Self.commands(of: tool)
        #expect(commands.count > 5)
        for words in commands {
            let text = try tool.run(words + ["--help"], environment: ["COLUMNS": "200"]).text
            #expect(Self.found(in: text).isEmpty, "\(words): \(Self.found(in: text))")
            let examples = text.split(separator: "\n").filter { $0.hasPrefix("  sandbox") }
            #expect(examples.count >= 2, "\(words): \(examples)")
            #expect(text.contains("Exit codes: 0 "), "\(words)")
        }
    }

    @Test("Rules, guides and the CI integrations use none of the phrases", arguments: texts)
    func text(path: String) throws {
        let files = try Self.files(at: path, ["md", "yml", "yaml"])
        #expect(!files.isEmpty)
        for file in files {
            let found = Self.found(in: try String(contentsOf: file, encoding: .utf8))
            #expect(found.isEmpty, "\(file.path): \(found)")
        }
    }

    @Test("Comments of sources use none of the phrases", arguments: sources)
    func comments(folder: String) throws {
        for file in try Self.files(at: folder, ["swift"]) {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false
            )
            .map { $0.drop(while: \.isWhitespace) }
            let comments = lines.filter { $0.hasPrefix("//") }.map { $0.drop { $0 == "/" } }.joined(separator: " ")
            #expect(Self.found(in: comments).isEmpty, "\(file.path): \(Self.found(in: comments))")
        }
    }

    @Test(
        "No comment of the package opens with a question word or its answer",
        arguments: ["Sources", "Plugins", "Tests"])
    func openings(folder: String) throws {
        let openings: Set = ["What", "Whether", "Which", "Who", "Whose", "Where", "How", "Why", "Those", "Of"]
        var comments = 0
        for file in try Self.files(at: folder, ["swift", "c", "h"]) {
            var before: Substring = ""
            for line in try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            {
                let line = line.drop(while: \.isWhitespace)
                defer { before = line }
                guard line.hasPrefix("//"), !before.hasPrefix("//") else { continue }
                comments += 1
                let opening = line.drop { "/ ".contains($0) }.prefix(while: \.isLetter)
                #expect(!openings.contains(String(opening)), "\(file.path): \(line)")
            }
        }
        #expect(comments > 5)
    }

    @Test("Messages of sources use none of the phrases", arguments: messages)
    func strings(folder: String) throws {
        for file in try Self.files(at: folder, ["swift"]) {
            let text = try String(contentsOf: file, encoding: .utf8)
            let code = text.split(separator: "\n").filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }
            let strings = code.flatMap { $0.matches(of: /"((?:[^"\\]|\\.)*)"/).map { String($0.output.1) } }
            let found = Self.found(in: strings.joined(separator: " | "))
            #expect(found.isEmpty, "\(file.path): \(found)")
        }
    }

    @Test("The terms that iOS developers search for are in the help and in the rules")
    func searchTerms() throws {
        let help = try sandboxlint(["--help"]).text
        let rule = try sandboxlint(["explain", "regenerable-in-documents"]).text
        for term in ["excluded from backup", "isExcludedFromBackup", "iOS Data Storage Guidelines"] {
            #expect(help.replacing("\n", with: " ").contains(term), "\(term)")
        }
        for term in ["excluded from backup", "iOS Data Storage Guidelines", "App Review", "re-downloadable"] {
            let plain = rule.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(plain.contains(term), "\(term): \(rule)")
        }
    }

    @Test("A phrase is found across lines and in any letter case, and standard text passes")
    func detection() {
        #expect(Self.found(in: "Data that can be\n    had again").count == 2)
        #expect(Self.found(in: "HEED NO configuration file.").count == 1)
        #expect(Self.found(in: "re-downloadable data in Documents is included in every backup").isEmpty)
        #expect(Set(Self.phrases).count == Self.phrases.count && Self.phrases.allSatisfy { $0 == $0.lowercased() })
    }
}
