import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Access times") struct AccessTimeTests {
    /// A container that everyone may read, with access times of long ago.
    private func withContainer(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c")
            let container = try Container.create(at: FilePath(path.path), bundleIdentifier: "com.example.app")
            try container.save("{\"a\": 1}", to: .documents("a.json"))
            let made = "chmod -R a+rX . && find . -print0 | xargs -0 touch -a -d 2001-01-01"
            #expect(try Command("sh", ["-c", made], in: folder).code == 0)
            try body(folder)
        }
    }

    private func times(in folder: URL) throws -> String {
        try Command("sh", ["-c", "find c | sort | xargs -d '\n' stat -c '%x %n'"], in: folder).text
    }

    @Test("are kept for who owns the files, and nothing is said")
    func kept() throws {
        try withContainer { folder throws in
            let before = try times(in: folder)
            let run = try sandboxlint("lint", "c", "--isolated", in: folder)
            #expect(run.errors.isEmpty, "\(run.errors)")
            #expect(try times(in: folder) == before)
        }
    }

    @Test(
        "may move for who does not own the files, and every command that reads the container says so",
        .enabled(if: getuid() == 0, "only root can run the tool as someone else"),
        arguments: [
            ["lint", "c", "--isolated"], ["lint", "c", "--isolated", "-q"], ["explain", "c", "Documents/a.json"],
            ["diff", "c", "c"], ["baseline", "diff", "c", "--baseline", "b.txt"],
        ])
    func moved(arguments: [String]) throws {
        try withContainer { folder throws in
            try Data("sandboxlint-baseline/1\n".utf8).write(to: folder.appending(path: "b.txt"))
            let run = try unprivileged(arguments, in: folder)
            #expect(
                run.errors.contains("belongs to another user, so its access times may have changed"), "\(run.errors)")
            #expect(run.errors.components(separatedBy: "access times may have changed").count == 2)
        }
    }
}
