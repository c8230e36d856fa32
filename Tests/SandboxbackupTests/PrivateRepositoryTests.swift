import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Access to a repository", .timeLimit(.minutes(60))) struct PrivateRepositoryTests {
    /// Returns the mode and path of every item in a repository.
    private func modes(_ repository: String, in folder: URL) throws -> [String] {
        let root = folder.appending(path: repository).path
        return try ([""] + FileManager.default.subpathsOfDirectory(atPath: root)).map { name in
            let path = "\(root)/\(name)"
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            return "\(try mode(of: path)) \(isDirectory.boolValue ? "d" : "f") \(name)"
        }
    }

    @Test(
        "New files are private to the owner, whatever the umask", .needs(.process),
        arguments: ["000", "022", "077", "777"])
    func umask(_ mask: String) throws {
        try withRepositorySample { folder, container, _ throws in
            let script = """
                set -eu; umask \(mask)
                "$TOOL" create container --repository store > /dev/null
                printf more >> container/Documents/letter.txt
                "$TOOL" create container --repository store > /dev/null
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            let modes = try modes("store", in: folder)
            #expect(modes.count > 5 && modes.contains("600 f catalogue.sqlite"), "\(modes)")
            let others = modes.filter { !$0.hasPrefix("700 d ") && !$0.hasPrefix("600 f ") }
            #expect(others == [], "\(others)")
        }
    }

    @Test(
        "Companion files of the catalogue are private to the owner", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func whileWritten() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            // The tool is stopped when it syncs its first file.
            let script = """
                umask 0; printf more >> container/Documents/film.bin
                strace -f -o trace -e trace=fsync -e inject=fsync:signal=SIGSTOP:when=2 \\
                    "$TOOL" create container --repository store > said 2>&1 &
                for n in $(seq 600); do
                    [ -e store/writer ] && grep -q SIGSTOP trace 2> /dev/null && break
                    sleep 0.1
                done
                find store -printf '%m %y %P\\n'
                kill -KILL $(pgrep -P $!) $!; wait
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            let modes = run.text.split(separator: "\n").map(String.init)
            for name in ["600 f writer", "600 f catalogue.sqlite-wal", "700 d staging"] {
                #expect(modes.contains(name), "\(modes)")
            }
            #expect(modes.filter { !$0.hasPrefix("700 d ") && !$0.hasPrefix("600 f ") } == [])
        }
    }

    @Test("A directory that is open to others keeps its mode, and every run warns about it")
    func wider() throws {
        try withRepositorySample { folder, container, store throws in
            try folder.makeDirectories("store")
            try folder.setMode("755", of: "store")
            let out = folder.appending(path: "out").path
            for arguments in [
                ["create", container], ["snapshots"], ["diff", "1", "latest"], ["verify"],
                ["restore", "1", "--to", out],
                ["restore", "1", "--to", out, "-n"], ["forget", "--keep-last", "1"], ["prune"],
                ["export", "1", "--to", folder.appending(path: "backups").path, "--udid", "A"],
                ["import", folder.appending(path: "backups/A").path],
            ] {
                let run = try sandboxbackup(arguments + ["--repository", store])
                #expect([0, 3].contains(run.code), "\(arguments): \(run.errors)")
                #expect(
                    run.errors.contains("warning: the repository “\(store)” is open to other users (mode 755)"),
                    "\(arguments): \(run.errors)")
                #expect(run.errors.contains("not encrypted"))
            }
            let modes = try modes("store", in: folder)
            #expect(modes.filter { !$0.hasPrefix("700 d ") && !$0.hasPrefix("600 f ") } == ["755 d "], "\(modes)")
            try folder.setMode("700", of: "store")
            #expect(try sandboxbackup("snapshots", "--repository", store).errors.isEmpty)
        }
    }

    @Test(
        "Reading as the owner changes no access times, and other users get a note", .needs([.externalProgram, .root]),
        .enabled(if: Platform.isLinux, "runs setpriv"),
        .enabled(if: getuid() == 0))
    func accessTimes() throws {
        try withScratch { folder throws in
            // Other users may not have access to the build directory.
            let script = """
                set -eu; chmod 777 .; cp "$TOOL" tool; mkdir -p container/Documents container/tmp
                echo '{}' > container/Documents/a.json; chmod -R a+rX container; chown -R 4711 container
                for user in 4711 65534; do
                    touch -a -d 2001-01-01 container/Documents/a.json
                    setpriv --reuid $user --clear-groups ./tool create container --repository store-$user > /dev/null
                    stat -c %X container/Documents/a.json
                    setpriv --reuid $user --clear-groups ./tool plan container > /dev/null
                done
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            let times = run.text.split(separator: "\n")
            #expect(run.code == 0 && times.count == 2 && times[0] == "978307200", "\(run.text)\(run.errors)")
            let note =
                "sandboxbackup: note: the container belongs to another user, "
                + "so reading changes the access times of its files"
            #expect(run.errors == "\(note)\n\(note)\n", "\(run.errors)")
        }
    }

    @Test("Help explains that a repository is not encrypted, and which engine encrypts")
    func help() throws {
        for arguments in [["--help"], ["create", "--help"]] {
            let text = try sandboxbackup(arguments).text.replacing("\n", with: " ")
            #expect(text.contains("not encrypted") && text.contains("restic"), "\(text)")
        }
    }
}
