import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Error messages of sandboxbackup", .timeLimit(.minutes(60))) struct ErrorLineTests {
    private static let name = "c\n::error::pwned\r::add-mask::x\u{202e}\u{1b}[2J"

    @Test("A name cannot start a line, control a terminal or reverse the text")
    func names() throws {
        try withScratch { folder throws in
            let name = Self.name
            try FileManager.default.createDirectory(
                at: folder.appending(path: "full/\(name)/tmp"), withIntermediateDirectories: true)
            try Data().write(to: folder.appending(path: "file\(name)"))
            let (container, file) = ("full/\(name)", "file\(name)")
            for arguments in [
                ["plan", name], ["plan", container, "--explain", name], ["plan", container, "--format", name],
                ["plan", container, "--format=\(name)"], ["plan", container, name], [name, "x"], ["--\(name)"],
                ["snapshots", "--repository", name], ["snapshots", "--repository", file],
                ["snapshots", "--repository", "full"],
                ["create", container, "--repository", "\(container)/store"], ["create", name, "--repository", "full"],
                ["create", container, "--repository", "full"], ["restore", name, "--to", name, "--repository", name],
                ["import", name, "--repository", "s"], ["import", container, "--repository", "s"],
                ["create", container, "--engine", "restic", "--repository", name, "--password-file", "none\(name)"],
            ] {
                let run = try sandboxbackup(arguments, in: folder)
                #expect(run.code != 0, "\(arguments)")
                let lines = run.errors.split(whereSeparator: \.isNewline)
                #expect(!lines.contains { $0.hasPrefix("::") }, "\(arguments): \(run.errors)")
                let steering: [Unicode.Scalar] = ["\r", "\u{1b}", "\u{202e}"]
                #expect(!run.errors.unicodeScalars.contains(where: steering.contains), "\(arguments): \(run.errors)")
            }
        }
    }

    @Test(
        "An unknown command is answered with the most similar one",
        arguments: [
            (
                ["list", "--repository", "s"],
                "list” is not a command; did you mean “sandboxbackup ls” or “sandboxbackup snapshots”?"
            ),
            (["fsck", "--repository", "s"], "fsck” is not a command; did you mean “sandboxbackup verify”?"),
            (["backup", "c", "--repository", "s"], "backup” is not a command; did you mean “sandboxbackup create”?"),
            (["snapshot"], "did you mean “sandboxbackup create”?"),
            (["snapshoots"], "did you mean “sandboxbackup snapshots”?"),
            (["restroe", "1"], "did you mean “sandboxbackup restore”?"),
            (["Verify"], "did you mean “sandboxbackup verify”?"), (["imprt"], "did you mean “sandboxbackup import”?"),
            (
                ["frobnicate"],
                "the commands are plan, create, snapshots, ls, find, history, dump, diff, stats, verify, check, repair, restore"
            ),
        ])
    func command(arguments: [String], says: String) throws {
        let run = try sandboxbackup(arguments)
        #expect(run.code == 2 && run.output.isEmpty)
        let start = "sandboxbackup: “sandboxbackup "
        #expect(run.errors.hasPrefix(start) && run.errors.contains(says), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test("Commands, help and options are recognized")
    func noMistake() throws {
        for arguments in [["help"], ["help", "create"], ["--version"], ["--help"], ["plan", "--help"], []] {
            let run = try sandboxbackup(arguments)
            #expect(run.code == 0 && run.errors.isEmpty, "\(arguments): \(run.errors)")
        }
    }

    @Test(
        "An option of restic or borg is answered with what to use here",
        arguments: [
            (["create", "c", "--retry-lock", "5m"], "“--retry-lock” is not an option; use “--wait”"),
            (["create", "c", "--lock-wait=5"], "use “--wait”"), (["create", "--stdin"], "restic backup --stdin"),
            (["create", "-"], "restic backup --stdin"), (["create", "c", "--timestamp", "x"], "use “--time”"),
            (["verify", "--read-data-subset", "1/5"], "use “--part”"),
            (["prune", "--max-repack-size", "1G"], "“prune --max-unused” limits"),
            (["restore", "latest", "--target", "out"], "use “--to”"),
            (["mount", "d"], "“restic mount” or “borg mount”"),
            (["help", "mount"], "“restic mount” or “borg mount”"), (["prune", "extra"], "extra"),
            (["snapshots", "extra"], "extra"),
        ])
    func otherOption(arguments: [String], answer: String) throws {
        let run = try sandboxbackup(arguments)
        #expect(run.code == 2 && run.errors.contains(answer), "\(run.errors)")
    }

    @Test("Each reason has one exit code in all commands that open a repository")
    func codes() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let commands = [
                ["snapshots"], ["ls", "latest"], ["find", "x"], ["dump", "latest", "Documents"], ["history", "x"],
                ["stats"], ["diff", "1", "latest"], ["verify"], ["verify", "--repair"],
                ["restore", "latest", "--to", "o"],
                ["forget", "1"], ["prune"], ["tag", "1", "--add", "a"], ["rewrite", "--all", "--exclude", "x"],
                ["export", "latest", "--to", "o"], ["copy", "--from", "none"],
            ]
            for command in commands {
                let missing = try sandboxbackup(command + ["--repository", "none"], in: folder)
                #expect(missing.code == 10, "\(command): \(missing.code) \(missing.errors)")
            }
            for command in commands where command[0] != "stats" && command[0] != "find" {
                guard let index = command.firstIndex(where: { $0 == "latest" || $0 == "1" }) else { continue }
                var other = command
                other[index] = "99"
                let absent = try sandboxbackup(other + ["--repository", store], in: folder)
                #expect(absent.code == 1 && absent.errors.contains("99"), "\(other): \(absent.code) \(absent.errors)")
            }
        }
    }
}
