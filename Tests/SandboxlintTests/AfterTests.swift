import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint lint --after", .timeLimit(.minutes(60))) struct AfterTests {
    private static let identifier = "0E51B748-1CAE-4B41-9D42-6AA70BBCFAD9"

    /// Runs the body with a container whose preferences contain the absolute path of a document.
    private func withApp(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            let path = FilePath(folder.path).appending(Self.identifier)
            let container = try Container.create(at: path, bundleIdentifier: "com.example.app")
            try container.save("Dear reader", to: .documents / "first.txt")
            try container.save(
                "png", to: ContainerPath("Library/Caches/cover.png"), options: .init(provenance: Provenance(.user)))
            let phone = "/var/mobile/Containers/Data/Application/\(Self.identifier)/Documents/first.txt"
            try container.save(
                """
                <?xml version="1.0"?><plist version="1.0"><dict><key>recent</key><array><string>\(phone)</string></array>
                </dict></plist>
                """, to: ContainerPath("Library/Preferences/com.example.app.plist"))
            try FileManager.default.linkItem(
                atPath: path.appending("Documents/first.txt").string,
                toPath: path.appending("Documents/second.txt").string)
            try body(folder)
        }
    }

    @Test("An app that stores absolute paths fails after an update, and the text names the list and the key")
    func text() throws {
        try withApp { folder throws in
            let run = try sandboxlint("lint", Self.identifier, "--isolated", "--after", "update", in: folder)
            #expect(run.code == 1)
            #expect(
                run.text.contains(
                    "error[stored-path-dangles]: after an update: “com.example.app.plist” contains the absolute path of "
                        + "“Documents/first.txt” under /recent/0, which is invalid"), "\(run.text)")
            let without = try sandboxlint("lint", Self.identifier, "--isolated", in: folder)
            #expect(!without.text.contains("stored-path-dangles") && !without.text.contains("after an update"))
        }
    }

    @Test("JSON has the event and the key, SARIF a code flow from the event to the item, and each format the message")
    func formats() throws {
        try withApp { folder throws in
            func report(_ format: String) throws -> String {
                let words = ["lint", Self.identifier, "--isolated", "--after", "purge,update", "--format", format]
                return try sandboxlint(words, in: folder).text
            }
            struct Report: Decodable {
                struct Finding: Decodable {
                    let rule: String
                    let after: String?
                    let pointer: String?
                    let path: String
                }
                let findings: [Finding]
            }
            let json = try JSONDecoder().decode(Report.self, from: Data(try report("json").utf8))
            let found = json.findings.filter { $0.after != nil }.map {
                "\($0.rule) \($0.after ?? "") \($0.path) \($0.pointer ?? "-")"
            }
            #expect(
                found.sorted() == [
                    "stored-path-dangles update Library/Preferences/com.example.app.plist /recent/0",
                    "user-data-purged purge Library/Caches/cover.png -",
                ])
            let sarif = try JSONDecoder().decode(SARIF.self, from: Data(try report("sarif").utf8))
            let flows = sarif.runs.flatMap(\.results).filter { $0.codeFlows != nil }
            #expect(flows.map(\.ruleId) == ["user-data-purged", "stored-path-dangles"])
            let steps = flows.last?.codeFlows?.flatMap(\.threadFlows).flatMap(\.locations) ?? []
            #expect(
                steps.map(\.location.message.text) == [
                    "event: update", "item: Library/Preferences/com.example.app.plist",
                ])
            for format in ["compact", "markdown", "github", "gitlab", "junit", "checkstyle", "csv", "jsonl"] {
                let text = try report(format)
                #expect(text.contains("after an update") && text.contains("after a purge"), "\(format): \(text)")
            }
        }
    }

    /// The parts of a SARIF log that describe code flows.
    private struct SARIF: Decodable {
        struct Run: Decodable { let results: [Result] }
        struct Result: Decodable {
            let ruleId: String
            let codeFlows: [CodeFlow]?
        }
        struct CodeFlow: Decodable { let threadFlows: [ThreadFlow] }
        struct ThreadFlow: Decodable { let locations: [Step] }
        struct Step: Decodable { let location: Location }
        struct Location: Decodable { let message: Message }
        struct Message: Decodable { let text: String }
        let runs: [Run]
    }

    @Test(
        "Nothing on disk changes: status, access times, change times and link counts are as before",
        .needs(.externalProgram), .enabled(if: Platform.isLinux, "compares with GNU find"))
    func readOnly() throws {
        try withApp { folder throws in
            let script = "touch -a -d 2001-01-01 $(find \(Self.identifier) -type f)"
            try Command.setUp("sh", ["-c", script], in: folder)
            func listed() throws -> String {
                let list = "find \(Self.identifier) -printf '%p %i %m %n %U %G %s %A@ %C@ %T@ %l\\n' | sort"
                return try Command("sh", ["-c", list], in: folder).text + AttributeTool.listing(below: folder)
            }
            let before = try listed()
            let all = "purge,update,offload,restore,transfer"
            let run = try sandboxlint("lint", Self.identifier, "--isolated", "--after", all, in: folder)
            #expect(run.code == 1 && run.text.contains("after a purge"))
            #expect(try listed() == before)
        }
    }

    @Test("An unknown event is a usage error that lists the events", arguments: ["upgrade", "", "purge,", "Purge"])
    func unknown(events: String) throws {
        try withApp { folder throws in
            let run = try sandboxlint("lint", Self.identifier, "--after", events, in: folder)
            #expect(run.code == 2 && run.text.isEmpty)
            #expect(run.errors.contains("purge, update, offload, restore, transfer"), "\(run.errors)")
        }
    }

    @Test("Equal runs have equal reports, whatever the number of threads")
    func deterministic() throws {
        try withApp { folder throws in
            func report(_ threads: String) throws -> String {
                try sandboxlint(
                    "lint", Self.identifier, "--isolated", "--after", "purge,restore", "-j", threads, "--format",
                    "json",
                    in: folder
                ).text
            }
            let first = try report("1")
            #expect(try report("4") == first && report("1") == first)
        }
    }
}
