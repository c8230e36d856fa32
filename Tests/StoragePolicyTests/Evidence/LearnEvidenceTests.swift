import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("scripts/learn-evidence") struct LearnEvidenceTests {
    private static let root = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardized

    @Test(
        "It only writes fitted weights, and refuses to reverse a reviewed direction or to change anything else",
        .needs(.externalProgram))
    func writing() throws {
        let script = Self.root.appending(path: "scripts/learn-evidence").path
        let run = try Command(Command.python(), [script, "--check-writing"])
        #expect(run.code == 0 && run.text == "reviewed directions and priors are kept\n", "\(run.errors)")
    }

    @Test("Without the layouts it fails and reports the missing files", .needs(.externalProgram))
    func missing() throws {
        try withScratch { folder throws in
            let script = Self.root.appending(path: "scripts/learn-evidence").path
            let run = try Command(Command.python(), [script, "evidence-trial", folder.path, "--write"])
            #expect(run.code == 1 && run.errors.contains("layouts.json.xz is missing"), "\(run.errors)")
            let learn = try Command(Self.root.appending(path: "scripts/learn").path, [folder.path])
            #expect(learn.code == 1 && learn.errors.contains("is missing; give the folder of layouts and labels"))
        }
    }

    @Test(
        "The pages contain each of the markers for its tables once",
        arguments: [
            ("PRECISION.md", ["scores", "evidence"]), ("EVIDENCE.md", ["calibration", "curve"]),
        ])
    func marks(page: String, names: [String]) throws {
        let text = try String(contentsOf: Self.root.appending(path: "rules/\(page)"), encoding: .utf8)
        for name in names {
            for mark in ["<!-- learned: \(name) -->", "<!-- end: \(name) -->"] {
                #expect(text.components(separatedBy: mark).count == 2, "\(mark)")
            }
        }
    }
}
