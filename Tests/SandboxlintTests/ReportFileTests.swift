import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("The files of --output", .needs(.long)) struct ReportFileTests {
    private func lint(_ folder: URL, _ arguments: String...) throws -> Command {
        try sandboxlint(
            ["lint", "build/app", "--select", ExpectedFinding.rules] + arguments, in: folder)
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("are several for one run, in addition to --format; “-” is standard output", .needs(.externalProgram))
    func several() throws {
        try ExpectedFinding.withRepository { folder throws in
            let before = try names(in: folder)
            let run = try lint(
                folder, "--output", "sarif=out.sarif", "--output=junit=build/out.xml", "--output", "csv=-")
            #expect(run.code == 1 && run.errors.isEmpty)
            #expect(run.text.hasPrefix("severity,rule,"))
            #expect(try names(in: folder) == (before + ["out.sarif"]).sorted())
            for (format, path) in [("sarif", "out.sarif"), ("junit", "build/out.xml")] {
                let file = try Data(contentsOf: folder.appending(path: path))
                #expect(try ReadReport(format, file).rows.count >= 6)
            }
            let text = try lint(folder, "--output", "json=out.json")
            #expect(text.text.hasPrefix("Backups ") && text.text.contains("\nerror[regenerable-in-documents]"))
        }
    }

    @Test(
        "are also written if the input is missing or the configuration is invalid, with the reason",
        .needs(.externalProgram))
    func failure() throws {
        try withScratch { folder throws in
            try Data("rules: { stale-tpm: off }\n".utf8).write(to: folder.appending(path: "wrong.yml"))
            for (arguments, code, reason) in [
                (["missing"], Int32(3), "No such file"), (["missing", "--config", "wrong.yml"], 2, "stale-tpm"),
                (["missing", "--select", "stale-tpm"], 2, "stale-tpm"),
            ] {
                let outputs = ReportTests.formats.map { "--output=\($0)=out.\($0)" }
                let run = try sandboxlint(
                    ["lint", "--now", "2026-01-01"] + arguments + outputs, in: folder)
                #expect(run.code == code && run.output.isEmpty && run.errors.contains(reason), "\(run.errors)")
                // For users, standard error contains the reason.
                for format in ReportTests.formats.dropFirst(2) {
                    let shown = try sandboxlint(
                        ["lint", "--now", "2026-01-01"] + arguments + ["--format", format],
                        in: folder)
                    #expect(
                        try shown.code == code
                            && shown.output == Data(contentsOf: folder.appending(path: "out.\(format)")))
                }
                for format in ReportTests.formats {
                    let file = try Data(contentsOf: folder.appending(path: "out.\(format)"))
                    let report = try ReadReport(format, file)
                    #expect(report.command.code == 0, "\(format): \(report.command.errors)")
                    let text = String(decoding: file, as: UTF8.self)
                    #expect(text.contains(reason), "\(format): \(text)")
                    if format.hasPrefix("json") { #expect(text.contains("\"complete\":false")) }
                    if format == "sarif" {
                        #expect(text.contains("\"executionSuccessful\":false,\"toolExecutionNotifications\":[{"))
                        // GitHub rejects a run without rules.
                        #expect(text.contains("\"rules\":[{"))
                    }
                }
                for format in ReportTests.formats {
                    try FileManager.default.removeItem(at: folder.appending(path: "out.\(format)"))
                }
            }
        }
    }

    @Test(
        "that cannot be written exit with 2, leave existing files unchanged, and do not prevent others",
        arguments: [
            ("none/out.json", "No such file or directory"), ("folder", "Is a directory"),
            ("file/out.json", "Not a directory"),
            ("pipe", "Invalid argument"),
        ])
    func unwritable(path: String, reason: String) throws {
        try ExpectedFinding.withRepository { folder throws in
            try folder.makeDirectories("folder")
            try folder.write("x\n", to: "file")
            try createPipe(folder.path + "/pipe")
            let before = try names(in: folder)
            let run = try lint(folder, "--output", "json=\(path)", "--output", "sarif=out.sarif", "--fail-on", "never")
            #expect(run.code == 2)
            #expect(
                run.errors.hasPrefix("sandboxlint: cannot write the report to “\(path)”: cannot "), "\(run.errors)")
            #expect(
                run.errors.contains(reason)
                    && run.errors.hasSuffix("An existing file is unchanged. Specify another path.\n"),
                "\(run.errors)")
            #expect(try names(in: folder) == (before + ["out.sarif"]).sorted())
            #expect(try String(contentsOf: folder.appending(path: "file"), encoding: .utf8) == "x\n")
        }
    }

    @Test(
        "are written before standard output, whose reader may close it, and their failure takes precedence",
        .needs(.process))
    func order() throws {
        try ExpectedFinding.withRepository { folder throws in
            let piped = "\(Command.sandboxlint) lint build/app --output json=out.json --format jsonl | true"
            for _ in 0..<5 {
                #expect(try Command("sh", ["-c", piped], in: folder).code == 0)
                let file = try Data(contentsOf: folder.appending(path: "out.json"))
                #expect(try JSONSerialization.jsonObject(with: file) is [String: Any])
                try FileManager.default.removeItem(at: folder.appending(path: "out.json"))
            }
            #expect(try lint(folder, "--output", "json=none/out.json").code == 2)
            #expect(try sandboxlint("lint", "missing", "--output", "json=none/out.json", in: folder).code == 2)
        }
    }

    @Test("that a full disk would truncate are not written, and the old one is kept", .needs(.process))
    func noSpace() throws {
        try ExpectedFinding.withRepository { folder throws in
            try Data("old".utf8).write(to: folder.appending(path: "out.sarif"))
            let before = try names(in: folder)
            let arguments = ["lint", "build/app", "--output", "sarif=out.sarif"].joined(separator: " ")
            // A limit on the size of files simulates a full disk.
            let run = try Command(
                "bash", ["-c", "trap '' XFSZ; ulimit -f 8; exec \(Command.sandboxlint) \(arguments)"], in: folder)
            #expect(run.code == 4 && run.errors.contains("File too large"), "\(run.errors)")
            #expect(try String(contentsOf: folder.appending(path: "out.sarif"), encoding: .utf8) == "old")
            #expect(try names(in: folder) == before)
        }
    }

    @Test("name the directory that is missing, as it was given", arguments: ["/nodir/x", "none/out.sarif", "here/x"])
    func missing(path: String) throws {
        try ExpectedFinding.withRepository { folder throws in
            try Data().write(to: folder.appending(path: "here"))
            let run = try lint(folder, "--output", "sarif=\(path)")
            let directory = path.split(separator: "/").first.map { (path.hasPrefix("/") ? "/" : "") + $0 } ?? ""
            #expect(run.code == 2 && !run.text.isEmpty)
            let wrong = path == "here/x" ? "Not a directory" : "No such file or directory"
            #expect(
                run.errors == "sandboxlint: cannot write the report to “\(path)”: cannot open its directory "
                    + "“\(directory)”: \(wrong). An existing file is unchanged. Specify another path.\n",
                "\(run.errors)")
        }
    }

    @Test("replace an existing file, through a link, with its permissions")
    func replaced() throws {
        try ExpectedFinding.withRepository { folder throws in
            try folder.write("old\n", to: "elsewhere/a")
            try folder.setMode("640", of: "elsewhere/a")
            try folder.makeLink("out.json", to: "elsewhere/a")
            #expect(try lint(folder, "--output", "json=out.json").code == 1)
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/out.json")
            #expect(try target == "elsewhere/a" && mode(of: folder.path + "/elsewhere/a") == "640")
            let written = try String(contentsOf: folder.appending(path: "elsewhere/a"), encoding: .utf8)
            #expect(written.hasPrefix("{\"schema\""))
        }
    }

    @Test(
        "are refused before anything is read if the destination is invalid",
        arguments: [
            (["--output", "json"], "FORMAT=PATH"), (["--output", "json="], "FORMAT=PATH"),
            (["--output", "sarfi=a"], "did you mean “sarif”?"),
            (["--output", "pdf=a"], "Known formats: text, compact"),
            (["--output", "json=a", "--output", "csv=./a"], "Two reports would be written to “./a”"),
            (["--output", "json=dangling", "--output", "csv=later"], "Two reports would be written to “later”"),
            (
                ["--output", "json=later/x", "--output", "csv=dangling/x"],
                "Two reports would be written to “dangling/x”"
            ),
            (["--output", "json=inward"], "is inside the container “build/app”"),
            (["--output", "json=-", "--output", "csv=-"], "Only one report can be written to standard output"),
            (["--format", "json", "--output", "csv=-"], "Only one report can be written to standard output"),
            (["--output", "json=build/app/out.json"], "is inside the container “build/app”"),
            (["--output", "json=build/app"], "is inside the container"),
            (["--output", "json=link/out.json"], "is inside the container"),
            ([], "$GITHUB_STEP_SUMMARY is inside a container"),
        ])
    func refused(arguments: [String], hint: String) throws {
        try ExpectedFinding.withRepository { folder throws in
            try folder.makeLink("link", to: "build/app/tmp")
            try folder.makeLink("dangling", to: "./later")
            try folder.makeLink("inward", to: "build/app/../app/new")
            let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            let summary = arguments.isEmpty ? folder.appending(path: "link/summary").path : ""
            let run = try sandboxlint(
                ["lint", "build/app"] + arguments, in: folder,
                environment: ["GITHUB_STEP_SUMMARY": summary])
            #expect(run.code == 2 && run.output.isEmpty)
            #expect(run.errors.contains(hint), "\(run.errors)")
            #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == before)
        }
    }
}
