import Foundation
import TestSupport
import Testing

/// The parts of a release that need no release build. `scripts/check-release` checks the files of one.
@Suite("Release files", .timeLimit(.minutes(60)), .enabled(if: Platform.isLinux)) struct ReleaseTests {
    private static func text(of path: String) throws -> String {
        try String(contentsOf: Workflow.root.appending(path: path), encoding: .utf8)
    }

    @Test(
        "The name by which the file is started selects the tool, and any other name the linter",
        .needs(.externalProgram))
    func entry() throws {
        try withScratch { folder throws in
            let tools = ["sandboxlint", "sandboxbackup", "sandboxfm"]
            let mains = tools.map { tool in
                """
                int \(tool)_main(int count, char **arguments) {
                    printf("\(tool) %d %s\\n", count, arguments[count - 1]);
                    return \(tool.count);
                }
                """
            }
            let source = "#include <stdio.h>\n\(mains.joined(separator: "\n"))"
            try Data(source.utf8).write(to: folder.appending(path: "tools.c"))
            let entry = Workflow.root.appending(path: "scripts/release/entry.c").path
            try Command.setUp("clang", ["-Wall", "-Werror", "-o", "sandboxlint", entry, "tools.c"], in: folder)
            for name in ["sandboxbackup", "sandboxfm", "lint", "sandboxfm-old"] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.appending(path: name).path, withDestinationPath: "sandboxlint")
            }
            let selected = ["sandboxbackup", "sandboxfm"]
            for name in try names(in: folder) where name != "tools.c" {
                let tool = selected.contains(name) ? name : "sandboxlint"
                let run = try Command("./\(name)", ["word"], in: folder)
                #expect(run.code == tool.count && run.text == "\(tool) 2 word\n", "\(name): \(run.text)")
                let path = try Command(folder.appending(path: name).path, ["a/sandboxfm"])
                #expect(path.text == "\(tool) 2 a/sandboxfm\n", "\(name): \(path.text)")
            }
        }
    }

    @Test("Swift gets the arguments from the entry point, and does not need /proc", .needs(.externalProgram))
    func arguments() throws {
        try withScratch { folder throws in
            let source = """
                #include <stdio.h>
                static int known;
                void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count) {
                    known = count;
                    printf("%s ", arguments[count - 1]);
                }
                int sandboxlint_main(int count, char **arguments) { return known == count ? 7 : 0; }
                int sandboxbackup_main(int count, char **arguments) { return 0; }
                int sandboxfm_main(int count, char **arguments) { return 0; }
                """
            try Data(source.utf8).write(to: folder.appending(path: "tools.c"))
            let entry = Workflow.root.appending(path: "scripts/release/entry.c").path
            try Command.setUp("clang", ["-Wall", "-Werror", "-o", "sandboxlint", entry, "tools.c"], in: folder)
            let run = try Command("./sandboxlint", ["lint", "a"], in: folder)
            #expect(run.code == 7 && run.text == "a ", "\(run.text)")
        }
    }

    @Test("Each library of a release is linked, installed with the needs, and has its licence in the release")
    func libraries() throws {
        let (link, needs, dist) = (
            try Self.text(of: "scripts/link-tools"), try Self.text(of: "scripts/install-needs"),
            try Self.text(of: "scripts/dist")
        )
        let names = try #require(link.firstMatch(of: /for library in ([a-z0-9+ ]+); do/)).output.1.split(separator: " ")
        let linked = link.matches(of: /[ (]-l([a-z0-9+]+)/).map(\.output.1)
        #expect(Set(names) == Set(linked))
        let installed = try #require(needs.firstMatch(of: /static=\((.+)\)/)).output.1.split(separator: " ")
        #expect(installed.count >= 5)
        for pair in installed {
            let parts = pair.split(separator: ":")
            #expect(names.contains(parts[0]) && dist.contains(parts[1]), "\(pair)")
        }
    }

    @Test("An unknown format is an error before anything is linked or written", .needs(.process))
    func formats() throws {
        try withScratch { folder throws in
            let output = folder.appending(path: "dist")
            let script = Workflow.root.appending(path: "scripts/dist").path
            let run = try Command(script, [folder.path, output.path, "archive", "rpm"])
            #expect(run.code == 1 && run.errors.contains("error: unknown format “rpm”"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: output.path))
        }
    }

    @Test("The tools of the build are linked only if all three exist", .needs(.process))
    func missingTool() throws {
        try withScratch { folder throws in
            let script = Workflow.root.appending(path: "scripts/link-tools").path
            let run = try Command(script, [folder.path, folder.appending(path: "tools").path])
            #expect(
                run.code == 1 && run.errors.contains("sandboxlint” does not exist; build the tool"), "\(run.errors)")
            #expect(try names(in: folder).isEmpty)
        }
    }

    @Test("The documented version of glibc is the one that a release is checked against")
    func glibc() throws {
        let match = try #require(try Self.text(of: "scripts/dist").firstMatch(of: /\nglibc=([0-9.]+)\n/))
        #expect(try Self.text(of: "docs/install.md").contains("glibc \(match.1) or later"))
    }
}
