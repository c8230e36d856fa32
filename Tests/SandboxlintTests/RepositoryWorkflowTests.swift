import Foundation
import TestSupport
import Testing

@Suite("The workflows of this repository", .timeLimit(.minutes(60))) struct RepositoryWorkflowTests {
    /// A workflow in .github/workflows.
    struct Source: Sendable, CustomStringConvertible {
        let name: String
        let text: String
        /// The number of jobs.
        let jobs: Int
        /// An expression, and one that actionlint must report in its place.
        let mistake: (right: String, wrong: String, message: String)

        var description: String { name }
    }

    static let sources: [Source] = [
        ("ci.yml", 5, "matrix.scheme", "matrix.product", "\"product\" is not defined"),
        ("release.yml", 2, "matrix.runner", "matrix.machine", "\"machine\" is not defined"),
    ].map { name, jobs, right, wrong, message in
        let url = DocumentationPage.root.appending(path: ".github/workflows/\(name)")
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return Source(name: name, text: text, jobs: jobs, mistake: (right, wrong, message))
    }

    /// Runs actionlint on a workflow.
    private func check(_ workflow: String) throws -> Command {
        try withScratch { folder throws in
            let directory = folder.appending(path: ".github/workflows")
            for url in [folder.appending(path: ".git"), directory] {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            }
            try Data(workflow.utf8).write(to: directory.appending(path: "workflow.yml"))
            return try Command(Command.installed("actionlint"), ["-no-color"], in: folder)
        }
    }

    @Test("Every workflow is tested")
    func all() throws {
        let folder = DocumentationPage.root.appending(path: ".github/workflows")
        #expect(try names(in: folder) == Self.sources.map(\.name))
    }

    @Test(
        "actionlint reports nothing, and finds a matrix value that does not exist", .needs(.externalProgram),
        arguments: sources)
    func valid(source: Source) throws {
        let run = try check(source.text)
        #expect(run.code == 0, "\(run.text)\(run.errors)")
        let wrong = try check(
            source.text.replacing("${{ \(source.mistake.right) }}", with: "${{ \(source.mistake.wrong) }}"))
        #expect(wrong.code == 1 && wrong.text.contains(source.mistake.message), "\(wrong.text)\(wrong.errors)")
    }

    @Test("actionlint reports nothing for the example that merges reports", .needs(.externalProgram))
    func example() throws {
        let url = DocumentationPage.root.appending(path: "Examples/.github/workflows/fleet.yml")
        let run = try check(try String(contentsOf: url, encoding: .utf8))
        #expect(run.code == 0, "\(run.text)\(run.errors)")
    }

    @Test("Each job has a time limit, actions have versions, and the token can only read", arguments: sources)
    func limits(source: Source) {
        let text = source.text
        let jobs = text.matches(of: /\n    runs-on:/).count
        #expect(jobs == source.jobs && text.matches(of: /\n    timeout-minutes: \d+\n/).count == jobs)
        let actions = text.matches(of: /uses: (.+)/).map { String($0.1) }
        #expect(!actions.isEmpty && text.contains("\npermissions:\n  contents: read\n"))
        if source.name == "release.yml" {
            // A tag can be moved to another commit. What a release runs is pinned, and one job writes, without a checkout.
            #expect(actions.allSatisfy { $0.contains(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/) }, "\(actions)")
            let publish = text.components(separatedBy: "\n  publish:\n")
            #expect(publish.count == 2 && !publish[0].contains(": write"))
            #expect(publish[1].matches(of: /: write/).count == 1 && publish[1].contains("      contents: write\n"))
            #expect(!publish[1].contains("actions/checkout") && !publish[1].contains("scripts/"))
        } else {
            #expect(actions.allSatisfy { $0.contains(/@v\d+$/) }, "\(actions)")
            #expect(text.matches(of: /permissions:/).count == 1)
            // A failure on a system that nobody has at hand must be readable afterwards.
            let uploads = text.matches(of: /- if: failure\(\)\n +uses: actions\/upload-artifact@v6\n/).count
            #expect(uploads == jobs)
        }
    }

    @Test("Each script and each target of make that it runs exists, and Swift gets the traits", arguments: sources)
    func commands(source: Source) throws {
        let (root, text) = (DocumentationPage.root, source.text)
        let makefile = try String(contentsOf: root.appending(path: "Makefile"), encoding: .utf8)
        let targets = text.matches(of: /(?:run: |keep-log [\w-]+ )make ([\w-]+)/).map { String($0.1) }
        #expect(!targets.isEmpty)
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
