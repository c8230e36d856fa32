import Foundation
import TestSupport
import Testing

@Suite(
    "A read-only repository", .needs([.externalProgram, .root]),
    .enabled(if: Platform.isLinux, "mounts in a namespace of unshare"),
    .timeLimit(.minutes(60))) struct ReadOnlyRepositoryTests
{
    /// Scripts that leave the catalogue in different states.
    private static let ways = [
        "closed": ":",
        "read": #""$TOOL" snapshots --repository store > /dev/null"#,
        "ended": """
        python3 -c "import os, sqlite3
        db = sqlite3.connect('store/catalogue.sqlite', isolation_level=None)
        db.execute('PRAGMA wal_autocheckpoint = 0')
        for step in (1, -1): db.execute('UPDATE snapshot SET files = files + ?', [step])
        os._exit(0)"
        """,
    ]

    /// Runs a bash script with the repository mounted read-only as `disk`.
    private func readOnly(_ script: String, in folder: URL) throws -> Command {
        let mounted = """
            set -u
            mkdir -p disk; mount --bind store disk; mount -o remount,ro,bind disk
            \(script)
            """
        return try Command(
            "unshare", ["-m", "bash", "-c", mounted], in: folder, environment: ["TOOL": Command.sandboxbackup])
    }

    @Test("It can be listed, compared, verified, restored and exported", arguments: ways.keys.sorted())
    func read(way: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try backed("create", container, "--repository", store)
            let left = try Command(
                "bash", ["-c", try #require(Self.ways[way])], in: folder, environment: ["TOOL": Command.sandboxbackup])
            #expect(left.code == 0, "\(left.errors)")
            let log = try? Data(contentsOf: URL(fileURLWithPath: store + "/catalogue.sqlite-wal"))
            #expect((log ?? Data()).isEmpty == (way != "ended"))
            let before = try TreeListing(of: URL(fileURLWithPath: store))
            let script = """
                for command in snapshots "diff 1 2" verify "restore 1 --dry-run --to dry" "restore latest --to out" \\
                    "forget --keep-last 1 --dry-run" "prune --dry-run" "export 1 --to backups"; do
                    "$TOOL" $command --repository disk > said 2>&1; echo $?
                done
                """
            let run = try readOnly(script, in: folder)
            // Items that Apple's layout cannot store are missing in the export.
            #expect(run.text == "0\n0\n0\n0\n0\n0\n0\n3\n", "\(run.text)\(run.errors)")
            let target = folder.appending(path: "out")
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
            #expect(try TreeListing(of: URL(fileURLWithPath: store)).differences(from: before) == [])
        }
    }

    @Test("Commands that would change it exit with 1, and the message lists those that work")
    func refused() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let script = """
                for command in "create container" "forget --keep-last 1" prune "verify --repair"; do
                    "$TOOL" $command --repository disk; echo $?
                done
                """
            let run = try readOnly(script, in: folder)
            #expect(run.text == "1\n1\n1\n1\n", "\(run.text)")
            let said = run.errors.split(separator: "\n")
            #expect(said.count == 4)
            for line in said {
                #expect(line.hasPrefix("sandboxbackup: the repository is read-only: "), "\(line)")
                #expect(line.contains("Read-only file system") && line.contains("`restore`"), "\(line)")
            }
        }
    }

    @Test("With a log but without its index, it is readable after one run with write access, and the error explains it")
    func log() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try Command.setUp("bash", ["-c", try #require(Self.ways["ended"])], in: folder)
            try FileManager.default.removeItem(atPath: "\(store)/catalogue.sqlite-shm")
            let refused = try readOnly(#""$TOOL" snapshots --repository disk"#, in: folder)
            #expect(refused.code == 1 && refused.errors.contains("the catalogue has a log"), "\(refused.errors)")
            try backed("snapshots", "--repository", store)
            #expect(try readOnly(#""$TOOL" snapshots --repository disk"#, in: folder).code == 0)
        }
    }

    @Test("Writers with another access are kept away while it is read without SQLite's locks")
    func quiet() throws {
        try withRepositorySample { folder, container, store throws in
            // The restore must not end before it is stopped.
            try Command.setUp("bash", ["-c", "head -c 60000000 /dev/urandom > container/Documents/large"], in: folder)
            try backed("create", container, "--repository", store)
            let script = """
                "$TOOL" restore latest --repository disk --to out > /dev/null &
                until ls -A | grep -q "^out$\\|^.sandboxbackup-restore-"; do :; done
                kill -STOP $!
                "$TOOL" create container --repository store --wait 0; echo $?
                kill -CONT $!; wait $!; echo $?
                flock store/objects "$TOOL" snapshots --repository disk --wait 0; echo $?
                "$TOOL" create container --repository store > /dev/null; echo $?
                """
            let run = try readOnly(script, in: folder)
            #expect(run.text == "11\n0\n11\n0\n", "\(run.text)")
            let said = run.errors.split(separator: "\n")
            #expect(
                said.count == 2 && said.allSatisfy { $0.contains("the repository is locked by process ") }, "\(said)")
        }
    }
}
