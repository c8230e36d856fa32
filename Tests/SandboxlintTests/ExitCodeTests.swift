import Foundation
import TestSupport
import Testing

@Suite("The exit code") struct ExitCodeTests {
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

    /// Runs a shell command in a folder with two containers: `bad` has findings, `clean` has none.
    private func run(_ line: String) throws -> Command {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let script = """
                set -e
                cp -a sample bad
                mkdir -p clean/Documents clean/Library clean/tmp empty
                touch file
                printf 'stale-tpm: 1\\n' > wrong.yml
                printf 'id: x\\n' > empty/x.yml
                printf 'sandboxlint-baseline/1\\n0123456789abcdef stale-tmp com.example.app tmp/gone\\n' > stale.txt
                set +e
                sandboxlint() { \(Command.sandboxlint) "$@"; }
                \(line)
                """
            return try Command("bash", ["-c", script], in: folder)
        }
    }

    @Test("is that of the most severe of several errors: 4, 2, 3, 1", arguments: choices)
    func worst(troubles: [Trouble]) throws {
        let run = try run("sandboxlint lint clean \(troubles.map(\.words).reversed().joined(separator: " "))")
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
            (0, ["lint bad --max-warnings 9 --select stale-tmp", "diff bad bad", "undo bad", "lint bad | true"]),
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
            (2, ["lint missing --config wrong.yml", "lint bad --select nonsense", "init; $T init"]),
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
            (4, ["lint clean > /dev/full", "lint clean --format sarif > /dev/full", "rules list > /dev/full"]),
            (4, ["explain stale-tmp > /dev/full", "rules schema > /dev/full", "fix bad --diff > /dev/full"]),
            (4, ["lint clean >&-", "config show > /dev/full", "diff bad clean > /dev/full", "undo bad > /dev/full"]),
        ] as [(Int32, [String])])
    func classes(code: Int32, lines: [String]) throws {
        for line in lines {
            let run = try run("T=\(Command.sandboxlint); sandboxlint \(line)")
            #expect(run.code == code, "\(line): \(run.code) \(run.errors)")
        }
    }

    @Test(
        "is 3 for a container that was read in part, whatever the findings, and 4 for a report truncated by a full disk"
    )
    func partly() throws {
        try ExpectedFinding.withRepository { folder throws in
            #expect(
                try Command("bash", ["-c", "chmod -R a+rX . && chmod 000 build/app/Library/Caches"], in: folder).code
                    == 0)
            #expect(try unprivileged(["lint", "build/app"], in: folder).code == 3)
            // A limit on the size of files simulates a full disk.
            let limited = "trap '' XFSZ; ulimit -f 8; exec \(Command.sandboxlint) lint build/app missing"
            let run = try Command("bash", ["-c", limited + " --output sarif=a --output json=none/b"], in: folder)
            #expect(run.code == 4 && run.errors.contains("Free disk space"), "\(run.errors)")
        }
    }

    @Test("is that of the run where standard error cannot be written, or the reader of standard output goes away")
    func gone() throws {
        #expect(try run("sandboxlint lint missing 2> /dev/full").code == 3)
        #expect(try run("sandboxlint lint missing 2>&-").code == 3)
        #expect(try run("sandboxlint lint clean --nonsense 2> /dev/full").code == 2)
        let many = "set -o pipefail; sandboxlint lint bad clean --format sarif | head -c 1 > /dev/null"
        #expect(try run(many).code == 1)
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
            ("lint clean --output json=none/x", "Specify another path"), ("lint clean > /dev/full", "free some space"),
            ("explain clean none", "relative to the container"), ("init; $T init", "Edit it"),
            ("diff file clean", "Name a directory"),
            ("diff wrong.json clean", "Create a report with `sandboxlint lint --format json`"),
            ("lint", "--help"), ("rules test empty", "`sandboxlint rules schema rule`"),
            ("fix missing", "Check the path"),
        ] {
            let run = try run("printf '{}' > wrong.json; T=\(Command.sandboxlint); sandboxlint \(line)")
            #expect(run.code > 1 && run.errors.contains(advice), "\(line): \(run.errors)")
        }
    }
}
