import AppContainer
import ExternalPrograms
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@testable import ContainerInputs

@Suite("sandboxlint lint --device", .timeLimit(.minutes(60))) struct DeviceTests {
    /// Checks the arguments, sets `target` to the destination, and runs `script`.
    private static func copying(_ script: String) -> String {
        """
        words="$*"
        target="${words##* --destination }"
        [ "$words" = "devicectl device copy from --device iPhone --domain-type appDataContainer \
        --domain-identifier com.example.app --source / --destination $target" ] || {
            echo "unexpected arguments: $words" >&2; exit 64
        }
        \(script)
        """
    }

    @Test(
        "The copy is private, has the findings of the container, and is removed", .needs(.process),
        arguments: ["cp -R container/. $target", "cp -R container $target"])
    func copied(script: String) throws {
        try withXcrunSample { sample throws in
            try sample.install(Self.copying("ls -ld $target | cut -c1-10 > mode; \(script)"))
            let report = try sample.report("--device", "iPhone", "--bundle-id", "com.example.app")
            #expect(report.run.code != 3 && report.run.errors.isEmpty, "\(report.run.errors)")
            #expect(report.inputs.map { $0["bundleID"] as? String } == ["com.example.app"])
            #expect(try String(contentsOf: sample.folder.appending(path: "mode"), encoding: .utf8) == "drwx------\n")
            #expect(try sample.leftovers == [])
        }
    }

    @Test(
        "If the copy has no exclusion, exclusions are unknown and backup findings are notes; otherwise they are known",
        .needs(.process))
    func evidence() throws {
        try withXcrunSample { sample throws in
            let words = ["--device", "iPhone", "--bundle-id", "com.example.app"]
            try sample.install(Self.copying("cp -a container/. $target"))
            let before = try sample.report("container")
            let unknown = try sample.report(words[0], words[1], words[2], words[3])
            #expect(unknown.fingerprints == before.fingerprints)
            #expect(unknown.findings.first?.severity == "note" && unknown.run.code == 0, "\(unknown.lines)")
            #expect(unknown.inputs.first?["exclusionEvidence"] as? String == "none")
            let text = try sample.lint(words[0], words[1], words[2], words[3]).text
            #expect(text.contains("note: backup exclusions of com.example.app are unknown"), "\(text)")
            #expect(text.contains("`ditto -c -k --sequesterRsrc`") && text.contains("`tar --xattrs`"))
            try sample.container.save("x", to: .library / "excluded", options: .init(durability: .none))
            try sample.container.excludeFromBackup(.library / "excluded")
            let known = try sample.report(words[0], words[1], words[2], words[3])
            #expect(known.findings.first?.severity == "error" && known.run.code == 1, "\(known.lines)")
            #expect(known.fingerprints == (try sample.report("container").fingerprints))
        }
    }

    @Test(
        "A failed copy exits with 3 and the solution, and leaves nothing", .needs(.process),
        arguments: [
            (
                "echo 'ERROR: The device was not found.' >&2; exit 1",
                "exited with 1 and printed “ERROR: The device was not"
            ),
            (":", "copied no container of “com.example.app” from “iPhone”"),
            ("echo x > $target/file", "copied no container"),
            ("rm -r $target", "copied no container"),
            ("cp -R container $target; exit 3", "exited with 3 and printed nothing"),
            ("mkdir $target/Documents; exec yes", "exceeded the output limit and was stopped"),
        ])
    func failed(script: String, message: String) throws {
        try withXcrunSample { sample throws in
            try sample.install(Self.copying(script))
            let run = try sample.lint("--device", "iPhone", "--bundle-id", "com.example.app")
            #expect(run.code == 3 && run.errors.contains(message), "\(run.code) \(run.errors)")
            #expect(try sample.leftovers == [])
        }
    }

    @Test("A program that does not end is stopped at the time limit, and that is the message", .needs(.process))
    func endless() throws {
        try withXcrunSample { sample throws in
            try sample.install("exec sleep 1000")
            let xcrun = ExternalProgram(name: "xcrun", file: sample.folder.appending(path: "bin/xcrun").path)
            let tools = DeveloperTools(xcrun: xcrun, questionLimit: .milliseconds(100))
            let start = ContinuousClock.now
            let error = #expect(throws: InputError.self) { _ = try tools.installedApp("com.example.app") }
            #expect(error?.description.contains("did not end within") == true, "\(error?.description ?? "")")
            #expect(.now - start < .seconds(60))
        }
    }

    @Test(
        "A signal during the copy ends xcrun and removes the copy, even if xcrun ignores SIGINT",
        .needs(.externalProgram),
        arguments: [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)], ["trap 'exit 1' INT", "trap '' INT"])
    func signal(signal: (name: String, code: Int), trap: String) throws {
        try withXcrunSample { sample throws in
            try sample.install(
                Self.copying(
                    """
                    \(trap)
                    mkdir -p $target/Documents/deep; echo x > $target/Documents/deep/file
                    echo $$ > reached
                    while :; do :; done
                    """))
            let script = """
                import os, signal, subprocess, sys
                # A thread of the tests' own holds signals back, and passes that on.
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                tool = subprocess.Popen(sys.argv[2:])
                child = int(open("reached").read())
                print(len(os.listdir("temporary")))
                os.kill(tool.pid, getattr(signal, sys.argv[1]))
                print(tool.wait(timeout=60), os.listdir("temporary"))
                try:
                    os.kill(child, 0)
                    print("xcrun is running")
                except ProcessLookupError:
                    pass
                """
            try createPipe(sample.folder.path + "/reached")
            let run = try Command(
                "python3",
                [
                    "-c", script, signal.name, Command.sandboxlint, "lint", "--device", "iPhone", "--bundle-id",
                    "com.example.app",
                ], in: sample.folder, environment: sample.environment)
            #expect(run.text == "1\n\(signal.code) []\n", "\(run.text) \(run.errors)")
            #expect(
                run.errors.hasPrefix("sandboxlint: ") && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
        }
    }

    @Test(
        "Options that do not fit together are usage errors",
        arguments: [
            (["--device", "iPhone"], "--device needs --bundle-id"), ([], "Specify a container"),
        ])
    func usage(arguments: [String], message: String) throws {
        let run = try sandboxlint(["lint"] + arguments)
        #expect(run.code == 2 && run.errors.contains(message), "\(run.errors)")
    }
}
