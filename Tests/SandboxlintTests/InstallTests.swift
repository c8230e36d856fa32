import Foundation
import TestSupport
import Testing
import ToolSupport

/// Installs files below a scratch prefix, as `make install` does.
@Suite("make install", .needs(.process), .timeLimit(.minutes(60))) struct InstallTests {
    private static let script = Workflow.root.appending(path: "scripts/install-files").path
    private static let list = "share/sandboxlint/installed"
    /// The words that run a program with unblocked signals. It would inherit the blocked signals of a thread of the tests.
    private static let unblocked = [
        "python3", "-c",
        """
        import os, signal, sys
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])
        os.execvp(sys.argv[1], sys.argv[1:])
        """,
    ]

    /// A folder with the files of a release, and a prefix that contains a file of another program.
    private struct Scene {
        let stage: URL
        let prefix: URL
        static let names = ["bin/other-name", "bin/tool", "share/doc/tool/README", "share/man/man1/tool.1"]

        init(in folder: URL) throws {
            (stage, prefix) = (folder.appending(path: "stage"), folder.appending(path: "prefix"))
            try write("first")
            let manual = prefix.appending(path: "share/man/man1")
            try FileManager.default.createDirectory(at: manual, withIntermediateDirectories: true)
            try Data("other".utf8).write(to: manual.appending(path: "other.1"))
        }

        /// Writes the staged files, large enough to be written in several parts.
        func write(_ text: String, names: [String] = Scene.names) throws {
            try? FileManager.default.removeItem(at: stage)
            for name in names {
                let url = stage.appending(path: name)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                if name == "bin/other-name" {
                    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: "tool")
                } else {
                    try Data(String(repeating: text, count: 100_000).utf8).write(to: url)
                    try Command.setUp("chmod", [name.hasPrefix("bin/") ? "755" : "644", url.path])
                }
            }
        }

        func install(_ words: [String] = [], as user: [String] = []) throws -> Command {
            let command = user + [InstallTests.script, "install"] + words + [stage.path, prefix.path]
            return try Command("env", command)
        }

        func uninstall() throws -> Command { try Command(InstallTests.script, ["uninstall", prefix.path]) }

        /// The paths below the prefix, sorted.
        func items() throws -> [String] {
            (FileManager.default.enumerator(atPath: prefix.path)?.compactMap { $0 as? String } ?? []).sorted()
        }

        /// The repeated text of an installed file, or nil if there is no file. A part of a file is an issue.
        func content(_ name: String) throws -> String? {
            guard let data = try? Data(contentsOf: prefix.appending(path: name)) else { return nil }
            let text = String(decoding: data.prefix(5), as: UTF8.self) == "first" ? "first" : "second"
            #expect(String(decoding: data, as: UTF8.self) == String(repeating: text, count: 100_000), "\(name)")
            return text
        }
    }

    private static func withScene(_ body: (Scene) throws -> Void) throws {
        try withScratch { folder throws in try body(Scene(in: folder)) }
    }

    @Test(
        "The three tools, their manual pages and completions are installed, run, and are removed without a trace",
        .needs(.process))
    func tools() throws {
        try withSample { sample throws in
            let folder = URL(fileURLWithPath: sample).deletingLastPathComponent()
            let (stage, prefix) = (folder.appending(path: "stage").path, folder.appending(path: "usr local"))
            let built = URL(fileURLWithPath: Command.sandboxlint).deletingLastPathComponent().path
            try Command.setUp(Workflow.root.appending(path: "scripts/stage-release").path, [built, stage])
            try FileManager.default.createDirectory(at: prefix, withIntermediateDirectories: true)
            let install = try Command(Self.script, ["install", stage, prefix.path])
            #expect(install.code == 0, "\(install.errors)")
            let installed = try Set(FileManager.default.subpathsOfDirectory(atPath: prefix.path))
            for tool in ["sandboxlint", "sandboxbackup", "sandboxfm"] {
                #expect(
                    installed.isSuperset(of: [
                        "bin/\(tool)", "share/man/man1/\(tool).1", "share/bash-completion/completions/\(tool)",
                        "share/zsh/site-functions/_\(tool)", "share/fish/vendor_completions.d/\(tool).fish",
                    ]), "\(tool)")
                let version = try Command(prefix.appending(path: "bin/\(tool)").path, ["--version"])
                #expect(version.code == 0 && version.text == "0.1.0\n", "\(version.errors)")
            }
            #expect(installed.contains("share/man/man1/sandboxbackup-create.1"))
            // The installed program names its own schema.
            let schema = "share/sandboxlint/schemas/config.json"
            let bin = prefix.appending(path: "bin/sandboxlint").path
            try Command.setUp(bin, ["init"], in: folder)
            let configuration = try String(contentsOf: folder.appending(path: ".sandboxlint.yml"), encoding: .utf8)
            #expect(configuration.hasPrefix("# yaml-language-server: $schema=\(prefix.path)/\(schema)\n"))
            let printed = try sandboxlint("rules", "schema", "config").output
            #expect(try Data(contentsOf: prefix.appending(path: schema)) == printed)
            #expect(
                installed.isSuperset(
                    of: ["rule", "report", "diff", "trend"].map { "share/sandboxlint/schemas/\($0).json" }))
            #expect(installed.contains("share/doc/sandboxlint/LICENSE"))
            try Self.checkPages(in: prefix.appending(path: "share/doc/sandboxlint"))
            let lint = try Command(
                prefix.appending(path: "bin/sandboxlint").path, ["lint", "sample"], in: folder)
            #expect(lint.code == 1 && lint.text.contains("error[regenerable-in-documents]"), "\(lint.errors)")
            let uninstall = try Command(Self.script, ["uninstall", prefix.path])
            #expect(uninstall.code == 0, "\(uninstall.errors)")
            #expect(try FileManager.default.subpathsOfDirectory(atPath: prefix.path).isEmpty)
        }
    }

    /// Checks that the links of installed pages lead to installed files and headings, and that no page for users is missing.
    private static func checkPages(in folder: URL) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        let guides = Set(DocumentationPage.guides.map(\.path))
        #expect(guides.subtracting(names).isEmpty && names.contains("rules/docs/stale-tmp.md"), "\(names)")
        func page(_ url: URL) throws -> DocumentationPage {
            DocumentationPage(url.path, text: try String(contentsOf: url, encoding: .utf8))
        }
        var count = 0
        for name in names {
            let url = folder.appending(path: name)
            for link in DocumentationLinkTests.links(of: try page(url)) {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let target =
                    parts[0].isEmpty ? url : url.deletingLastPathComponent().appending(path: parts[0]).standardized
                guard FileManager.default.fileExists(atPath: target.path), target.path.hasPrefix(folder.path) else {
                    Issue.record("\(name): \(link)")
                    continue
                }
                count += 1
                guard parts.count == 2 else { continue }
                #expect(try DocumentationLinkTests.anchors(of: page(target)).contains(parts[1]), "\(name): \(link)")
            }
        }
        #expect(count > 200)
    }

    @Test("A directory of programs that is not in PATH is a hint with the line that adds it")
    func path() throws {
        try Self.withScene { scene throws in
            let programs = scene.prefix.appending(path: "bin").path
            let hint = "hint: \(programs) is not in PATH"
            let first = try scene.install()
            #expect(first.code == 0 && first.errors.contains(hint), "\(first.errors)")
            let line = try #require(first.errors.split(separator: "\n").last)
            // The line makes the program available.
            let found = try Command("bash", ["-c", "\(line); command -v tool"])
            #expect(found.text == "\(programs)/tool\n", "\(found.errors)")
            let path = "\(programs)/:\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
            #expect(try scene.install(as: ["PATH=\(path)"]).errors.isEmpty)
            // The files of a package are not used where they are written.
            let root = scene.stage.deletingLastPathComponent().appending(path: "root").path
            #expect(try scene.install(["--destdir", root]).errors.isEmpty)
        }
    }

    @Test("uninstall removes what was installed, and nothing else")
    func uninstall() throws {
        try Self.withScene { scene throws in
            let before = try scene.items()
            let installed = try scene.install()
            #expect(installed.code == 0 && installed.text == "installed 4 files to \(scene.prefix.path)\n")
            let modes = try Command("ls", ["-ld", "bin/tool", "share/man/man1/tool.1"], in: scene.prefix).text
            #expect(modes.matches(of: /-rwxr-xr-x|-rw-r--r--/).map(\.output) == ["-rwxr-xr-x", "-rw-r--r--"])
            try Data().write(to: scene.prefix.appending(path: "share/doc/tool/of-the-user"))
            #expect(try scene.uninstall().text == "removed 4 files from \(scene.prefix.path)\n")
            #expect(
                try scene.items() == (before + ["share/doc", "share/doc/tool", "share/doc/tool/of-the-user"]).sorted())
            let again = try scene.uninstall()
            #expect(again.code == 1 && again.errors.contains("nothing is installed in"), "\(again.errors)")
        }
    }

    @Test(
        "A second version replaces each file, while a program that runs keeps its own, and removes files it no longer has"
    )
    func update() throws {
        try Self.withScene { scene throws in
            let before = try scene.items()
            #expect(try scene.install().code == 0)
            let running = try FileHandle(forReadingFrom: scene.prefix.appending(path: "bin/tool"))
            defer { try? running.close() }
            try scene.write("second", names: ["bin/tool", "share/doc/tool/README"])
            #expect(try scene.install().code == 0)
            #expect(try running.readToEnd() == Data(String(repeating: "first", count: 100_000).utf8))
            #expect(try scene.content("bin/tool") == "second")
            #expect(try scene.content("share/man/man1/tool.1") == nil)
            #expect(try !scene.items().contains("bin/other-name"))
            #expect(try scene.uninstall().code == 0)
            #expect(try scene.items() == before)
        }
    }

    @Test("DESTDIR is put before the prefix, whose parents it may lack")
    func destination() throws {
        try Self.withScene { scene throws in
            let root = scene.stage.deletingLastPathComponent().appending(path: "package/root").path
            #expect(try Command(Self.script, ["install", "--destdir", root, scene.stage.path, "/opt/tools"]).code == 0)
            #expect(FileManager.default.isExecutableFile(atPath: root + "/opt/tools/bin/tool"))
            #expect(try Command(Self.script, ["uninstall", "--destdir", root, "/opt/tools"]).code == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/opt/tools").isEmpty)
        }
    }

    @Test("A prefix that cannot be written is an error that says so, and nothing is changed", .needs(.externalProgram))
    func readOnly() throws {
        try Self.withScene { scene throws in
            // Another user must reach the folder and read the files.
            try Command.setUp("chmod", ["-R", "a+rX,a-w", scene.prefix.path])
            defer { _ = try? Command("chmod", ["-R", "u+w", scene.prefix.path]) }
            let before = try TreeListing(of: scene.prefix)
            let run = try scene.install(as: Command.unprivileged)
            #expect(run.code == 1 && run.text.isEmpty)
            #expect(
                run.errors.contains(
                    "error: cannot write “\(scene.prefix.path)/share/sandboxlint”: permission denied; no"))
            #expect(run.errors.contains("\nhint: choose another PREFIX, or run: sudo "), "\(run.errors)")
            #expect(try TreeListing(of: scene.prefix) == before)
        }
    }

    @Test("A file where a directory belongs, and a directory where a file belongs, are errors that change nothing")
    func obstacles() throws {
        try Self.withScene { scene throws in
            try Data().write(to: scene.prefix.appending(path: "bin"))
            let before = try scene.items()
            let file = try scene.install()
            #expect(
                file.code == 1 && file.errors.contains("/prefix/bin”: not a directory; no file was"), "\(file.errors)")
            #expect(try scene.items() == before)
            try FileManager.default.removeItem(at: scene.prefix.appending(path: "bin"))
            try FileManager.default.createDirectory(
                at: scene.prefix.appending(path: "bin/tool"), withIntermediateDirectories: true)
            let folder = try scene.install()
            #expect(
                folder.code == 1 && folder.errors.contains("bin/tool”: is a directory; no file"), "\(folder.errors)")
            #expect(
                try scene.items() == ["bin", "bin/tool", "share", "share/man", "share/man/man1"] + [
                    "share/man/man1/other.1"
                ])
        }
    }

    @Test("A damaged list of files is an error, and a path outside the prefix is never removed")
    func damagedList() throws {
        try Self.withScene { scene throws in
            #expect(try scene.install().code == 0)
            let victim = scene.prefix.deletingLastPathComponent().appending(path: "victim")
            try Data().write(to: victim)
            let before = try scene.items()
            for line in [
                "file ../victim", "file \(victim.path)", "file share/../../victim", "socket bin/tool", "file ",
            ] {
                try Data("file bin/tool\n\(line)\n".utf8).write(to: scene.prefix.appending(path: Self.list))
                for run in try [scene.uninstall(), scene.install()] {
                    #expect(run.code == 1 && run.errors.contains("is damaged: line 2 is not"), "\(line): \(run.errors)")
                }
            }
            #expect(try scene.items() == before && FileManager.default.fileExists(atPath: victim.path))
        }
    }

    @Test(
        "An installation that is killed at any rename leaves complete files, and is repeated or removed afterwards",
        .enabled(if: Platform.isLinux), arguments: ["SIGKILL", "SIGINT", "SIGTERM"])
    func interrupted(signal: String) throws {
        // The list, four files, and the list without those of an earlier version.
        for rename in 1...6 {
            try Self.withScene { scene throws in
                let before = try scene.items()
                if rename.isMultiple(of: 2) {
                    #expect(try scene.install().code == 0)
                    try scene.write("second")
                }
                let injection = ["-qq", "-e", "trace=rename", "-e", "inject=rename:signal=\(signal):when=\(rename)"]
                let run = try scene.install(as: Self.unblocked + ["strace", "-o", "/dev/null"] + injection)
                switch signal {
                case "SIGINT": #expect(run.code == 130 && run.errors.contains("interrupted: "), "\(run.errors)")
                case "SIGTERM": #expect(run.code == 143 && run.errors.contains("interrupted: "), "\(run.errors)")
                default: #expect(run.code != 0)
                }
                for name in Scene.names { _ = try scene.content(name) }
                let leftovers = try scene.items().filter { $0.contains(".sandboxlint-install") }
                #expect(leftovers.count <= (signal == "SIGKILL" ? 1 : 0), "\(leftovers)")
                let expected = rename.isMultiple(of: 2) ? "second" : "first"
                #expect(try scene.install().code == 0)
                for name in Scene.names { #expect(try scene.content(name) == expected) }
                #expect(try !scene.items().contains { $0.contains(".sandboxlint-install") })
                #expect(try scene.uninstall().code == 0)
                #expect(try scene.items() == before)
            }
        }
    }
}
