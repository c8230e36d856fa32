import Foundation
import TestSupport
import Testing

@Suite("The target directory of sandboxbackup restore", .timeLimit(.minutes(60))) struct RestoreTargetTests {
    private func withSnapshot(_ body: (URL, _ store: String) throws -> Void) throws {
        try withRepositorySample { folder, container, store throws in
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: container)
            try backed("create", container, "--store", store)
            try body(folder, store)
        }
    }

    private func state(_ path: String, in folder: URL) throws -> String {
        try Command("stat", ["-c", "%a %Y", path], in: folder).text
    }

    @Test("It and directories on the way are unchanged if only a path is restored")
    func path() throws {
        try withSnapshot { folder, store throws in
            let script =
                "mkdir -p there/Documents; chmod 1777 there; chmod 2775 there/Documents; touch -d 2001-02-03 there there/Documents"
            try Command.setUp("bash", ["-c", script], in: folder)
            let before = try Command("stat", ["-c", "%a", "there", "there/Documents"], in: folder).text
            #expect(before == "1777\n2775\n")
            let options = ["--store", store, "--to", folder.appending(path: "there").path, "--overwrite"]
            let told = try Command(Command.sandboxbackup, ["restore", "1", "Documents/letter.txt", "-n"] + options)
            #expect(told.text.hasPrefix("+ Documents/letter.txt\nwould create 1 item"), "\(told.text)\(told.errors)")
            #expect(try state("there", in: folder) == "1777 981158400\n")
            let run = try Command(
                Command.sandboxbackup, ["restore", "1", "Documents/letter.txt", "Documents/notes"] + options)
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            #expect(try Command("stat", ["-c", "%a", "there", "there/Documents"], in: folder).text == before)
            #expect(try state("there", in: folder) == "1777 981158400\n")
            #expect(try Command("stat", ["-c", "%a", "there/Documents/notes"], in: folder).text == "1750\n")
        }
    }

    @Test(
        "It gets the container's attributes if a whole snapshot is restored into a new, empty or overwritten directory")
    func all() throws {
        try withSnapshot { folder, store throws in
            let new = ["restore", "1", "Documents/letter.txt", "--store", store, "--to", "new"]
            #expect(try Command(Command.sandboxbackup, new, in: folder).code == 0)
            #expect(try state("new", in: folder) == state("container", in: folder))
            try Command.setUp("bash", ["-c", "mkdir -m 1777 empty used; printf x > used/mine"], in: folder)
            func restore(_ options: String...) throws -> String {
                let command = ["restore", "1", "--store", store] + options
                let told = try Command(Command.sandboxbackup, command + ["--dry-run"], in: folder)
                let run = try Command(Command.sandboxbackup, command, in: folder)
                #expect(told.code == 0 && run.code == 0, "\(told.errors)\(run.errors)")
                return String(told.text.prefix { $0 != "\n" })
            }
            #expect(try restore("--to", "empty") == "m the container")
            #expect(try state("empty", in: folder) == state("container", in: folder))
            #expect(try restore("--to", "used") == "+ Documents")
            #expect(try state("used", in: folder).hasPrefix("1777 "))
            #expect(try restore("--to", "used", "--overwrite") == "m the container")
            #expect(try state("used", in: folder) == state("container", in: folder))
            let again = try restore("--to", "used", "--overwrite")
            #expect(again.hasPrefix("would create 0 items, replace 0 and keep "), "\(again)")
        }
    }

    @Test("Nothing is restored if one of several paths is not in the snapshot")
    func missing() throws {
        try withSnapshot { folder, store throws in
            let run = try sandboxbackup(
                "restore", "1", "Documents/letter.txt", "Documents/nope\u{1b}", "--store", store, "--to", "out",
                in: folder)
            #expect(run.code == 1 && run.text.isEmpty, "\(run.text)")
            #expect(run.errors.contains("has no item “Documents/nope%1B”"), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "out").path))
        }
    }

    @Test(
        "A path is accepted as a shell completes it and as reports print it",
        arguments: [
            ("Documents/notes/", 42), ("./Documents//notes", 42), ("Documents/%FFbytes", 1),
            ("Documents/new%0Aline", 1), ("Documents/100%25", 1), ("Documents/100%", 1),
        ])
    func spelling(path: String, count: Int) throws {
        try withRepositorySample { folder, container, store throws in
            try Command.setUp("bash", ["-c", "printf x > Documents/100%"], in: URL(fileURLWithPath: container))
            try backed("create", container, "--store", store)
            let run = try sandboxbackup("restore", "1", path, "--store", store, "--to", "out", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let found = try Command("find", ["out", "!", "-type", "d", "-print0"], in: folder).output
            #expect(found.count { $0 == 0 } == count)
        }
    }

    @Test(
        "A second restore into it is refused with 11, and temporary files are not touched",
        .enabled(if: Platform.isLinux, "runs flock"))
    func locked() throws {
        try withSnapshot { folder, store throws in
            let script = "mkdir out; printf half > out/.sandboxbackup-staging-1"
            try Command.setUp("bash", ["-c", script], in: folder)
            let command = ["restore", "1", "--store", store, "--to", "out"]
            let run = try Command("flock", ["out", Command.sandboxbackup] + command, in: folder)
            #expect(run.code == 11 && run.errors.contains("another restore is using"), "\(run.errors)")
            #expect(try names(in: folder.appending(path: "out")) == [".sandboxbackup-staging-1"])
            #expect(try Command(Command.sandboxbackup, command, in: folder).code == 0)
            #expect(try !names(in: folder.appending(path: "out")).contains { $0.contains("staging") })
        }
    }

    @Test(
        "The repository and its content are refused with 2 under any name, and nothing is written",
        .enabled(if: Platform.isLinux, "compares with GNU find"))
    func repository() throws {
        try withSnapshot { folder, store throws in
            try Command.setUp("bash", ["-c", "ln -s store/objects link; ln -s store other"], in: folder)
            // SQLite's companion files of the catalogue come and go, which changes the size of a directory on tmpfs.
            let list = """
                find . -name '*-shm' -o -name '*-wal' -o -type d -printf '%P d %m\\n' -o -printf '%P %y %m %s\\n' | sort
                sha256sum objects/*/*
                """
            let before = try Command("bash", ["-c", list], in: URL(fileURLWithPath: store)).text
            let targets = [
                "store", "store/objects", "store/objects/new", "store/new/deeper", "link", "link/new", "other",
                "./store/.", "store/objects/../objects", store,
            ]
            for target in targets {
                for command in [
                    ["restore", "1", "--overwrite"], ["restore", "1", "-n"], ["restore", "1", "--as-ios"],
                    ["restore", "1", "Documents/letter.txt"], ["export", "1", "--bundle-id", "com.example.app"],
                ] {
                    let run = try Command(
                        Command.sandboxbackup, command + ["--to", target, "--store", store], in: folder)
                    #expect(run.code == 2 && run.output.isEmpty, "\(command) \(target): \(run.code) \(run.text)")
                    #expect(run.errors.contains("is inside the repository"), "\(target): \(run.errors)")
                }
            }
            let after = try Command("bash", ["-c", list], in: URL(fileURLWithPath: store)).text
            #expect(before == after && before.contains("objects d"), "\(after)")
        }
    }

    @Test("A snapshot that contains the repository's own directory leaves it unchanged")
    func onTheWay() throws {
        try withScratch { folder throws in
            let script = """
                set -e; mkdir -p container/Documents/repository/objects
                echo bad > container/Documents/repository/catalogue.sqlite; echo a > container/Documents/a
                mkdir -p there/Documents
                "$TOOL" create container --store there/Documents/repository > said
                sha256sum there/Documents/repository/catalogue.sqlite > sum
                """
            let made = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            try #require(made.code == 0, "\(made.errors)")
            let command = ["restore", "1", "--overwrite", "--store", "there/Documents/repository", "--to", "there"]
            let told = try Command(Command.sandboxbackup, command + ["-n"], in: folder)
            #expect(told.code == 3 && told.text.contains("! Documents/repository\n"), "\(told.text)\(told.errors)")
            let run = try Command(Command.sandboxbackup, command, in: folder)
            #expect(run.code == 3 && run.text.contains("  is-the-repository: Documents/repository\n"), "\(run.text)")
            #expect(try Command("sha256sum", ["-c", "--quiet", "sum"], in: folder).code == 0)
            #expect(try String(contentsOf: folder.appending(path: "there/Documents/a"), encoding: .utf8) == "a\n")
        }
    }

    @Test("An existing directory loses attributes that the snapshot does not have, such as a removed exclusion")
    func flagged() throws {
        try withSnapshot { folder, store throws in
            let command = ["restore", "1", "--store", store, "--to", "out"]
            #expect(try Command(Command.sandboxbackup, command, in: folder).code == 0)
            let flag = "user.com.apple.metadata:com_apple_backup_excludeItem"
            try AttributeTool.set(flag, to: "x", of: "out/Documents", "out/Documents/notes", in: folder)
            let told = try Command(Command.sandboxbackup, command + ["-n"], in: folder).text
            #expect(told.hasPrefix("m Documents\nm Documents/notes\nwould create 0 items"), "\(told)")
            let run = try Command(Command.sandboxbackup, command + ["--overwrite"], in: folder)
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            #expect(try AttributeTool.attributes(of: "out/Documents", in: folder)[flag] == nil)
            let left = try AttributeTool.attributes(of: "out/Documents/notes", in: folder)
            #expect(left["user.com.example.mark"] == Data("kept".utf8) && left[flag] == nil, "\(left)")
        }
    }

    @Test(
        "Without support for attributes, items without them are unchanged",
        .enabled(if: Platform.isLinux, "runs strace"))
    func bare() throws {
        try withScratch { folder throws in
            try Command.setUp(
                "bash", ["-c", "mkdir -p container/Documents; printf x > container/Documents/a"], in: folder)
            func run(_ arguments: String..., by tracer: [String] = []) throws -> Command {
                let command = tracer + [Command.sandboxbackup] + arguments + ["--store", "store"]
                return try Command(command[0], Array(command.dropFirst()), in: folder)
            }
            #expect(try run("create", "container").code == 0)
            // As Linux behaves there (fs/xattr.c): an empty list, and errors for all other calls.
            let refuse = [
                "-e", "trace=fgetxattr,getxattr,lgetxattr", "-e",
                "inject=fgetxattr,getxattr,lgetxattr:error=EOPNOTSUPP",
            ]
            for said in ["restored 1 file, 1 byte, in ", "restored 0 files, 0 bytes, in "] {
                let restored = try run("restore", "1", "--to", "out", by: ["strace", "-f", "-o", "trace"] + refuse)
                #expect(restored.code == 0 && restored.text.hasPrefix(said), "\(restored.text)\(restored.errors)")
                let trace = try String(contentsOf: folder.appending(path: "trace"), encoding: .utf8)
                #expect(trace.contains("EOPNOTSUPP"), "\(trace)")
            }
        }
    }

    @Test(
        "An unreadable file is replaced on request, and otherwise kept", .enabled(if: Platform.isLinux, "runs setpriv"),
        .enabled(if: getuid() == 0))
    func unreadable() throws {
        try withScratch { folder throws in
            // Other users may not have access to the build directory.
            let script = """
                chmod 777 .; cp "$TOOL" tool; mkdir -p container/Documents; printf new > container/Documents/a
                chmod 600 container/Documents/a; chown -R 65534 .; as="setpriv --reuid 65534 --clear-groups"
                $as ./tool create container --store store > said && $as ./tool restore 1 --store store --to out > said
                printf old > out/Documents/a; chown 0 out/Documents/a; touch -r container/Documents/a out/Documents/a
                $as ./tool restore 1 --store store --to out; echo $?
                $as ./tool restore 1 --store store --to out --overwrite > said; echo $?; cat out/Documents/a
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            #expect(run.text.hasSuffix("  already-there: Documents/a\n3\n0\nnew"), "\(run.text)\(run.errors)")
        }
    }
}
