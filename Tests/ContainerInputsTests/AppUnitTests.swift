import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("The containers of an app in one run", .timeLimit(.minutes(60))) struct AppUnitTests {
    /// Writes re-downloadable content of so many bytes.
    private func download(_ bytes: Int, to path: ContainerPath, in container: Container) throws {
        let url = try #require(URL(string: "https://example.com/a.bin"))
        try container.save(
            Data((0..<bytes).map { UInt8(truncatingIfNeeded: $0) }), to: path,
            options: .init(durability: .none, provenance: .downloaded(from: url)))
    }

    private func budgets(_ report: Report) -> [String] {
        report.findings.filter { $0.rule == "regenerable-budget" }.map { "\($0.input) \($0.path)" }
    }

    @Test("A budget applies to all containers of an app together, and the evidence states the share of each")
    func budget() throws {
        try withInputScene { scene throws in
            let app = try scene.make("all/app", "com.example.reader")
            let group = try scene.make("all/group", "group.com.example.reader")
            try download(1_500_000, to: .documents / "a/big.bin", in: app)
            try download(1_500_000, to: .documents / "b/big.bin", in: group)
            #expect(try budgets(scene.report("all/app")).isEmpty && budgets(scene.report("all/group")).isEmpty)
            // Separate inputs are separate apps.
            #expect(try budgets(scene.report("all/app", "all/group")).isEmpty)
            let together = try scene.report("all")
            #expect(
                budgets(together).count == 1 && budgets(together).first?.hasPrefix("0 ") == true, "\(together.lines)")
            let text = String(decoding: together.run.output, as: UTF8.self)
            #expect(text.contains("com.example.reader: 1.5 MB, group.com.example.reader: 1.5 MB"), "\(text)")

            // If one container exceeds the budget alone, the finding is the same problem.
            try download(3_000_000, to: .documents / "c/big.bin", in: app)
            let alone = try scene.report("all/app").findings.filter { $0.rule == "regenerable-budget" }
            let both = try scene.report("all").findings.filter { $0.rule == "regenerable-budget" }
            #expect(alone.count == 1 && alone.map(\.fingerprint) == both.map(\.fingerprint))
        }
    }

    @Test("Two apps have separate budgets")
    func separate() throws {
        try withInputScene { scene throws in
            for identifier in ["com.example.a", "org.example.b"] {
                let container = try scene.make("all/\(identifier)", identifier)
                try download(1_500_000, to: .documents / "a/big.bin", in: container)
            }
            #expect(try budgets(scene.report("all")).isEmpty)
        }
    }

    @Test("Findings of a container found in a directory have the fingerprints of the container itself")
    func sameFingerprints() throws {
        try withInputScene { scene throws in
            try scene.make("all/x/app", "com.example.reader")
            try scene.make("all/y/notes", "org.example.notes")
            let together = try scene.report("all").fingerprints
            let separate = try ["all/x/app", "all/y/notes"].map { try scene.report($0).fingerprints }
            #expect(together == separate[0].union(separate[1]) && !together.isEmpty)
        }
    }

    @Test("Containers with one identifier have distinct fingerprints, locations and baseline entries, in any format")
    func collisions() throws {
        try withInputScene { scene throws in
            try scene.make("all/one/app", "com.example.reader")
            try scene.make("all/two/app", "com.example.reader")
            for inputs in [["all"], ["all/one/app", "all/two/app"]] {
                func run(_ command: [String], _ format: String) throws -> Command {
                    try sandboxlint(
                        command + inputs + ["--now", "2026-01-01"] + (format.isEmpty ? [] : ["--format", format]),
                        in: scene.folder)
                }
                let report = try Report(try run(["lint"], "json"))
                #expect(report.fingerprints.count == report.findings.count && report.findings.count >= 2)
                let sarif = try run(["lint"], "sarif").text
                let uris = Set(sarif.matches(of: /"uri": ?"([^"]*a\.jpg)"/).map { String($0.1) })
                #expect(uris.count == 2, "\(uris)")
                let github = try run(["lint"], "github").text.split(separator: "\n").filter { $0.contains("a.jpg") }
                #expect(Set(github).count == github.count && github.count >= 2, "\(github)")
                let baseline = scene.folder.appending(path: "b.txt").path
                #expect(try run(["baseline", "write", "--baseline", baseline], "").code == 0)
                let covered = try sandboxlint(
                    ["lint"] + inputs + ["--now", "2026-01-01", "--baseline", baseline],
                    in: scene.folder)
                #expect(covered.code == 0, "\(covered.text)")
                let entries = try String(contentsOfFile: baseline, encoding: .utf8).split(separator: "\n")
                #expect(Set(entries.dropFirst()).count == entries.count - 1 && entries.count >= 3, "\(entries)")
                try FileManager.default.removeItem(atPath: baseline)
            }
        }
    }

    @Test("A report of a directory with one container has the label of the container, and no other run changes")
    func label() throws {
        try withInputScene { scene throws in
            try scene.make("all/app", "com.example.reader")
            let found = try scene.report("all")
            #expect(found.inputs.map { $0["label"] as? String } == ["com.example.reader"])
            let direct = try scene.report("all/app")
            #expect(direct.inputs.map { $0["label"] as? String } == [nil])
            #expect(found.fingerprints == direct.fingerprints && found.lines == direct.lines)
        }
    }

    @Test("A configuration in an input is not used, also if the containers are below it")
    func configuration() throws {
        try withInputScene { scene throws in
            try scene.make("all/app", "com.example.reader")
            for path in ["all/.sandboxlint.yml", "all/app/.sandboxlint.yml"] {
                try "ignore: [\"**\"]\n".write(
                    to: scene.folder.appending(path: path), atomically: false, encoding: .utf8)
            }
            #expect(try !scene.report("all").findings.isEmpty)
            try "bundle-id: com.example.other\n".write(
                to: scene.folder.appending(path: ".sandboxlint.yml"), atomically: false, encoding: .utf8)
            #expect(try scene.report("all").fingerprints == scene.report("all/app", "--isolated").fingerprints)
        }
    }
}
