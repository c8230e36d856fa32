import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup create --engine with errors", .timeLimit(.minutes(60))) struct EngineFailureTests {
    /// An error, the exit code, and the hint.
    struct Case: CustomTestStringConvertible {
        let tool: String
        let script: String
        var environment: [String: String] = [:]
        let code: Int32
        let says: String
        var testDescription: String { "\(tool): \(says)" }
    }

    static let cases = [
        Case(tool: "restic", script: "rm -r repository", code: 10, says: "create the repository with `restic init`"),
        Case(tool: "borg", script: "rm -r repository", code: 10, says: "create the repository with `borg init`"),
        Case(
            tool: "borg", script: "rm -r repository; mkdir repository; : > repository/x", code: 10,
            says: "not a valid repository"),
        Case(
            tool: "restic",
            script: #"""
                restic -r repository check --limit-download 1 > /dev/null 2>&1 &
                # Under its own name, not under the one that it is written with.
                until ls saved 2> /dev/null | grep -qx '[0-9a-f]\{64\}'; do
                    kill -0 $!; rm -rf saved; cp -r repository/locks saved 2> /dev/null || true
                done
                kill -9 $!; wait $! || true
                cp saved/$(ls saved | grep -x '[0-9a-f]\{64\}') repository/locks
                """#, code: 11,
            says: "wait until the other process ends"),
        Case(
            tool: "borg", script: "mkdir repository/lock.exclusive; : > repository/lock.exclusive/other@1.1-2",
            code: 11,
            says: "wait until the other process ends"),
        Case(
            tool: "restic", script: ":", environment: ["RESTIC_PASSWORD": "wrong"], code: 1,
            says: "provide the password of the repository"),
        Case(
            tool: "borg", script: ":", environment: ["BORG_PASSPHRASE": "wrong"], code: 1,
            says: "provide the password of the repository"),
        Case(
            tool: "restic", script: ":", environment: ["PATH": "/none"], code: 1,
            says: "restic is not on the search path"),
        Case(
            tool: "borg", script: ":", environment: ["PATH": "/none"], code: 1, says: "borg is not on the search path"),
    ]

    @Test("Every failure has its exit code and a hint", .needs(.externalProgram), arguments: cases)
    func failures(_ one: Case) throws {
        try withEngineSample(one.tool) { sample throws in
            try sample.shell(one.script)
            let run = try sample.create(environment: one.environment)
            #expect(run.code == one.code && run.errors.contains(one.says), "\(run.code) \(run.errors)")
            #expect(run.output.isEmpty && !run.errors.contains(sample.repository))
        }
    }

    @Test(
        "An unsupported version, or an unknown exit code, is an error", .needs(.externalProgram),
        arguments: EngineToolTests.tools)
    func foreign(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            try sample.stand(in: #"echo "$(basename "$0") 3.0.0 made by no one""#)
            let newer = try sample.create()
            #expect(newer.code == 1 && newer.errors.contains("unsupported version of \(tool): \(tool) 3.0.0"))
            try sample.stand(
                in: #"""
                    case "$*" in
                    version | --version) exec "$REAL" "$@" ;;
                    esac
                    printf 'the moon is in the wrong \033[31mphase at %s\n' "$RESTIC_REPOSITORY$BORG_REPO" >&2
                    exit 77
                    """#)
            let run = try sample.create()
            #expect(
                run.errors
                    == "sandboxbackup: \(tool) exited with 77: the moon is in the wrong \u{fffd}[31mphase at …\n"
            )
            #expect(run.code == 1 && run.output.isEmpty)
        }
    }

    @Test(
        "Passwords are masked in errors, also if the tool spells the repository differently", .needs(.externalProgram))
    func secrets() throws {
        try withEngineSample("restic") { sample throws in
            var sample = sample
            sample.repository = "rest:https://u:S3cr3tPw@h/"
            try sample.stand(
                in: #"""
                    [ "$1" = version ] && exec "$REAL" "$@"
                    echo "Fatal: rest:https://u:S3cr3tPw@h unreachable; password $RESTIC_PASSWORD refused" >&2
                    exit 1
                    """#)
            try sample.shell("printf 'fr0mFile\\n' > password")
            for (arguments, secret) in [([], "An0ther"), (["--password-file", "password"], "fr0mFile")] {
                let words =
                    ["create", "container", "--engine", "restic", "--repository", sample.repository] + arguments
                let run = try sandboxbackup(
                    words, in: sample.folder,
                    environment: sample.environment.merging(["RESTIC_PASSWORD": "An0ther"]) { $1 })
                #expect(run.code == 1 && !run.errors.contains("S3cr3tPw") && !run.errors.contains(secret))
                #expect(run.errors.contains("rest:https://u:…@h unreachable; password … refused"), "\(run.errors)")
            }
        }
    }

    @Test(
        "A tool that prints endlessly does not block the run", .needs(.externalProgram), .timeLimit(.minutes(60)),
        arguments: EngineToolTests.tools)
    func endless(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            for stage in ["version | --version", #"backup\ * | *paths-from-stdin*"#, #"ls\ * | *\ list\ *"#] {
                try sample.stand(in: #"case "$*" in "# + stage + #") exec yes ;; esac; exec "$REAL" "$@""#)
                let run = try sample.create()
                #expect(run.code == 1 && run.errors.hasPrefix("sandboxbackup: "), "\(stage): \(run.errors)")
                #expect(run.errors.contains(tool) && run.errors.count < 4_000, "\(stage): \(run.errors)")
                #expect(try sample.snapshots() == [])
            }
        }
    }

    /// Runs the tool and sends SIGINT when a stand-in writes to `reached`.
    private func interrupt(_ sample: EngineSample) throws -> Command {
        let script = """
            import os, signal, subprocess, sys
            os.environ["TMPDIR"] = os.path.abspath("temporary")
            # A thread of the tests' own holds signals back, and passes that on.
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            tool = subprocess.Popen(sys.argv[1:])
            open("reached").read()
            print(os.listdir("temporary") != [])
            os.kill(tool.pid, signal.SIGINT)
            print(tool.wait(timeout=60), os.listdir("temporary"), open("ended").read().strip())
            """
        try sample.shell(
            """
            mkfifo reached; mkdir temporary
            sqlite3 container/Documents/used.sqlite "CREATE TABLE a(b)"; : > container/Documents/used.sqlite-journal
            """)
        return try Command(
            "python3",
            [
                "-c", script, Command.sandboxbackup, "create", "container", "--engine", sample.tool, "--repository",
                "repository",
            ], in: sample.folder, environment: sample.environment)
    }

    @Test(
        "Ctrl-C also ends the tool, and staged files are removed", .needs(.externalProgram),
        arguments: EngineToolTests.tools)
    func interrupted(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            try sample.stand(
                in: #"""
                    case "$*" in
                    backup\ * | *paths-from-stdin*) ;;
                    *) exec "$REAL" "$@" ;;
                    esac
                    trap 'echo ended > ../ended; exit 130' INT
                    echo here > ../reached
                    while :; do :; done
                    """#)
            let run = try interrupt(sample)
            #expect(run.text == "True\n130 [] ended\n", "\(run.text) \(run.errors)")
            #expect(run.errors.contains("interrupted") && !run.errors.contains("repository"), "\(run.errors)")
        }
    }

    @Test(
        "Ctrl-C in the second attempt also removes the first one, and snapshots that remain are reported",
        .needs(.externalProgram),
        arguments: EngineToolTests.tools, [true, false])
    func interruptedAgain(tool: String, isTakenAway: Bool) throws {
        try withEngineSample(tool) { sample throws in
            try sample.stand(
                in: #"""
                    case "$*" in
                    backup\ * | *paths-from-stdin*) ;;
                    forget\ * | *\ delete\ *) [ -e mayForget ] || exit 77; exec "$REAL" "$@" ;;
                    *) exec "$REAL" "$@" ;;
                    esac
                    # The stores in use are kept from another place.
                    [ "${PWD##*/}" = container ] || exec "$REAL" "$@"
                    [ -e ../once ] || { : > ../once; printf more >> Documents/letter.txt; exec "$REAL" "$@"; }
                    trap 'echo ended > ../ended; exit 130' INT
                    echo here > ../reached
                    while :; do :; done
                    """#)
            if isTakenAway { try sample.shell(": > mayForget") }
            let run = try interrupt(sample)
            #expect(run.text == "True\n130 [] ended\n", "\(run.text) \(run.errors)")
            let left = try sample.snapshots()
            #expect(
                left.count == (isTakenAway ? 0 : 2) && left.allSatisfy(run.errors.contains), "\(left) \(run.errors)")
            #expect(run.errors.contains("still in the repository") != isTakenAway, "\(run.errors)")
        }
    }

    @Test(
        "A snapshot that cannot be listed is removed, or reported if it remains", .needs(.externalProgram),
        arguments: EngineToolTests.tools)
    func unlisted(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            try sample.stand(
                in: #"case "$*" in ls\ * | *\ list\ *) exit 77 ;; esac; exec "$REAL" "$@""#)
            let run = try sample.create()
            #expect(run.code == 1 && run.errors.contains("\(tool) exited with 77"), "\(run.errors)")
            #expect(try sample.snapshots() == [] && !run.errors.contains("still in the repository"), "\(run.errors)")
            try sample.stand(
                in: #"case "$*" in ls\ * | *\ list\ * | forget\ * | *\ delete\ *) exit 77 ;; esac; exec "$REAL" "$@""#)
            let stuck = try sample.create()
            let left = try sample.snapshots()
            #expect(stuck.code == 1 && left.count == 1 && left.allSatisfy(stuck.errors.contains), "\(stuck.errors)")
        }
    }

    @Test(
        "Conflicting, missing and unknown options are usage errors",
        arguments: [
            ["--store", "s"], ["--engine", "restic"], ["--engine", "tar", "--repository", "r"], [],
            ["--engine", "borg", "--repository", "r", "--option", "sftp.args=-p"],
            ["--repository", "s", "--option", "a=b"],
        ])
    func usage(arguments: [String]) throws {
        try withScratch { folder throws in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "container/Documents"), withIntermediateDirectories: true)
            let run = try sandboxbackup(
                ["create", "container"] + arguments, in: folder,
                environment: ["RESTIC_REPOSITORY": ""])
            #expect(run.code == 2 && run.errors.contains("Usage:"), "\(run.code) \(run.errors)")
        }
    }
}
