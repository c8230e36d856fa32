import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Hostile listings of restic and borg", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct EngineListingTests {
    /// Paths that no tool lists for a container, with the form in a report.
    private static let hostile: [(path: String, shown: String)] = [
        ("Documents/new\nline", "Documents/new%0Aline"), ("../../etc/passwd", "../../etc/passwd"),
        ("/etc/passwd", "/etc/passwd"), ("Documents/\u{1b}[31mred\u{7}", "Documents/%1B[31mred%07"),
        ("Documents/\u{202e}txt", "Documents/%E2%80%AEtxt"), ("Documents/nul\u{0}", "Documents/nul%00"),
        ("Documents/./letter.txt", "Documents/./letter.txt"), ("Documents/letter.txt", "Documents/letter.txt"),
        ("Documents/" + String(repeating: "n", count: 300_000), "Documents/" + String(repeating: "n", count: 300_000)),
    ]

    /// Installs a stand-in that appends lines to the tool's listing.
    private func append(_ lines: [Data], to sample: EngineSample) throws {
        let text = Data(lines.flatMap { $0 + [UInt8(ascii: "\n")] })
        try text.write(to: sample.folder.appending(path: "more"))
        try sample.stand(
            in: #"""
                "$REAL" "$@" || exit
                case "$*" in ls\ * | *--json-lines*) cat "${0%/*}/../more" ;; esac
                """#)
    }

    private func line(_ path: String, of tool: String) throws -> Data {
        let item: [String: Any] =
            tool == "restic"
            ? [
                "struct_type": "node", "path": "/" + path, "type": "file", "mode": 420, "size": 1,
                "mtime": "2026-01-01T00:00:00Z",
            ]
            : ["type": "-", "mode": "-rw-r--r--", "path": path, "size": 1, "mtime": "2026-01-01T00:00:00.000000"]
        return try JSONSerialization.data(withJSONObject: item)
    }

    @Test("Each name that was not planned is reported on one line, escaped", arguments: EngineToolTests.tools)
    func names(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            // Without the items that only some versions of the tools store exactly.
            try sample.shell("rm container/Documents/nothing")
            try append(Self.hostile.map { try line($0.path, of: tool) }, to: sample)
            let run = try sample.create()
            #expect(run.code == 3, "\(run.text.prefix(2_000)) \(run.errors)")
            let lines = Set(run.text.split(separator: "\n").map(String.init))
            for (_, shown) in Self.hostile {
                #expect(lines.contains("  stored-and-not-planned: \(shown)"), "\(shown.prefix(40))")
            }
            #expect(lines.count(where: { $0.contains("stored-and-not-planned") }) == Self.hostile.count)
            let report = try EngineReport(sample.create("--format", "json"))
            #expect(Set(report.lines) == Set(Self.hostile.map { "stored-and-not-planned: \($0.shown)" }))
            #expect(!report.complete)
        }
    }

    @Test(
        "A line that is not valid ends the run with an error, and leaves no snapshot",
        arguments: EngineToolTests.tools,
        [
            #"{"path": "/Documents/"#, "[]", #"{"struct_type": "node", "type": "file"}"#,
            #"{"struct_type": "node", "path": "/a", "type": "-", "mode": -1, "size": -1, "mtime": ""}"#,
        ])
    func invalid(tool: String, text: String) throws {
        try withEngineSample(tool) { sample throws in
            for bytes in [Data(text.utf8), Data(text.utf8) + [0xff, 0xfe]] {
                try append([bytes], to: sample)
                let run = try sample.create()
                #expect(run.code == 1 && run.errors.contains("\(tool)'s listing of "), "\(run.text)\(run.errors)")
                #expect(try sample.snapshots() == [])
            }
        }
    }

    @Test("Hostile owners in the list of snapshots are escaped, and an identifier is never an option")
    func owners() throws {
        try withEngineSample("restic") { sample throws in
            let records = ["--target=elsewhere", "0123456789abcdef"].map { id in
                [
                    "id": id, "time": "2026-01-01T00:00:00Z", "hostname": "../ev\u{1b}[31m\nil",
                    "tags": ["sandboxbackup:container", "run:1"],
                ] as [String: Any]
            }
            try JSONSerialization.data(withJSONObject: records).write(to: sample.folder.appending(path: "records"))
            try sample.stand(
                in: #"""
                    case "$1" in
                    snapshots) cat "${0%/*}/../records" ;;
                    restore) mkdir Documents; echo kept > Documents/a; mkfifo Documents/pipe; ln -s /etc Documents/link ;;
                    *) exec "$REAL" "$@" ;;
                    esac
                    """#)
            let source = ["--engine", "restic", "--repository", sample.repository]
            func run(_ words: String...) throws -> Command {
                try sandboxbackup(words + source, in: sample.folder, environment: sample.environment)
            }
            let listed = try run("snapshots")
            let lines = listed.text.split(separator: "\n")
            #expect(lines.count == 1 && lines[0].hasPrefix("0123456789abcdef  "), "\(listed.text)\(listed.errors)")
            #expect(!listed.text.contains("\u{1b}"))
            let restored = try run("restore", "latest", "--to", "out")
            #expect(
                restored.code == 3 && restored.text.hasSuffix("  special-node: Documents/pipe\n"), "\(restored.text)")
            let out = sample.folder.appending(path: "out/Documents")
            #expect(try String(contentsOf: out.appending(path: "a"), encoding: .utf8) == "kept\n")
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: out.path + "/link") == "/etc")
            let app = try run("restore", "latest", "--as-ios", "--to", "device")
            #expect(app.code != 0 && app.errors.contains("is not a bundle identifier"), "\(app.errors)")
        }
    }
}
