import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("sandboxlint lint --booted", .needs(.process), .timeLimit(.minutes(60))) struct BootedTests {
    /// Answers for the data container with `data`, and for groups with `groups`.
    private static func answers(data: String, groups: String = ":") -> String {
        """
        case "$*" in
        "simctl get_app_container booted com.example.app data") \(data) ;;
        "simctl get_app_container booted com.example.app groups") \(groups) ;;
        *) echo "unexpected arguments: $*" >&2; exit 64 ;;
        esac
        """
    }

    @Test("The container and the app's groups are linted, with the findings of the directories themselves")
    func installed() throws {
        try withXcrunSample { sample throws in
            let group = try makeContainer(at: sample.folder.appending(path: "group"), "group.com.example.app")
            try sample.install(
                Self.answers(data: "echo $PWD/container", groups: "printf 'group.com.example.app\\t%s\\n' $PWD/group"))
            let report = try sample.report("--booted", "com.example.app")
            #expect(report.run.code == 1 && report.run.errors.isEmpty, "\(report.run.errors)")
            #expect(report.inputs.map { $0["bundleID"] as? String } == ["com.example.app", "group.com.example.app"])
            let alone = try [sample.container, group].map { try sample.report($0.location.string) }
            #expect(report.fingerprints == alone[0].fingerprints.union(alone[1].fingerprints))
            #expect(alone.allSatisfy { !$0.findings.isEmpty })
            let text = try sample.lint("--booted", "com.example.app")
            #expect(text.text.contains("--> com.example.app: Documents/images/a.jpg"), "\(text.text)")
            #expect(try sample.leftovers == [])
        }
    }

    @Test("A group without the standard directories is linted, and everything in it is backed up")
    func bareGroup() throws {
        try withXcrunSample { sample throws in
            let group = sample.folder.appending(path: "group")
            try FileManager.default.createDirectory(at: group, withIntermediateDirectories: false)
            try Data(count: 4_096).write(to: group.appending(path: "cache.bin"))
            try sample.install(
                Self.answers(data: "echo $PWD/container", groups: "printf 'ABCDE.example\\t%s\\n' $PWD/group"))
            let report = try sample.report("--booted", "com.example.app")
            #expect(report.inputs.count == 2)
            let summary = try #require(
                try JSONSerialization.jsonObject(with: report.run.output) as? [String: Any])["summary"]
            let backedUp = try #require((summary as? [String: Any])?["backedUpBytes"] as? Int)
            #expect(backedUp >= 4_096)
        }
    }

    @Test(
        "An answer without a container exits with 3 and the solution",
        arguments: [
            ("echo 'No devices are booted.' >&2; exit 148", "no simulator is booted. Start one in Xcode"),
            (
                "echo 'An error was encountered processing the command (domain=NSPOSIXErrorDomain, code=2):' >&2; exit 2",
                "“com.example.app” is not installed in the booted simulator"
            ),
            (
                "echo 'xcrun: error: unable to find utility \"simctl\", not a developer tool' >&2; exit 72",
                "xcode-select --switch"
            ),
            (
                "printf 'unknown\\033[31m failure\\n' >&2; exit 5",
                "exited with 5 and printed “unknown\u{fffd}[31m failure”"
            ),
            ("echo $PWD/nowhere", "nowhere”, which does not exist. Launch the app once"),
            ("echo $PWD/bin", "is not an app container"),
            ("echo hello", "printed no path for “com.example.app”: “hello”"),
            ("echo relative/../../etc", "printed no path"),
            ("printf '/a/../b'", "printed no path"),
            ("head -c 100000 /dev/urandom", "xcrun simctl printed"),
            (":", "printed no path for “com.example.app”: nothing"),
            ("exec yes", "xcrun exceeded the output limit and was stopped"),
            ("yes & wait", "xcrun exceeded the output limit and was stopped"),
            ("exec head -c 300000000 /dev/zero", "xcrun exceeded the output limit and was stopped"),
            ("kill -9 $$", "exited with 137"),
        ])
    func refused(answer: String, message: String) throws {
        try withXcrunSample { sample throws in
            try sample.install(Self.answers(data: answer))
            let run = try sample.lint("--booted", "com.example.app")
            #expect(run.code == 3 && run.errors.contains(message), "\(run.code) \(run.errors)")
            #expect(run.errors.count < 2_000 && run.errors.hasPrefix("sandboxlint: "), "\(run.errors)")
            #expect(!run.errors.contains("\u{1b}"))
        }
    }

    @Test("Without xcrun, the message names Xcode; an app that is missing does not stop the others")
    func missing() throws {
        try withXcrunSample { sample throws in
            let alone = try sample.lint("--booted", "com.example.app")
            #expect(alone.code == 3, "\(alone.errors)")
            #expect(alone.errors.contains("xcrun is not on the search path. It is part of Xcode"), "\(alone.errors)")
            let both = try sample.lint("--booted", "com.example.app", "container")
            #expect(both.code == 3 && both.text.contains("Documents/images/a.jpg"), "\(both.text)")
        }
    }

    @Test("A question about groups that fails, or a line that is not understood, is a note")
    func groups() throws {
        try withXcrunSample { sample throws in
            for (groups, note) in [
                (
                    "echo broken >&2; exit 1",
                    "the app groups of com.example.app are not read: xcrun simctl printed “broken”"
                ),
                ("echo nonsense", "a line about app groups was not understood: “nonsense”"),
                ("printf '../x\\t/tmp\\n'", "was not understood"),
            ] {
                try sample.install(Self.answers(data: "echo $PWD/container", groups: groups))
                let run = try sample.lint("--booted", "com.example.app")
                #expect(run.code == 1 && run.errors.contains(note), "\(run.errors)")
            }
        }
    }

    @Test(
        "A bundle identifier that is an option or a path is refused before xcrun runs",
        arguments: ["--help", "a/b", "a b", "-x"])
    func identifier(text: String) throws {
        try withXcrunSample { sample throws in
            try sample.install("touch reached; echo $PWD/container")
            let run = try sample.lint("--booted=\(text)")
            #expect(run.code == 3 && run.errors.contains("is not a bundle identifier"), "\(run.errors)")
            #expect(try !names(in: sample.folder).contains("reached"))
        }
    }
}
