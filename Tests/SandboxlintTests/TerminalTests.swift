import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// Runs the tool in a pseudo-terminal, with a disk that strace slows down and with Ctrl-C.
@Suite("On a terminal") struct TerminalTests {
    private static let runner = URL(fileURLWithPath: #filePath).appending(path: "../../in-terminal").standardized.path

    /// The environment of a plain terminal, independent of that of the tests.
    private static let plain = [
        "TERM": "xterm", "TERM_PROGRAM": "", "COLUMNS": "", "CI": "", "NO_COLOR": "", "FORCE_COLOR": "",
        "CLICOLOR": "", "CLICOLOR_FORCE": "",
    ]

    private func terminal(
        _ arguments: [String], columns: Int = 80, _ more: [String] = [], in folder: URL? = nil,
        environment: [String: String] = [:]
    ) throws -> Command {
        try Command(
            Self.runner, ["--columns", "\(columns)"] + more + arguments, in: folder,
            environment: Self.plain.merging(environment) { $1 })
    }

    /// Creates `count` small files, each of which takes 5 ms on the slow disk.
    private func withSlowContainer(_ count: Int, _ body: (_ folder: URL, _ slowly: [String]) throws -> Void) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            for number in 0..<count {
                try container.save(
                    "x", to: .temporary / "\(number % 10)/\(number).part", options: .init(durability: .none))
            }
            try body(
                folder,
                [
                    "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=statx", "-e",
                    "inject=statx:delay_enter=5000", Command.sandboxlint, "lint", "c", "-j", "1",
                ])
        }
    }

    @Test(
        "no line is wider than it, whatever the names are; wide letters count twice, and no escape is cut",
        .needs(.externalProgram))
    func width() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let long = String(repeating: "a very long name ", count: 8)
            for name in [long, String(repeating: "書", count: 60), "👩‍👩‍👧" + String(repeating: "ß", count: 90)] {
                for number in 0..<2 {
                    try container.save(
                        "x", to: .documents / "images/\(name)\(number).jpg",
                        options: .init(provenance: .init(.downloaded)))
                }
            }
            let made = #"cd c/Documents/images && touch "$(printf '\351%.0s' $(seq 80)).jpg""#
            #expect(try Command("bash", ["-c", made], in: folder).code == 0)
            let measure = """
                import re, sys, unicodedata as u
                text = re.sub(r"\\x1b\\[[0-9;]*[A-Za-z]", "", sys.stdin.read())
                print(max(sum(0 if u.category(c) in ("Mn", "Me", "Cf") else 1 + (u.east_asian_width(c) in "WF") for c in line)
                    for line in text.replace("\\r", "").split("\\n")))
                """
            var widest: [Int: Int] = [:]
            for (columns, said) in [(40, ""), (80, ""), (200, ""), (80, "60")] {
                let run = try terminal(
                    [Command.sandboxlint, "lint", "c", "--progress", "never"], columns: columns, in: folder,
                    environment: ["COLUMNS": said])
                #expect(run.code == 1)
                let file = folder.appending(path: "shown")
                try run.output.write(to: file)
                let command = "python3 -c '\(measure.replacing("'", with: "\""))' < shown"
                let measured = try Command("bash", ["-c", command], in: folder)
                let limit = Int(said) ?? columns
                widest[limit] = Int(measured.text.trimmingCharacters(in: .newlines))
                #expect(widest[limit].map { $0 <= limit } ?? false, "\(limit): \(widest)")
                #expect(run.text.contains(/\S…\S/) == (limit < 100), "\(run.text)")
                let cut = try Regex("%([0-9A-F]?…|[0-9A-F]?\r|…)")
                #expect(run.text.firstMatch(of: cut) == nil, "\(limit)")
            }
            // The terminal determines the width; there is no fixed narrow one.
            #expect(widest[200].map { $0 > 150 } ?? false && widest[80].map { $0 > 60 } ?? false, "\(widest)")
            let piped = try sandboxlint("lint", "c", in: folder, environment: ["COLUMNS": "40"])
            #expect(piped.text.contains(long) && !piped.text.contains(/\S…\S/))
        }
    }

    @Test("lists and explanations respect its width", .needs(.externalProgram), arguments: [40, 80])
    func lists(columns: Int) throws {
        for arguments in [["rules", "list"], ["explain", "stale-tmp"], ["explain", "user-data"]] {
            let run = try terminal([Command.sandboxlint] + arguments + ["--color", "never"], columns: columns)
            let lines = run.text.split(separator: "\r\n")
            #expect(run.code == 0 && lines.count > 2)
            #expect(lines.allSatisfy { $0.count <= columns }, "\(arguments)")
        }
    }

    @Test(
        "text is colored if the terminal and the user want it", .needs(.externalProgram),
        arguments: [
            (["TERM": "xterm"], true), (["TERM": "dumb"], false), (["NO_COLOR": "1"], false),
            (["CLICOLOR": "0"], false), (["CLICOLOR": "0", "CLICOLOR_FORCE": "1"], true),
            (["TERM": "dumb", "FORCE_COLOR": "1"], true), (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
        ])
    func colours(environment: [String: String], isColored: Bool) throws {
        let run = try terminal([Command.sandboxlint, "rules", "list"], environment: environment)
        #expect(run.text.contains("\u{1b}[1;31m") == isColored)
        let piped = try sandboxlint("rules", "list", environment: Self.plain.merging(environment) { $1 })
        let isForced = isColored && (environment["FORCE_COLOR"] ?? environment["CLICOLOR_FORCE"]) != nil
        #expect(piped.text.contains("\u{1b}[") == isForced)
    }

    @Test(
        "names of rules are hyperlinks on supported terminals only", .needs(.externalProgram),
        arguments: [
            ([:], [], false), (["TERM_PROGRAM": "WezTerm"], [], true), (["VTE_VERSION": "7000"], [], true),
            (["VTE_VERSION": "4000"], [], false), (["TERM": "xterm-kitty"], [], true),
            (["TERM_PROGRAM": "WezTerm", "TERM": "tmux-256color"], [], false),
            (["TERM_PROGRAM": "vscode", "CI": "1"], [], false),
            (["TERM_PROGRAM": "WezTerm"], ["--hyperlinks", "never"], false), ([:], ["--hyperlinks", "always"], true),
        ] as [([String: String], [String], Bool)])
    func links(environment: [String: String], arguments: [String], isLinked: Bool) throws {
        let link = "\u{1b}]8;;https://"
        let run = try terminal([Command.sandboxlint, "rules", "list"] + arguments, environment: environment)
        #expect(run.text.contains(link) == isLinked)
        // Each hyperlink is closed.
        #expect(run.text.components(separatedBy: "\u{1b}]8;;").count % 2 == 1)
        let piped = try sandboxlint(
            ["rules", "list"] + arguments, environment: Self.plain.merging(environment) { $1 })
        #expect(piped.text.contains(link) == arguments.contains("always"))
        #expect(arguments.contains("always") || !piped.text.contains("\u{1b}"))
    }

    @Test(
        "a line shows the progress and remaining time of a slow run, and disappears before the report",
        .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func progress() throws {
        try withSlowContainer(250) { folder, slowly throws in
            for columns in [36, 100] {
                let run = try terminal(slowly, columns: columns, ["--only-errors"], in: folder)
                #expect(run.code == 0, "\(run.text)")
                let lines = run.text.components(separatedBy: "\r\u{1b}[K")
                #expect(lines.count > 3 && lines.last == "", "\(lines)")
                #expect(lines.allSatisfy { $0.count < columns })
                let told = try Regex(
                    columns == 36
                        ? #"^\d+ %  \d+ items  \d+ s left$"# : #"\] +\d+ %  \d+ of \d+ items  \d+/s  \d+ s left$"#)
                #expect(lines.contains { $0.firstMatch(of: told) != nil }, "\(lines)")
            }
        }
    }

    @Test(
        "no progress line appears in a quick run, in a pipe, on a dumb terminal, or with --progress never",
        .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func noProgress() throws {
        try withSlowContainer(100) { folder, slowly throws in
            // On a busy machine a run may take longer. The line contains the duration.
            var quick = ""
            for _ in 0..<400 where !quick.contains("linted in 0.0") && !quick.contains("linted in 0.1") {
                let words = [Command.sandboxlint, "lint", "c", "--verbose"]
                quick = try terminal(words, ["--only-errors"], in: folder).text
            }
            #expect(quick.contains("linted in 0.") && !quick.contains("\u{1b}"), "\(quick)")
            for arguments in [["--progress", "never"], ["--quiet"]] {
                #expect(try terminal(slowly + arguments, ["--only-errors"], in: folder).text.isEmpty, "\(arguments)")
            }
            let dumb = try terminal(slowly, ["--only-errors"], in: folder, environment: ["TERM": "dumb"])
            #expect(dumb.text.isEmpty)
            let piped = try Command("env", slowly, in: folder)
            #expect(piped.code == 0 && piped.errors.isEmpty, "\(piped.errors)")
            let asked = try Command("env", slowly + ["--progress", "always"], in: folder)
            #expect(asked.errors.contains(" items") && asked.errors.hasSuffix("\r\u{1b}[K"))
        }
    }

    @Test(
        "Ctrl-C exits with 130: no file is left, the progress line is removed, and a hint is printed",
        .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func interrupted() throws {
        try withSlowContainer(2000) { folder, slowly throws in
            let run = try terminal(
                slowly + ["--output", "sarif=out.sarif"], ["--only-errors", "--ctrl-c-at", " items"], in: folder)
            #expect(run.code == 130, "\(run.text)")
            #expect(run.text.contains("\r\u{1b}[Ksandboxlint: interrupted. "), "\(run.text)")
            #expect(run.text.contains("run the command again"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["c"])
        }
    }

    @Test(
        "terminated while it writes a report, it leaves the old file or the new one, and nothing else",
        .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"),
        arguments: [
            ("write", 2, "INT", 130), ("write", 3, "INT", 130), ("write", 3, "TERM", 143), ("write", 2, "HUP", 129),
            ("flock", 1, "INT", 130), ("fsync", 1, "INT", 130), ("renameat", 1, "INT", 130),
        ])
    func interruptedWriting(call: String, number: Int, signal: String, code: Int32) throws {
        try ExpectedFinding.withRepository { folder throws in
            try Data("old".utf8).write(to: folder.appending(path: "out.sarif"))
            let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            let run = try Command(
                "strace",
                [
                    "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                    "inject=\(call):signal=SIG\(signal):when=\(number)", Command.sandboxlint, "lint", "build/app",
                    "--output", "sarif=out.sarif", "--output", "json=never.json",
                ], in: folder)
            #expect(run.code == code && run.output.isEmpty, "\(run.errors)")
            #expect(run.errors.contains(signal == "INT" ? "interrupted. " : "terminated. "), "\(run.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
            let file = try Data(contentsOf: folder.appending(path: "out.sarif"))
            #expect(file == Data("old".utf8) || (try? ReadReport("sarif", file).command.code) == 0)
        }
    }

    @Test(
        "a terminated fix prints what happens next, and undo then restores the original tree", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"),
        arguments: ["getdents64", "fsync", "renameat2", "utimensat"])
    func interruptedFix(call: String) throws {
        try withScratch { folder throws in
            let scene = try FixScene(in: folder)
            // strace counts the calls of each thread, and a second signal ends the process at once. Only one thread reads
            // the container's own directory.
            let only = call == "getdents64" ? ["-P", scene.folder.path] : []
            let run = try scene.run(
                "fix",
                by: [
                    "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                    "inject=\(call):signal=SIGINT:when=2",
                ] + only)
            #expect(run.code == 130, "\(run.code): \(run.text)\(run.errors)")
            #expect(run.errors.contains("`sandboxlint fix` or `sandboxlint undo` of this container reverts"))
            #expect(try scene.run("undo").code == 0)
            #expect(try scene.differencesFromBefore() == [])
        }
    }

    @Test(
        "a run started with Ctrl-C ignored continues, like a background job of a shell", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func ignored() throws {
        try withSample { path throws in
            let line =
                "trap '' INT; strace -f -qq -o /dev/null -e trace=getdents64 -e inject=getdents64:signal=SIGINT:when=2 "
                + "\(Command.sandboxlint) lint \(path)"
            let run = try Command("bash", ["-c", line])
            #expect(run.code == 1 && run.text.contains("1 error"), "\(run.errors)")
        }
    }
}
