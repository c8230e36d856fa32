import Foundation
import TestSupport
import Testing

/// Runs pre-commit from PyPI in a test repository, with a clone of this repository for the hook.
@Suite("The pre-commit hook", .needs(.externalProgram)) struct PreCommitTests {
    private func run(
        _ checkout: Workflow.Checkout, in folder: URL, arguments: String, environment: [String: String]
    ) throws -> Command {
        let revision = try Command("git", ["rev-parse", "HEAD"], in: checkout.folder).text.dropLast()
        let shown = try String(
            contentsOf: Workflow.root.appending(path: "Examples/.pre-commit-config.yaml"), encoding: .utf8)
        #expect(shown.contains("args: [build/container, --fail-on, warning]"))
        let own = shown.replacing(try ProjectAddress().shown, with: checkout.folder.path)
            .replacing("rev: 0.1.0", with: "rev: \(revision)")
            .replacing("[build/container, --fail-on, warning]", with: arguments)
        let repository = folder.appending(path: "app")
        try FileManager.default.createDirectory(at: repository, withIntermediateDirectories: true)
        try Data(own.utf8).write(to: repository.appending(path: ".pre-commit-config.yaml"))
        _ = try Command("git", ["init", "-q"], in: repository)
        _ = try Command("git", ["add", "-A"], in: repository)
        // No network is used: git only accepts local repositories, and pip installs nothing.
        let offline = [
            "PRE_COMMIT_HOME": folder.appending(path: "pre-commit").path, "GIT_ALLOW_PROTOCOL": "file",
            "PIP_NO_INDEX": "1",
        ]
        return try Command(
            Command.installed("pre-commit"), ["run", "--color", "never"], in: repository,
            environment: offline.merging(environment) { $1 })
    }

    @Test("It fails for a container with findings, with the linter's output and exit code, and passes a clean one")
    func flags() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let checkout = try Workflow.checkout(in: folder)
            let environment = checkout.environment.merging(["SANDBOXLINT": Command.sandboxlint]) { $1 }
            let bad = try run(checkout, in: folder, arguments: "['\(path)']", environment: environment)
            #expect(bad.code == 1, "\(bad.text)\(bad.errors)")
            #expect(bad.text.contains("- exit code: 1\n") && bad.text.contains("error[regenerable-in-documents]"))
            let good = try run(checkout, in: folder, arguments: "['\(path)', --select, '8']", environment: environment)
            #expect(good.code == 0 && good.text.hasSuffix("Passed\n"), "\(good.text)\(good.errors)")
            let missing = try run(checkout, in: folder, arguments: "[]", environment: environment)
            #expect(missing.code == 1 && missing.text.contains("- exit code: 2\n"), "\(missing.text)")
            #expect(try checkout.builds() == 0)
        }
    }

    @Test("Without a linter it builds one, once, also during a commit, when git variables refer to another repository")
    func builds() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let checkout = try Workflow.checkout(in: folder)
            let environment = checkout.environment.merging(["SANDBOXLINT": ""]) { $1 }
            for _ in 0..<2 {
                let run = try run(checkout, in: folder, arguments: "['\(path)']", environment: environment)
                #expect(
                    run.code == 1 && run.text.contains("error[regenerable-in-documents]"), "\(run.text)\(run.errors)")
            }
            #expect(try checkout.builds() == 1)
            let script = checkout.folder.appending(path: "scripts/lint-before-commit").path
            let environmentOfCommit = environment.merging(["GIT_DIR": folder.appending(path: "app/.git").path]) { $1 }
            let direct = try Command(script, [path], in: folder, environment: environmentOfCommit)
            #expect(direct.code == 1 && direct.text.contains("error[regenerable-in-documents]"), "\(direct.errors)")
            #expect(try checkout.builds() == 2)
        }
    }
}
