import Foundation
import TestSupport
import Testing

/// Opens pages of all tools in Chromium, checked by `Tests/Reports/browse-pages` with axe-core. One process of the browser
/// runs all checks.
@Suite(
    "Pages in Chromium", .needs([.externalProgram, .long]), .timeLimit(.minutes(60)),
    .enabled(if: Platform.isLinux, "`make install-test-needs` installs Chromium on Linux only"))
struct BrowserTests {
    private static let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized

    static let checks = [
        "accessibility", "defects-are-found", "no-requests", "hostile", "policy", "areas", "squarify", "keyboard",
        "zoom",
        "link", "filter", "difference", "print", "without-script", "motion-and-width",
    ]

    /// The result of each check: nothing, or the reason for its failure.
    private static let results = Result {
        try withScratch { folder throws in
            try PageContainers.writePages(in: folder)
            let run = try Command(
                Command.python(),
                [root.appending(path: "Tests/Reports/browse-pages").path, folder.appending(path: "pages").path])
            var results: [String: String] = [:]
            for line in run.text.split(separator: "\n") {
                let words = line.split(separator: " ", maxSplits: 2)
                guard words.count > 1 else { continue }
                let name = String(words[1].prefix { $0 != ":" })
                results[name] = words[0] == "ok" ? "" : String(line)
            }
            guard run.code == 0, !results.isEmpty else { throw UnwrittenPage(description: run.errors) }
            return results
        }
    }

    @Test("A page works as its check describes", arguments: checks)
    func check(name: String) throws {
        let result = try #require(Self.results.get()[name], "the check was not run")
        #expect(result == "")
    }

    @Test("Every check of the script is listed here")
    func list() throws {
        #expect(try Set(Self.results.get().keys) == Set(Self.checks))
    }
}
