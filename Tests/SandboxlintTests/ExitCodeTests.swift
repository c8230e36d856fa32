import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("The exit code", .needs(.long)) struct ExitCodeTests {
    /// The possible errors of a run, in order of precedence.
    enum Trouble: String, CaseIterable {
        /// Standard output is a full disk.
        case full
        /// The directory of a report does not exist.
        case nowhere
        /// A container does not exist.
        case missing
        /// A finding fails the run.
        case finding

        var code: Int32 {
            switch self {
            case .full: 4
            case .nowhere: 2
            case .missing: 3
            case .finding: 1
            }
        }
        /// The arguments that cause the error.
        var words: String {
            switch self {
            case .full: "--format json > /dev/full"
            case .nowhere: "--output csv=none/out.csv"
            case .missing: "missing"
            case .finding: "bad"
            }
        }
    }

    /// All combinations: none, one, two and more errors.
    static let choices: [[Trouble]] = (0..<16).map { bits in
        Trouble.allCases.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element)
    }

    /// Passes a folder with two containers to the body: `bad` has findings, `clean` has none.
    private func withContainers<Result>(_ body: (URL) throws -> Result) throws -> Result {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try folder.copyAll("sample", to: "bad")
            try folder.makeDirectories("clean/Documents", "clean/Library", "clean/tmp")
            try folder.write(to: "file")
            try folder.write("stale-tpm: 1\n", to: "wrong.yml")
            try folder.write("{}", to: "wrong.json")
            try folder.write("id: x\n", to: "empty/x.yml")
            try folder.write("sandboxlint-baseline/3\nstale-tmp com.example.app tmp/gone/ max:none\n", to: "stale.txt")
            return try body(folder)
        }
    }

    /// Runs the tool in such a folder with the words of a line. A line with redirections is run by a shell.
    private func run(_ line: String) throws -> Command {
        try withContainers { folder throws in
            if line.contains(/[>|;]/) {
                return try Command("bash", ["-c", "set -o pipefail; \(Command.sandboxlint) \(line)"], in: folder)
            }
            return try sandboxlint(line.split(separator: " ").map(String.init), in: folder)
        }
    }

    @Test(
        "is that of the most severe of several errors: 4, 2, 3, 1",
        arguments: choices.filter { !$0.contains(.full) })
    func worst(troubles: [Trouble]) throws { try expectWorst(of: troubles) }

    @Test(
        "is 4 if standard output is a full disk, whatever other errors there are", .needs(.process),
        arguments: choices.filter { $0.contains(.full) })
    func worstOfAll(troubles: [Trouble]) throws { try expectWorst(of: troubles) }

    private func expectWorst(of troubles: [Trouble]) throws {
        let run = try run("lint clean \(troubles.map(\.words).reversed().joined(separator: " "))")
        #expect(run.code == troubles.first?.code ?? 0, "\(troubles): \(run.errors)")
        // All errors are reported, whichever determines the exit code.
        #expect(run.errors.contains("standard output cannot be written") == troubles.contains(.full))
        #expect(run.errors.contains("none/out.csv") == troubles.contains(.nowhere))
        #expect(run.errors.contains("“missing”") == troubles.contains(.missing))
    }

    @Test(
        "states the result of the run",
        arguments: [
            (0, ["lint clean", "lint bad --fail-on never", "rules list", "--version", "--help", "explain stale-tmp"]),
            (0, ["lint bad --max-warnings 9 --select stale-tmp", "diff bad bad", "undo bad"]),
            (0, ["lint bad --max-warnings 9 --fail-on never", "baseline write bad --baseline new.txt"]),
            (1, ["lint bad", "bad", "baseline diff bad --baseline stale.txt"]),
            (1, ["lint bad --select stale-tmp --strict", "lint bad --select stale-tmp --fail-on warning"]),
            (1, ["lint bad --select stale-tmp --max-warnings 0", "lint bad --fail-on never --max-warnings 0"]),
            (1, ["diff clean bad", "diff clean bad --fail-on never --fail-on-growth 0", "fix bad --diff"]),
            (2, ["lint", "lint clean --nonsense", "lint clean -j x", "lint clean --fail-on bad"]),
            (
                2,
                ["lint clean --strict --fail-on note", "lint clean --max-warnings -1", "lint clean --quiet --verbose"]
            ),
            (2, ["lint clean --statistics --format csv", "lint clean --statistics --output csv=-"]),
            (2, ["lint clean --select nonsense", "lint clean --config wrong.yml", "lint clean --config none.yml"]),
            (2, ["lint clean --rules empty", "lint clean --rules none", "lint clean --baseline none.txt"]),
            (2, ["lint clean --output json=file/x", "lint clean --output json=a --output csv=a", "explain nonsense"]),
            (
                2,
                [
                    "rules test empty", "rules docs file/x", "baseline write bad --baseline file",
                    "config show --set x=1",
                ]
            ),
            (2, ["lint missing --config wrong.yml", "lint bad --select nonsense"]),
            (
                3,
                [
                    "lint missing", "lint file", "lint empty", "lint clean missing", "fix missing", "undo missing",
                    "nonsense a",
                ]
            ),
            (
                3,
                [
                    "explain clean Documents/none", "baseline write missing --baseline b", "diff clean missing",
                    "init missing",
                ]
            ),
        ] as [(Int32, [String])])
    func classes(code: Int32, lines: [String]) throws {
        for line in lines {
            let run = try run(line)
            #expect(run.code == code, "\(line): \(run.code) \(run.errors)")
        }
    }

    @Test(
        "is 4 if standard output cannot be written", .needs(.process),
        arguments: [
            "lint clean > /dev/full", "lint clean --format sarif > /dev/full", "rules list > /dev/full",
            "explain stale-tmp > /dev/full", "rules schema > /dev/full", "fix bad --diff > /dev/full", "lint clean >&-",
            "config show > /dev/full", "diff bad clean > /dev/full", "undo bad > /dev/full",
        ])
    func unwritten(line: String) throws {
        let run = try run(line)
        #expect(run.code == 4, "\(run.code) \(run.errors)")
    }

    @Test("is 2 for a configuration that exists, with advice")
    func existing() throws {
        try withContainers { folder throws in
            #expect(try sandboxlint("init", in: folder).code == 0)
            let again = try sandboxlint("init", in: folder)
            #expect(again.code == 2 && again.errors.contains("Edit it"), "\(again.errors)")
        }
    }

    @Test(
        "is 3 for a container that was read in part, whatever the findings, and 4 for a report truncated by a full disk",
        .needs(.externalProgram))
    func partly() throws {
        try ExpectedFinding.withRepository { folder throws in
            try folder.allowReading()
            try folder.setMode("000", of: "build/app/Library/Caches")
            #expect(try unprivileged(["lint", "build/app"], in: folder).code == 3)
            // A limit on the size of files simulates a full disk.
            let limited = "trap '' XFSZ; ulimit -f 8; exec \(Command.sandboxlint) lint build/app missing"
            let run = try Command("bash", ["-c", limited + " --output sarif=a --output json=none/b"], in: folder)
            #expect(run.code == 4 && run.errors.contains("Free disk space"), "\(run.errors)")
        }
    }

    @Test(
        "is that of the run where standard error cannot be written, or the reader of standard output goes away",
        .needs(.process))
    func gone() throws {
        #expect(try run("lint missing 2> /dev/full").code == 3)
        #expect(try run("lint missing 2>&-").code == 3)
        #expect(try run("lint clean > /dev/full").errors.contains("free some space"))
        #expect(try run("lint clean --nonsense 2> /dev/full").code == 2)
        #expect(try run("lint bad clean --format sarif | head -c 1 > /dev/null").code == 1)
    }

    @Test("comes with a message on what to do next, for every error")
    func advice() throws {
        for (line, advice) in [
            ("lint missing", "Check the path"), ("lint empty", "Use the directory that contains Documents"),
            ("lint file", "Specify the directory that contains Documents"),
            ("lint clean --config none.yml", "`sandboxlint init` creates a configuration"),
            ("lint clean --config wrong.yml", "sandboxlint rules schema config"),
            ("lint clean --rules none", "Check --rules"), ("lint clean --select stale-tpm", "did you mean “stale-tmp”"),
            ("lint clean --baseline none.txt", "Create it with `sandboxlint baseline write`"),
            ("lint clean --baseline file", "`sandboxlint baseline write`"),
            ("baseline write bad --baseline file", "Specify another path with --baseline"),
            ("lint clean --output json=none/x", "Specify another path"),
            ("explain clean none", "relative to the container"),
            ("diff file clean", "Name a directory"),
            ("diff wrong.json clean", "Create a report with `sandboxlint lint --format json`"),
            ("lint", "--help"), ("rules test empty", "`sandboxlint rules schema rule`"),
            ("fix missing", "Check the path"),
        ] {
            let run = try run(line)
            #expect(run.code > 1 && run.errors.contains(advice), "\(line): \(run.errors)")
        }
    }
}
