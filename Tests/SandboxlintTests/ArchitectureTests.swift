import Foundation
import TestSupport
import Testing

@Suite("ARCHITECTURE.md and docs/architecture") struct ArchitectureTests {
    private static let subsystems = DocumentationPage.pages(in: "docs/architecture")
    private static let pages = [DocumentationPage("ARCHITECTURE.md")] + subsystems
    /// Types and modules of the system that the pages mention, and the target whose sources are in `rules`.
    private static let others: Set = [
        "Mutex", "NSKeyedArchiver", "NSKeyedUnarchiver", "NSSecureCoding", "Observable", "OperationQueue",
        "PolicyRules", "Process", "Synchronization", "UInt128", "UserDefaults",
    ]
    private static let sources = Result { try SourceNames() }

    /// The names that the sources of the package declare.
    private struct SourceNames {
        private static let typeKeywords: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias"]
        private static let memberKeywords: Set<Substring> = ["func", "var", "let", "case"]
        /// Types, folders and targets.
        var types = ArchitectureTests.others
        /// Functions, properties and cases.
        var members: Set<String> = []

        init() throws {
            for folder in ["Sources", "Plugins", "Tests"] {
                let root = DocumentationPage.root.appending(path: folder)
                let all = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
                for case let url as URL in all {
                    guard url.pathExtension == "swift" else {
                        if folder != "Tests" { types.insert(url.lastPathComponent) }
                        continue
                    }
                    let text = try String(contentsOf: url, encoding: .utf8)
                    var previous = Substring()
                    // Much faster than a regular expression.
                    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "(" || $0 == "`" }) {
                        let isType = Self.typeKeywords.contains(previous)
                        if isType || Self.memberKeywords.contains(previous) {
                            let name = String(word.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
                            // The pages name only suites of the tests.
                            if folder == "Tests" {
                                if isType && name.hasSuffix("Tests") { types.insert(name) }
                            } else if isType {
                                types.insert(name)
                            } else {
                                members.insert(name)
                            }
                        }
                        previous = word
                    }
                }
            }
        }

        /// Returns true if a name such as `Container.lock` exists.
        func contains(_ name: String) -> Bool {
            let parts = name.split(separator: ".").map(String.init)
            return types.contains(parts[0]) && parts.dropFirst().allSatisfy { types.union(members).contains($0) }
        }
    }

    /// The code spans of a page that look like a Swift type, or like a type and a member.
    private static func types(in page: DocumentationPage) -> [String] {
        page.prose.joined(separator: "\n").matches(of: /`([A-Z]\w*[a-z]\w*(?:\.[a-zA-Z]\w*)*)`/).map { String($0.1) }
            .filter { !["db", "plist", "md", "swift", "docc", "xcprivacy"].contains($0.split(separator: ".").last) }
            .filter { !["Documents", "Library"].contains($0) }
    }

    @Test("The engine of the linter names no condition, so that a new one needs no change of the engine")
    func engine() throws {
        let folder = DocumentationPage.root.appending(path: "Sources/StoragePolicy/Lint")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count > 10)
        for file in files {
            let words = try String(contentsOf: file, encoding: .utf8).split { !$0.isLetter }
            #expect(!words.contains { $0.hasSuffix("Predicate") && $0 != "Predicate" }, "\(file.lastPathComponent)")
        }
    }

    @Test(
        "No target has a large cycle of files, or folders that refer to each other", .needs(.externalProgram),
        arguments: [["--self-test"], []])
    func layers(arguments: [String]) throws {
        let script = DocumentationPage.root.appending(path: "scripts/check-layers").path
        let run = try Command("python3", [script] + arguments)
        #expect(run.code == 0, "\(run.text)\(run.errors)")
    }

    @Test("Every type that a page names is declared in the sources", arguments: pages)
    func names(page: DocumentationPage) throws {
        let sources = try Self.sources.get()
        #expect(sources.types.count > 500)
        let unknown = Self.types(in: page).filter { !sources.contains($0) }
        #expect(unknown.isEmpty, "\(page): \(unknown)")
    }

    @Test("A name that the sources do not declare is found, and file names are not types")
    func detection() throws {
        let sources = try Self.sources.get()
        let text = "`AbsentType`, `Container`, `Container.absentMember`, `Info.plist`, `SIGINT`, `gone`"
        let page = DocumentationPage("a.md", text: text)
        #expect(Self.types(in: page) == ["AbsentType", "Container", "Container.absentMember"])
        #expect(Self.types(in: page).map(sources.contains) == [false, true, false])
    }

    @Test("ARCHITECTURE.md has at most 170 lines and links to every page of a subsystem")
    func overview() {
        let text = Self.pages[0].text
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 171)
        #expect(Self.subsystems.count > 10)
        for page in Self.subsystems { #expect(text.contains("(\(page.path))"), "\(page)") }
    }
}
