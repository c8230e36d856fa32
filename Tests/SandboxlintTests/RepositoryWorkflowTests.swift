import Foundation
import TestSupport
import Testing

@Suite("The workflow of this repository", .timeLimit(.minutes(60))) struct RepositoryWorkflowTests {
    private let text: String

    init() throws {
        text = try String(
            contentsOf: DocumentationPage.root.appending(path: ".github/workflows/ci.yml"), encoding: .utf8)
    }

    /// Runs actionlint on a workflow.
    private func check(_ workflow: String) throws -> Command {
        try withScratch { folder throws in
            let directory = folder.appending(path: ".github/workflows")
            for url in [folder.appending(path: ".git"), directory] {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            }
            try Data(workflow.utf8).write(to: directory.appending(path: "ci.yml"))
            return try Command(Command.installed("actionlint"), ["-no-color"], in: folder)
        }
    }

    @Test("actionlint reports nothing, and finds a matrix value that does not exist")
    func valid() throws {
        let run = try check(text)
        #expect(run.code == 0, "\(run.text)\(run.errors)")
        let wrong = try check(text.replacing("${{ matrix.scheme }}", with: "${{ matrix.product }}"))
        #expect(wrong.code == 1 && wrong.text.contains("\"product\" is not defined"), "\(wrong.text)\(wrong.errors)")
    }

    @Test("actionlint reports nothing for the example that merges reports")
    func example() throws {
        let url = DocumentationPage.root.appending(path: "Examples/.github/workflows/fleet.yml")
        let run = try check(try String(contentsOf: url, encoding: .utf8))
        #expect(run.code == 0, "\(run.text)\(run.errors)")
    }

    @Test("Each job has a time limit, actions have versions, and the token can only read")
    func limits() {
        let jobs = text.matches(of: /\n    runs-on:/).count
        #expect(jobs == 4 && text.matches(of: /\n    timeout-minutes: \d+\n/).count == jobs)
        let actions = text.matches(of: /uses: (\S+)/).map { String($0.1) }
        #expect(!actions.isEmpty && actions.allSatisfy { $0.contains(/@v\d+$/) }, "\(actions)")
        #expect(text.contains("\npermissions:\n  contents: read\n") && text.matches(of: /permissions:/).count == 1)
    }

    @Test("Each script and each target of make that it runs exists, and Swift gets the traits")
    func commands() throws {
        let root = DocumentationPage.root
        let makefile = try String(contentsOf: root.appending(path: "Makefile"), encoding: .utf8)
        let targets = text.matches(of: /run: make ([\w-]+)/).map { String($0.1) }
        #expect(targets.count >= 4)
        for target in targets { #expect(makefile.contains("\n\(target):"), "\(target)") }
        let scripts = text.matches(of: /scripts\/[\w-]+/).map { String($0.0) }
        #expect(scripts.count >= 3)
        for script in scripts {
            #expect(FileManager.default.isExecutableFile(atPath: root.appending(path: script).path), "\(script)")
        }
        for line in text.split(separator: "\n") where line.contains(/swift (build|test)/) {
            #expect(line.contains("--traits Tools"), "\(line)")
        }
    }
}
