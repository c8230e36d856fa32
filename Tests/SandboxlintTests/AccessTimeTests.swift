import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Access times", .needs(.externalProgram)) struct AccessTimeTests {
    /// A container that all users may read, with old access times.
    private func withContainer(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c")
            let container = try Container.create(at: FilePath(path.path), bundleIdentifier: "com.example.app")
            try container.save("{\"a\": 1}", to: .documents / "a.json")
            try folder.allowReading()
            try Command.setUp("sh", ["-c", "find . -print0 | xargs -0 touch -a -t 200101010000.00"], in: folder)
            try body(folder)
        }
    }

    private func times(in folder: URL) throws -> String {
        let script =
            "import os; [print(r, os.stat(r).st_atime_ns, [(n, os.lstat(r + '/' + n).st_atime_ns) for n in sorted(f)])"
            + " for r, d, f in os.walk('c')]"
        return try Command("python3", ["-c", script], in: folder).text
    }

    @Test("are kept for the owner of the files, and no note is printed")
    func kept() throws {
        try withContainer { folder throws in
            let before = try times(in: folder)
            // The note is about all reads of a process.
            let run = try Command(Command.sandboxlint, ["lint", "c", "--isolated"], in: folder)
            #expect(run.errors.isEmpty, "\(run.errors)")
            #expect(try times(in: folder) == before)
        }
    }

    @Test(
        "may change for other users, and every command that reads the container prints a note",
        .needs([.externalProgram, .root]),
        .enabled(if: getuid() == 0, "only root can run the tool as someone else"),
        arguments: [
            ["lint", "c", "--isolated"], ["lint", "c", "--isolated", "-q"], ["explain", "c", "Documents/a.json"],
            ["diff", "c", "c"], ["baseline", "diff", "c", "--baseline", "b.txt"],
        ])
    func moved(arguments: [String]) throws {
        try withContainer { folder throws in
            try Data("sandboxlint-baseline/3\n".utf8).write(to: folder.appending(path: "b.txt"))
            let run = try unprivileged(arguments, in: folder)
            #expect(
                run.errors.contains("belong to another user, so reading them may have changed their access times"),
                "\(run.errors)")
            #expect(run.errors.components(separatedBy: "their access times").count == 2)
        }
    }
}
