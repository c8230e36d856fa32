import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// The commands that change a container, in scripts and on a terminal.
@Suite("sandboxfm new, mkdir, put, get, cp, mv, rm, exclude and include", .timeLimit(.minutes(60)))
struct ChangeToolTests {
    @Test("new creates a container that the library opens, and refuses a directory that is not empty")
    func new() throws {
        try withScratch { folder throws in
            #expect(try sandboxfm("new", "c", "--bundle-id", "com.example.app", in: folder).code == 0)
            let container = try Container.open(FilePath(folder.appending(path: "c").path))
            #expect(container.bundleIdentifier == "com.example.app")
            let again = try sandboxfm("new", "c", "--bundle-id", "com.example.app", in: folder)
            #expect(again.code == 1 && again.errors.contains("not empty"))
            #expect(try sandboxfm("new", "d", "--bundle-id", "a/b", in: folder).code == 1)
            #expect(try names(in: folder) == ["c"])
        }
    }

    @Test(
        "put and get keep content, attributes, mode and times of files and directories, byte by byte",
        .needs(.externalProgram))
    func roundTrip() throws {
        try withContainer { container, folder throws in
            let made = #"""
                mkdir -p out/deep; head -c 100000 /dev/urandom > out/a.bin; dd if=/dev/null of=out/hole bs=1 seek=1048576
                chmod 640 out/a.bin; chmod 751 out/deep; ln -s a.bin out/link; touch "out/$(printf '\351\n')"
                \#(AttributeTool.command(setting: "user.own", to: "1")) out/a.bin
                \#(AttributeTool.command(setting: "user.com.apple.metadata:com_apple_backup_excludeItem", to: "x")) out/deep
                touch -d 2020-02-02T02:02:02Z out/a.bin; touch -d 2019-02-02T02:02:02Z out/deep; touch -d 2018-01-01T00:00:00Z out
                """#
            try Command.setUp("bash", ["-ec", made], in: folder)
            let before = try MtreeListing(of: folder.appending(path: "out"))
            #expect(try sandboxfm("put", "c", "out", "Documents/in", in: folder).code == 0)
            #expect(try sandboxfm("get", "c", "Documents/in", "back", in: folder).code == 0)
            #expect(try MtreeListing(of: folder.appending(path: "c/Documents/in")).items == before.items)
            #expect(try MtreeListing(of: folder.appending(path: "back")).items == before.items)
            #expect(try container.exclusion(of: .documents / "in/deep").state == .excluded)
        }
    }

    @Test("A dry run does not even remove what an interrupted save left")
    func leftovers() throws {
        try withContainer { container, folder throws in
            try container.save("text", to: .documents / "a.txt")
            let left = "c/Documents/.appcontainer-staging-0123456789abcdef"
            try folder.write("half of a t", to: left)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: folder.path + "/" + left)
            func isLeft() -> Bool { FileManager.default.fileExists(atPath: folder.path + "/" + left) }
            for arguments in [
                ["exclude", "c", "Documents/a.txt", "--unsafe"], ["include", "c", "Documents/a.txt"],
                ["rm", "c", "Documents/a.txt"], ["mkdir", "c", "Documents/b"],
                ["cp", "c", "Documents/a.txt", "Documents/c.txt"], ["purge", "c"],
            ] {
                let run = try sandboxfm(arguments + ["--dry-run"], in: folder)
                #expect(run.code == 0 && isLeft(), "\(arguments): \(run.errors)")
            }
            #expect(try sandboxfm("mkdir", "c", "Documents/b", in: folder).code == 0)
            #expect(!isLeft())
        }
    }

    @Test("A file that replaces another one keeps the exclusion of the old one, and is only replaced with --yes")
    func replacement() throws {
        try withContainer { container, folder throws in
            try container.save("old", to: .documents / "a.txt")
            try container.excludeFromBackup(.documents / "a.txt")
            try container.save("other", to: .documents / "b.txt")
            try Data("new".utf8).write(to: folder.appending(path: "a.txt"))
            for arguments in [
                ["put", "c", "a.txt", "Documents"], ["cp", "c", "Documents/b.txt", "Documents/a.txt"],
                ["mv", "c", "Documents/b.txt", "Documents/a.txt", "--unsafe"],
            ] {
                let refused = try sandboxfm(arguments, in: folder)
                #expect(refused.code == 2 && refused.errors.contains("--yes"), "\(refused.errors)")
                #expect(try container.loadText(.documents / "a.txt") == "old")
                let planned = try sandboxfm(arguments + ["--dry-run"], in: folder)
                #expect(planned.code == 0 && planned.text.hasPrefix("would replace Documents/a.txt"))
                #expect(try container.loadText(.documents / "a.txt") == "old")
            }
            // The moved file would be excluded as well.
            let leaving = try sandboxfm("mv", "c", "Documents/b.txt", "Documents/a.txt", "--yes", in: folder)
            #expect(leaving.code == 1 && leaving.errors.contains("could remove user data from backups"))
            #expect(try sandboxfm("put", "c", "a.txt", "Documents", "--yes", in: folder).code == 0)
            #expect(try container.loadText(.documents / "a.txt") == "new")
            #expect(try container.exclusion(of: .documents / "a.txt").state == .excluded)
            #expect(
                try sandboxfm("mv", "c", "Documents/b.txt", "Documents/a.txt", "--yes", "--unsafe", in: folder).code
                    == 0)
            #expect(try container.loadText(.documents / "a.txt") == "other")
            #expect(try !container.exists(.documents / "b.txt"))
            let get = try sandboxfm("get", "c", "Documents/a.txt", ".", in: folder)
            #expect(get.code == 2)
            #expect(try String(contentsOf: folder.appending(path: "a.txt"), encoding: .utf8) == "new")
        }
    }

    @Test(
        "rm deletes nothing without --yes or a yes on the terminal, and then all that matches", .needs(.externalProgram)
    )
    func remove() throws {
        try withContainer { container, folder throws in
            for name in ["1.jpg", "2.jpg", "3.txt", "x/4.jpg"] { try container.save("x", to: .documents / name) }
            let refused = try sandboxfm("rm", "c", "Documents/**.jpg", in: folder)
            #expect(refused.code == 2 && refused.errors.contains("Delete 3 items, 3 bytes"))
            let arguments = ["rm", "c", "Documents/*.jpg"]
            let no = try inTerminal(arguments, answering: ("[y/N] ", "n"), in: folder)
            #expect(
                no.code == 1 && no.text.contains("would delete Documents/1.jpg")
                    && no.text.contains("Delete 2 items, 2 bytes? [y/N]"))
            #expect(try names(in: folder.appending(path: "c/Documents")) == ["1.jpg", "2.jpg", "3.txt", "x"])
            let yes = try inTerminal(arguments, answering: ("[y/N] ", "y"), in: folder)
            #expect(yes.code == 0 && yes.text.contains("deleted Documents/2.jpg"))
            #expect(try names(in: folder.appending(path: "c/Documents")) == ["3.txt", "x"])
            let json = try object("rm", "c", "Documents/**", "--yes", in: folder)
            let changes = try #require(json["changes"] as? [NSDictionary])
            #expect(changes.compactMap { $0["path"] as? String } == ["Documents/3.txt", "Documents/x"])
            #expect(changes.allSatisfy { $0["state"] as? String == "done" } && json["dryRun"] as? Bool == false)
            #expect(try names(in: folder.appending(path: "c/Documents")).isEmpty)
        }
    }

    @Test(
        "The directories of every container, the container itself and what is outside cannot be deleted",
        arguments: [
            "Documents", "Library", "Library/Caches", "tmp", ".", "", "Library/*",
        ])
    func standardDirectories(path: String) throws {
        try withContainer { container, folder throws in
            let run = try sandboxfm("rm", "c", path, "--yes", in: folder)
            #expect(run.code == 1 && run.errors.contains("directory of every container"), "\(run.errors)")
            #expect(try container.exists(.library / "Preferences"))
        }
    }

    @Test(
        "No command follows a link or a path out of the container",
        arguments: [
            ["cat", "c", "Documents/out/secret"], ["cat", "c", "Documents/file"],
            ["rm", "c", "Documents/out/secret", "--yes"],
            ["put", "c", "x", "Documents/out/new"], ["put", "c", "x", "Documents/out", "--yes"],
            ["put", "c", "x", "../new"],
            ["mkdir", "c", "Documents/out/new"], ["mkdir", "c", "../new"],
            ["cp", "c", "Documents/a", "Documents/out/new"],
            ["mv", "c", "Documents/a", "../outside/new"], ["exclude", "c", "Documents/out/secret", "--unsafe"],
            ["get", "c", "Documents/out/secret", "y"], ["get", "c", "../outside/secret", "y"],
            ["path", "c", "../outside"],
            ["db", "tables", "c", "Documents/file"], ["archive", "show", "c", "Documents/file"],
        ])
    func links(arguments: [String]) throws {
        try withContainer { container, folder throws in
            try folder.write("secret\n", to: "outside/secret")
            try folder.write("x\n", to: "x")
            try folder.makeLink("c/Documents/out", to: folder.path + "/outside")
            try folder.makeLink("c/Documents/file", to: "../../outside/secret")
            try folder.write("a\n", to: "c/Documents/a")
            let before = try TreeListing(of: folder.appending(path: "outside"))
            let run = try sandboxfm(arguments, in: folder)
            #expect(run.code == 1 || run.code == 2, "\(run.text)")
            #expect(!run.text.contains("secret\n") && !run.errors.isEmpty)
            #expect(try TreeListing(of: folder.appending(path: "outside")) == before)
            #expect(Set(try names(in: folder)).isDisjoint(with: ["new", "y"]))
        }
    }

    @Test("User data leaves the backup only with --unsafe; re-downloadable files need no proof but their provenance")
    func exclusion() throws {
        try withContainer { container, folder throws in
            try container.save("mine", to: .documents / "a/mine.txt")
            try container.save("again", to: .documents / "b/again.mp4", options: .init(provenance: .init(.downloaded)))
            let refused = try sandboxfm("exclude", "c", "Documents/*", in: folder)
            #expect(
                refused.code == 1 && refused.errors.contains("“Documents/a/mine.txt”")
                    && refused.errors.contains("--unsafe"))
            #expect(try container.excludedItems().isEmpty)
            #expect(
                try sandboxfm("exclude", "c", "Documents/b", in: folder).text
                    == "excluded from backup Documents/b (2 items, 5 bytes)\n")
            #expect(try container.excludedItems() == [.documents / "b"])
            for target in ["tmp", "Documents/b"] {
                let moved = try sandboxfm("mv", "c", "Documents/a/mine.txt", target, in: folder)
                #expect(moved.code == 1 && moved.errors.contains("--unsafe"), "\(target)")
            }
            #expect(try sandboxfm("exclude", "c", "Documents/a", "--unsafe", "--dry-run", in: folder).code == 0)
            #expect(try container.excludedItems() == [.documents / "b"])
            #expect(try sandboxfm("exclude", "c", "Documents/a", "--unsafe", in: folder).code == 0)
            let inner = try sandboxfm("include", "c", "Documents/a/mine.txt", in: folder)
            #expect(inner.text == "included in backup Documents/a/mine.txt: still excluded by “Documents/a”\n")
            #expect(try sandboxfm("include", "c", "Documents/*", in: folder).code == 0)
            #expect(try container.excludedItems().isEmpty)
        }
    }

    @Test("A pattern without a match is an error that names it, and nothing else is changed")
    func noMatch() throws {
        try withContainer { container, folder throws in
            try container.save("x", to: .documents / "a.txt")
            for command in [["rm", "--yes"], ["exclude", "--unsafe"], ["include"]] {
                let run = try sandboxfm(
                    [command[0], "c", "Documents/a.txt", "Documents/*.jpg"] + command.dropFirst(),
                    in: folder)
                #expect(run.code == 1 && run.errors.contains("matches the pattern “Documents/*.jpg”"), "\(run.errors)")
                #expect(try container.exists(.documents / "a.txt") && container.excludedItems().isEmpty)
            }
        }
    }

    @Test(
        "A mistyped command is suggested, and a missing container is an error",
        arguments: [
            ("lss", 2, "did you mean “sandboxfm ls”"), ("delete", 2, "did you mean “sandboxfm rm”"),
            ("./nothing", 1, "No such file"),
        ])
    func mistyped(word: String, code: Int32, message: String) throws {
        try withScratch { folder throws in
            let run = try sandboxfm(word, in: folder)
            #expect(run.code == code && run.errors.contains(message), "\(run.errors)")
        }
    }
}
