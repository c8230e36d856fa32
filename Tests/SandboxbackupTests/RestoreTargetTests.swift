import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("The target directory of sandboxbackup restore", .timeLimit(.minutes(60))) struct RestoreTargetTests {
    private func withSnapshot(_ body: (URL, _ store: String) throws -> Void) throws {
        try withRepositorySample { folder, container, store throws in
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: container)
            try backed("create", container, "--repository", store)
            try body(folder, store)
        }
    }

    private func state(_ path: String, in folder: URL) throws -> String {
        let path = folder.path + "/" + path
        return try "\(mode(of: path)) \(modified(of: path))"
    }

    @Test("It and directories on the way are unchanged if only a path is restored")
    func path() throws {
        try withSnapshot { folder, store throws in
            try folder.makeDirectories("there/Documents")
            try folder.setMode("1777", of: "there")
            try folder.setMode("2775", of: "there/Documents")
            try folder.setTimes("2001-02-03", of: "there", "there/Documents")
            let documents = folder.path + "/there/Documents"
            #expect(try mode(of: documents) == "2775")
            let options = ["--repository", store, "--to", folder.appending(path: "there").path, "--overwrite"]
            let told = try sandboxbackup(["restore", "1", "Documents/letter.txt", "-n"] + options)
            #expect(told.text.hasPrefix("+ Documents/letter.txt\nwould create 1 item"), "\(told.text)\(told.errors)")
            #expect(try state("there", in: folder) == "1777 981158400")
            let run = try sandboxbackup(
                ["restore", "1", "Documents/letter.txt", "Documents/notes"] + options)
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            #expect(try mode(of: documents) == "2775")
            #expect(try state("there", in: folder) == "1777 981158400")
            #expect(try mode(of: documents + "/notes") == "1750")
        }
    }

    @Test(
        "It gets the container's attributes if a whole snapshot is restored into a new, empty or overwritten directory")
    func all() throws {
        try withSnapshot { folder, store throws in
            let new = ["restore", "1", "Documents/letter.txt", "--repository", store, "--to", "new"]
            #expect(try sandboxbackup(new, in: folder).code == 0)
            #expect(try state("new", in: folder) == state("container", in: folder))
            try folder.makeDirectories("empty")
            try folder.write("x", to: "used/mine")
            try folder.setMode("1777", of: "empty", "used")
            func restore(_ options: String...) throws -> String {
                let command = ["restore", "1", "--repository", store] + options
                let told = try sandboxbackup(command + ["--dry-run"], in: folder)
                let run = try sandboxbackup(command, in: folder)
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
                "restore", "1", "Documents/letter.txt", "Documents/nope\u{1b}", "--repository", store, "--to", "out",
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
            try folder.write("x", to: "container/Documents/100%")
            try backed("create", container, "--repository", store)
            let run = try sandboxbackup("restore", "1", path, "--repository", store, "--to", "out", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(try fileCount(beneath: folder.appending(path: "out")) == count)
        }
    }

    @Test(
        "A second restore into it is refused with 11, and temporary files are not touched", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs flock"))
    func locked() throws {
        try withSnapshot { folder, store throws in
            try folder.write("half", to: "out/.sandboxbackup-staging-1")
            let command = ["restore", "1", "--repository", store, "--to", "out"]
            let run = try Command("flock", ["out", Command.sandboxbackup] + command, in: folder)
            #expect(run.code == 11 && run.errors.contains("another restore is using"), "\(run.errors)")
            #expect(try names(in: folder.appending(path: "out")) == [".sandboxbackup-staging-1"])
            #expect(try sandboxbackup(command, in: folder).code == 0)
            #expect(try !names(in: folder.appending(path: "out")).contains { $0.contains("staging") })
        }
    }

    @Test(
        "The repository and its content are refused with 2 under any name, and nothing is written", .needs(.process),
        .enabled(if: Platform.isLinux, "compares with GNU find"))
    func repository() throws {
        try withSnapshot { folder, store throws in
            try folder.makeLink("link", to: "store/objects")
            try folder.makeLink("other", to: "store")
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
                    let run = try sandboxbackup(
                        command + ["--to", target, "--repository", store], in: folder)
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
            try folder.makeDirectories("container/Documents/repository/objects", "there/Documents")
            try folder.write("bad\n", to: "container/Documents/repository/catalogue.sqlite")
            try folder.write("a\n", to: "container/Documents/a")
            let repository = "there/Documents/repository"
            try sandboxbackup("create", "container", "--repository", repository, in: folder).succeeded()
            let catalogue = folder.appending(path: "\(repository)/catalogue.sqlite")
            let before = try Data(contentsOf: catalogue)
            let command = [
                "restore", "1", "--overwrite", "--repository", "there/Documents/repository", "--to", "there",
            ]
            let told = try sandboxbackup(command + ["-n"], in: folder)
            #expect(told.code == 3 && told.text.contains("! Documents/repository\n"), "\(told.text)\(told.errors)")
            let run = try sandboxbackup(command, in: folder)
            #expect(run.code == 3 && run.text.contains("  is-the-repository: Documents/repository\n"), "\(run.text)")
            let isUnchanged = try Data(contentsOf: catalogue) == before
            #expect(isUnchanged)
            #expect(try String(contentsOf: folder.appending(path: "there/Documents/a"), encoding: .utf8) == "a\n")
        }
    }

    @Test("An existing directory loses attributes that the snapshot does not have, such as a removed exclusion")
    func flagged() throws {
        try withSnapshot { folder, store throws in
            let command = ["restore", "1", "--repository", store, "--to", "out"]
            #expect(try sandboxbackup(command, in: folder).code == 0)
            let flag = "user.com.apple.metadata:com_apple_backup_excludeItem"
            try AttributeTool.set(flag, to: "x", of: "out/Documents", "out/Documents/notes", in: folder)
            let told = try sandboxbackup(command + ["-n"], in: folder).text
            #expect(told.hasPrefix("m Documents\nm Documents/notes\nwould create 0 items"), "\(told)")
            let run = try sandboxbackup(command + ["--overwrite"], in: folder)
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            #expect(try AttributeTool.attributes(of: "out/Documents", in: folder)[flag] == nil)
            let left = try AttributeTool.attributes(of: "out/Documents/notes", in: folder)
            #expect(left["user.com.example.mark"] == Data("kept".utf8) && left[flag] == nil, "\(left)")
        }
    }

    @Test(
        "Without support for attributes, items without them are unchanged", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func bare() throws {
        try withScratch { folder throws in
            try folder.write("x", to: "container/Documents/a")
            func run(_ arguments: String..., by tracer: [String] = []) throws -> Command {
                let command = tracer + [Command.sandboxbackup] + arguments + ["--repository", "store"]
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
        "An unreadable file is replaced on request, and otherwise kept", .needs([.externalProgram, .root]),
        .enabled(if: Platform.isLinux, "runs setpriv"),
        .enabled(if: getuid() == 0))
    func unreadable() throws {
        try withScratch { folder throws in
            // Other users may not have access to the build directory.
            let script = """
                chmod 777 .; cp "$TOOL" tool; mkdir -p container/Documents; printf new > container/Documents/a
                chmod 600 container/Documents/a; chown -R 65534 .; as="setpriv --reuid 65534 --clear-groups"
                $as ./tool create container --repository store > said && $as ./tool restore 1 --repository store --to out > said
                printf old > out/Documents/a; chown 0 out/Documents/a; touch -r container/Documents/a out/Documents/a
                $as ./tool restore 1 --repository store --to out; echo $?
                $as ./tool restore 1 --repository store --to out --overwrite > said; echo $?; cat out/Documents/a
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            #expect(run.text.hasSuffix("  already-there: Documents/a\n3\n0\nnew"), "\(run.text)\(run.errors)")
        }
    }
}
