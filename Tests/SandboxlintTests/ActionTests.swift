import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Runs the steps of the composite action in a workspace, as GitHub's runner does.
@Suite("The GitHub Action", .needs(.externalProgram), .timeLimit(.minutes(60))) struct ActionTests {
    /// A workspace with a container that has a finding, `bad one`, and one that has none, `good`.
    struct Workspace {
        let folder: URL
        let summary: URL
        /// The line that writes the file with the finding.
        private(set) var line = 0

        init(in folder: URL) throws {
            self.folder = folder
            summary = folder.appending(path: "summary.md")
            try Data().write(to: summary)
            // The line of source code that wrote a file is found by the names of the file and the module.
            let sources = folder.appending(path: "app/SandboxlintTests")
            for directory in [folder.appending(path: ".git"), sources] {
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            }
            try Data().write(to: sources.appending(path: "ActionTests.swift"))
            for name in ["bad one", "good"] {
                let container = try Container.create(
                    at: FilePath(folder.appending(path: name).path), bundleIdentifier: "com.example.app")
                let url = try #require(URL(string: "https://example.com/a.jpg"))
                let place: ContainerPath = name == "good" ? .caches / "a.jpg" : .documents / "a.jpg"
                line = #line + 1
                try container.save(Data([0xff, 0xd8]), to: place, options: .init(provenance: .downloaded(from: url)))
            }
        }

        /// The output of the steps, and the outputs of the action.
        func run(
            _ inputs: [String: String], of action: URL? = nil, releases: URL? = nil, comments scene: String? = nil,
            environment: [String: String] = [:]
        ) throws -> (command: Command, outputs: [String: String]) {
            let result = folder.appending(path: "result.json")
            // A folder that does not exist is served as a repository without releases.
            let served = releases ?? folder.appending(path: "releases")
            let words = [
                Workflow.root.appending(path: "Tests/Workflow/with-server").path, served.path, try Command.python(),
                Workflow.root.appending(path: "Tests/Workflow/run-action").path,
                (action ?? Workflow.root).appending(path: "action.yml").path,
                String(decoding: try JSONEncoder().encode(inputs), as: UTF8.self), result.path,
            ]
            let cache = folder.appending(path: "cache")
            try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
            // Each run of a workflow has an empty folder for temporary files.
            let temporary = folder.appending(path: "temporary")
            try? FileManager.default.removeItem(at: temporary)
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
            let known = [
                "RUNNER_TEMP": temporary.path, "GITHUB_STEP_SUMMARY": summary.path, "CACHE_FOLDER": cache.path,
                "ACTION_REPOSITORY": "owner/sandboxlint", "ACTION_REF": "0.1.0",
            ]
            // A stand-in of the API for comments runs around the action.
            let api = try scene.map {
                [
                    Workflow.root.appending(path: "Tests/Workflow/comment-api").path, $0, "comments.json", "requests",
                    try Command.python(),
                ]
            }
            let command = try Command(
                Command.python(), (api ?? []) + words, in: folder, environment: known.merging(environment) { $1 })
            let outputs = try? JSONDecoder().decode([String: String].self, from: Data(contentsOf: result))
            return (command, outputs ?? [:])
        }

        func lint(_ inputs: [String: String]) throws -> (command: Command, outputs: [String: String]) {
            try run(inputs.merging(["binary": Command.sandboxlint]) { $1 })
        }
    }

    @Test("A finding is annotated, in the summary and in the SARIF report, and fails the step with the linter's code")
    func bad() throws {
        try withScratch { folder throws in
            let workspace = try Workspace(in: folder)
            let (command, outputs) = try workspace.lint(["containers": "bad one\ngood"])
            #expect(command.code == 1 && outputs["exit-code"] == "1", "\(command.text)\(command.errors)")
            let annotations = command.text.split(separator: "\n").filter { $0.hasPrefix("::error ") }
            #expect(annotations.count == 1)
            let place = "file=app/SandboxlintTests/ActionTests.swift,line=\(workspace.line),title=regenerable-in"
            #expect(annotations.first?.contains(place) == true, "\(annotations)")
            #expect(try String(contentsOf: workspace.summary, encoding: .utf8).contains("regenerable-in-documents"))
            let sarif = try Data(contentsOf: URL(fileURLWithPath: try #require(outputs["sarif"])))
            let read = try ReadReport("sarif", sarif)
            #expect(read.rows.contains { $0.hasPrefix("error\tregenerable-in-documents\t") }, "\(read.rows)")
        }
    }

    @Test("A container without findings passes, with an empty SARIF report that closes earlier alerts")
    func good() throws {
        try withScratch { folder throws in
            let (command, outputs) = try Workspace(in: folder).lint(["containers": "good"])
            #expect(command.code == 0 && outputs["exit-code"] == "0", "\(command.text)\(command.errors)")
            #expect(!command.text.contains("::error"))
            let sarif = try Data(contentsOf: URL(fileURLWithPath: try #require(outputs["sarif"])))
            #expect(try ReadReport("sarif", sarif).rows.isEmpty)
        }
    }

    @Test(
        "Inputs are the linter's arguments, and its exit code is the step's",
        arguments: [
            (["containers": "bad one", "fail-on": "never"], 0, true),
            (["containers": "bad one", "select": "stale-tmp"], 0, true),
            (["containers": "bad one", "config": "my config.yml"], 0, true),
            (["containers": "bad one", "args": "--set\nrules.regenerable-in-documents=off\n\n"], 0, true),
            (["containers": "\n  \n"], 3, true),
            (["containers": "gone"], 3, true),
            (["containers": "bad one\ngone"], 3, true),
            (["containers": "--help"], 3, true),
            (["containers": "good", "fail-on": "loud"], 2, false),
            (["containers": "good", "select": "no-such-rule"], 2, true),
        ])
    func inputs(inputs: [String: String], code: Int32, hasReport: Bool) throws {
        try withScratch { folder throws in
            let off = Data("rules:\n  regenerable-in-documents: off\n".utf8)
            try off.write(to: folder.appending(path: "my config.yml"))
            let (command, outputs) = try Workspace(in: folder).lint(inputs)
            #expect(command.code == code, "\(command.text)\(command.errors)")
            #expect(outputs["exit-code"] == "\(code)")
            #expect(outputs["sarif"]?.isEmpty == !hasReport)
        }
    }

    @Test("Inputs are never executed")
    func injection() throws {
        try withScratch { folder throws in
            let workspace = try Workspace(in: folder)
            for text in [
                "$(touch pwned)", "`touch pwned`", "'; touch pwned; '", "\"; touch pwned; \"", "${X:=$(touch pwned)}",
            ] {
                for input in ["containers", "config", "fail-on", "select", "baseline", "args"] {
                    let run = try workspace.lint(["containers": "good"].merging([input: text]) { $1 })
                    #expect(run.command.code != 0)
                }
            }
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "pwned").path))
        }
    }

    @Test("The changes since the base branch are outputs, and one comment on the pull request that later runs update")
    func compare() throws {
        try withScratch { folder throws in
            let workspace = try Workspace(in: folder)
            let base = try workspace.lint(["containers": "bad one", "fail-on": "never"])
            #expect(base.outputs["new"]?.isEmpty == true && base.outputs["report"]?.hasSuffix(".json") == true)
            try FileManager.default.copyItem(
                atPath: try #require(base.outputs["report"]), toPath: folder.appending(path: "base.json").path)
            try folder.write(String(repeating: "x", count: 5_000), to: "bad one/tmp/upload.part")
            try folder.setTimes("2020-01-01", of: "bad one/tmp/upload.part")
            try folder.write("[]", to: "comments.json")
            try folder.write(#"{"pull_request": {"number": 7}}"#, to: "event.json")
            let environment = [
                "GITHUB_REPOSITORY": "owner/app", "GITHUB_EVENT_PATH": folder.appending(path: "event.json").path,
                "GITHUB_WORKFLOW": "CI", "GITHUB_JOB": "lint", "GITHUB_RUN_ID": "20", "GITHUB_RUN_ATTEMPT": "1",
                "JOB_TOKEN": "job-token",
            ]
            let inputs = [
                "containers": "bad one", "fail-on": "never", "compare": "base.json", "comment": "true",
                "binary": Command.sandboxlint,
            ]
            let first = try workspace.run(inputs, comments: "none", environment: environment)
            #expect(first.command.code == 0, "\(first.command.text)\(first.command.errors)")
            #expect(first.command.text.contains("created comment 100\n"), "\(first.command.text)")
            #expect(first.outputs["new"] == "2" && first.outputs["fixed"] == "0", "\(first.outputs)")
            #expect(first.outputs["bytes"] == "5000" && first.outputs["backed-up-bytes"] == "0")
            let comment = try String(contentsOf: folder.appending(path: "comments.json"), encoding: .utf8)
            #expect(
                comment.contains("<!-- sandboxlint comment CI/lint run 20.1 -->") && comment.contains("upload.part"))
            #expect(try String(contentsOf: workspace.summary, encoding: .utf8).contains("Since <code>base.json</code>"))
            try folder.remove("bad one/tmp/upload.part")
            let second = try workspace.run(inputs, comments: "none", environment: environment)
            #expect(second.command.text.contains("updated comment 100\n") && second.outputs["new"] == "0")
            // A fork has no token, and the annotations stay.
            let fork = try workspace.run(
                inputs, comments: "none", environment: environment.merging(["JOB_TOKEN": ""]) { $1 })
            #expect(fork.command.code == 0 && fork.command.text.contains("no comment: there is no token\n"))
            let down = try workspace.run(inputs, comments: "down", environment: environment)
            #expect(down.command.code == 0 && down.command.text.contains("::notice title=sandboxlint::no comment: "))
            #expect(down.outputs["new"] == "0")
        }
    }

    @Test(
        "A base report that is missing or of another format is a notice, and the outputs are empty",
        arguments: [
            ("gone.json", "there is no report to compare with: 'gone.json' does not exist"),
            ("next.json", "not compared: sandboxlint: next.json: the report has the format sandboxlint-report/2"),
            ("$(touch pwned)", "there is no report to compare with"),
        ])
    func missingBase(name: String, notice: String) throws {
        try withScratch { folder throws in
            try folder.write(#"{"schema": "sandboxlint-report/2"}"#, to: "next.json")
            let (command, outputs) = try Workspace(in: folder).lint(["containers": "good", "compare": name])
            #expect(command.code == 0, "\(command.text)\(command.errors)")
            #expect(command.text.contains("::notice title=sandboxlint::\(notice)"), "\(command.text)")
            #expect(outputs["new"]?.isEmpty == true && outputs["exit-code"] == "0")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "pwned").path))
        }
    }

    /// Writes the files of a release, whose linter records each start in `starts`.
    private func release(in folder: URL, checksum: String? = nil) throws {
        let script = """
            set -eu
            machine=$(uname -m)
            mkdir -p releases/owner/sandboxlint/releases/download/0.1.0 sandboxlint-0.1.0-linux-$machine/bin
            printf '#!/bin/sh\\necho "$1" >> "%s/starts"\\nexec "%s" "$@"\\n' "$PWD" "$1" \
                > sandboxlint-0.1.0-linux-$machine/bin/sandboxlint
            chmod +x sandboxlint-0.1.0-linux-$machine/bin/sandboxlint
            cd releases/owner/sandboxlint/releases/download/0.1.0
            tar -C "$OLDPWD" -cJf sandboxlint-0.1.0-linux-$machine.tar.xz sandboxlint-0.1.0-linux-$machine
            shasum -a 256 *.tar.xz > SHA256SUMS
            [ -z "$2" ] || { sed "s/^[0-9a-f]*/$2/" SHA256SUMS > sums; mv sums SHA256SUMS; }
            """
        try Command.setUp("bash", ["-c", script, "bash", Command.sandboxlint, checksum ?? ""], in: folder)
    }

    @Test("The linter is that of the action's release, with the right checksum", .enabled(if: Platform.isLinux))
    func release() throws {
        try withScratch { folder throws in
            let workspace = try Workspace(in: folder)
            try release(in: folder)
            let checkout = try Workflow.checkout(in: folder)
            let (command, outputs) = try workspace.run(
                ["containers": "bad one"], of: checkout.folder, environment: checkout.environment)
            #expect(command.code == 1 && outputs["exit-code"] == "1", "\(command.text)\(command.errors)")
            #expect(command.text.contains("using the release 0.1.0\n"), "\(command.text)")
            let starts = try String(contentsOf: folder.appending(path: "starts"), encoding: .utf8)
            #expect(starts == "--version\nlint\n")
            #expect(try checkout.builds() == 0)
        }
    }

    @Test(
        "A release with a wrong checksum fails the step, and its linter is never started",
        .enabled(if: Platform.isLinux))
    func checksum() throws {
        try withScratch { folder throws in
            let workspace = try Workspace(in: folder)
            try release(in: folder, checksum: String(repeating: "0", count: 64))
            let checkout = try Workflow.checkout(in: folder)
            let (command, outputs) = try workspace.run(
                ["containers": "bad one"], of: checkout.folder, environment: checkout.environment)
            #expect(command.code == 1 && outputs["exit-code"]?.isEmpty == true, "\(command.text)\(command.errors)")
            #expect(command.text.contains("does not have the checksum in SHA256SUMS"), "\(command.text)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "starts").path))
            #expect(try checkout.builds() == 0)
        }
    }

    @Test(
        "Without a release the linter is built once, in the action's own checkout, and again after its sources change")
    func build() throws {
        try withScratch { folder throws in
            let workspace = try Workspace(in: folder)
            let checkout = try Workflow.checkout(in: folder)
            func run() throws -> Command {
                let (command, outputs) = try workspace.run(
                    ["containers": "bad one"], of: checkout.folder, environment: checkout.environment)
                #expect(command.code == 1 && outputs["exit-code"] == "1", "\(command.text)\(command.errors)")
                return command
            }
            #expect(try run().text.contains("no release of owner/sandboxlint 0.1.0: "))
            #expect(try checkout.builds() == 1)
            #expect(try run().text.contains("using the linter of an earlier build\n"))
            #expect(try checkout.builds() == 1)
            try Data("// Another version\n".utf8).write(to: checkout.folder.appending(path: "Sources/New.swift"))
            _ = try run()
            #expect(try checkout.builds() == 2)
        }
    }

    @Test("The repository and the ref are read from the action's folder if the runner leaves them empty")
    func folderOfAction() throws {
        try withScratch { folder throws in
            let checkout = try Workflow.checkout(in: folder)
            let action = folder.appending(path: "_actions/owner/sandboxlint/0.1.0")
            try FileManager.default.createDirectory(
                at: action.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: checkout.folder, to: action)
            let (command, _) = try Workspace(in: folder).run(
                ["containers": "good"], of: action,
                environment: checkout.environment.merging(["ACTION_REPOSITORY": "", "ACTION_REF": ""]) { $1 })
            #expect(command.code == 0, "\(command.errors)")
            #expect(!Platform.isLinux || command.text.contains("no release of owner/sandboxlint 0.1.0: "))
        }
    }

    @Test("actionlint reports nothing for the example workflow, and knows the inputs of the action")
    func workflow() throws {
        try withScratch { folder throws in
            // In its own repository, an action is referenced without a version.
            let shown = try String(contentsOf: Workflow.example, encoding: .utf8)
            let use = try "uses: \(ProjectAddress().name)@0.1.0"
            #expect(shown.contains(use))
            let local = shown.replacing(use, with: "uses: ./sandboxlint")
            let workflow = folder.appending(path: ".github/workflows/container.yml")
            for directory in [".git", ".github/workflows", "sandboxlint"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: directory), withIntermediateDirectories: true)
            }
            try FileManager.default.copyItem(
                at: Workflow.root.appending(path: "action.yml"), to: folder.appending(path: "sandboxlint/action.yml"))
            try Data(local.utf8).write(to: workflow)
            let clean = try Command(Command.installed("actionlint"), ["-no-color"], in: folder)
            #expect(clean.code == 0, "\(clean.text)\(clean.errors)")
            try Data(local.replacing("fail-on:", with: "fail-at:").utf8).write(to: workflow)
            let wrong = try Command(Command.installed("actionlint"), ["-no-color"], in: folder)
            #expect(
                wrong.code == 1 && wrong.text.contains("\"fail-at\" is not defined"), "\(wrong.text)\(wrong.errors)")
        }
    }
}
