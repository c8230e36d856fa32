import AppContainer
import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Declarations of a project") struct DeclarationTests {
    private func lint(_ container: Container, _ configuration: String = "{}") throws -> LintReport {
        let configuration = try Configuration(file: ".sandboxlint.yml", text: configuration)
        return try Linter(catalogue: .embedded(), configuration: configuration, now: ExampleRun.now, threads: 2)
            .lint(container)
    }

    private func withFaults(_ body: (Container) throws -> Void) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let downloaded = Provenance(.downloaded)
            for path in ["packs/a.bin", "packs/deep/b.bin", "other/c.bin"] {
                try container.save(
                    Data([1]), to: .documents / path, options: .init(durability: .none, provenance: downloaded))
            }
            try body(container)
        }
    }

    @Test(
        "No rule examines ignored paths, however the glob is written",
        arguments: [
            ("Documents/packs/**", ["Documents/other/c.bin"]),
            ("Documents/*/*.bin", ["Documents/packs/deep/b.bin"]),
            ("**/*.bin", []), ("**", []),
            ("Documents/packs", ["Documents/other/c.bin", "Documents/packs/a.bin", "Documents/packs/deep/b.bin"]),
        ])
    func ignored(glob: String, left: [String]) throws {
        try withFaults { container throws in
            #expect(paths(try lint(container), of: 1).count == 3)
            #expect(paths(try lint(container, "ignore: ['\(glob)']"), of: 1) == left)
        }
    }

    private func paths(_ report: LintReport, of rule: Int) -> [String] {
        report.findings.filter { $0.rule.number == rule }.map(\.displayPath).sorted()
    }

    @Test("What is ignored is still counted in the sums of the container")
    func counted() throws {
        try withFaults { container throws in
            let all = try lint(container)
            let some = try lint(container, "ignore: ['**']")
            #expect(some.findings.isEmpty)
            #expect(some.items == all.items && some.bytes == all.bytes && some.backedUpBytes == all.backedUpBytes)
        }
    }

    @Test("A file that is declared must-exclude is reported once, as an error, also if its siblings are excluded")
    func onceOnly() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            for number in 0..<6 {
                try container.save(Data([1]), to: .documents / "\(number).pack", options: .init(durability: .none))
                if number > 0 { try container.excludeFromBackup(.documents / "\(number).pack") }
            }
            let declared = try lint(container, "must-exclude: ['Documents/*.pack']").findings
                .filter { $0.rule.number == 5 }
            #expect(declared.map(\.displayPath) == ["Documents/0.pack"] && declared.map(\.severity) == [.error])
            let seen = try lint(container).findings.filter { $0.rule.number == 5 }
            #expect(seen.map(\.displayPath) == ["Documents/0.pack"] && seen.map(\.severity) == [.warning])
            #expect(seen.first?.message.contains("5 of 6 similar files here are excluded") == true)
        }
    }

    @Test("If more than a few files are not excluded like their siblings, they are one finding")
    func manyWithoutFlag() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            for number in 0..<100 {
                try container.save(
                    Data(count: number), to: .documents / "\(number).pack", options: .init(durability: .none))
                if number >= 20 { try container.excludeFromBackup(.documents / "\(number).pack") }
            }
            let finding = try #require(try lint(container).findings.first { $0.rule.number == 5 })
            #expect(finding.displayPath == "Documents" && finding.items == 20 && finding.bytes == 190)
            #expect(finding.largest == nil)
        }
    }
}
