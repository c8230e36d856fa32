import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("The wait for the lock of a repository", .timeLimit(.minutes(60))) struct WaitToolTests {
    /// Calls `body` while this process holds the lock of a writer.
    private func whileWriting<Result>(to store: String, _ body: () throws -> Result) throws -> Result {
        let lock = try Lock(Folder(opening: FilePath(store + "/objects")), within: .zero)
        defer { lock.release() }
        try Data("process 4711, `create`, since 2026-01-01T00:00:00Z".utf8)
            .write(to: URL(fileURLWithPath: store + "/writer"))
        return try body()
    }

    /// The commands that lock a repository against writers, with the sample as `c` and another repository as `other`.
    private static let commands = [
        ["create", "c"], ["forget", "--keep-last", "1"], ["prune"], ["verify", "--repair"],
        ["copy", "--from", "other"],
    ]

    @Test("A command waits as long as --wait says, and then names the holder and the wait", arguments: commands)
    func limit(command: [String]) throws {
        try withBackupSample { _, path throws in
            let (store, other) = (path + "-store", path + "-other")
            for name in [store, other] { try backed("create", path, "--repository", name) }
            let arguments = command.map { $0 == "c" ? path : $0 == "other" ? other : $0 }
            // A removal waits for readers and writers, which hold the lock of the directory as well.
            let shared = try Lock(Folder(opening: FilePath(store)), .shared, within: .zero)
            defer { shared.release() }
            try whileWriting(to: store) {
                let start = ContinuousClock.now
                let run = try sandboxbackup(arguments + ["--wait", "1s", "--repository", store])
                #expect(ContinuousClock.now - start >= .seconds(1))
                #expect(run.code == 11, "\(run.text)\(run.errors)")
                let message =
                    "the repository is locked by process 4711, `create`, since 2026-01-01T00:00:00Z; waited 1s;"
                #expect(run.errors.contains(message) && run.errors.contains("--wait"), "\(run.errors)")
                let atOnce = try sandboxbackup(arguments + ["--wait", "0", "--repository", store])
                #expect(atOnce.code == 11 && !atOnce.errors.contains("waited"), "\(atOnce.errors)")
            }
        }
    }

    @Test("A command continues when the lock is released, and reports the wait once")
    func released() throws {
        try withBackupSample { _, path throws in
            let store = path + "-store"
            try backed("create", path, "--repository", store)
            let lock = try Lock(Folder(opening: FilePath(store + "/objects")), within: .zero)
            let timer = DispatchSource.makeTimerSource()
            timer.schedule(deadline: .now() + 2)
            timer.setEventHandler { lock.release() }
            timer.resume()
            defer { timer.cancel() }
            let run = try sandboxbackup("create", path, "--repository", store)
            #expect(run.code == 0, "\(run.errors)")
            let notes = run.errors.split(separator: "\n")
            #expect(
                notes.count == 1 && run.errors.contains("waiting up to 1m: the repository is locked by"), "\(notes)")
        }
    }

    @Test("An interruption ends the wait")
    func interrupted() throws {
        try withBackupSample { _, path throws in
            let store = path + "-store"
            try backed("create", path, "--repository", store)
            try whileWriting(to: store) {
                let interruption = Interruption()
                let timer = DispatchSource.makeTimerSource()
                timer.schedule(deadline: .now() + .milliseconds(300))
                timer.setEventHandler { interruption.request() }
                timer.resume()
                defer { timer.cancel() }
                let run = try sandboxbackup(
                    ["create", path, "--wait", "1h", "--repository", store], interruption: interruption)
                #expect(run.code == 130, "\(run.errors)")
            }
        }
    }

    @Test("Another time than a number with s, m or h is refused", arguments: ["", "5", "1d", "-1s", "m", "1m2"])
    func usage(time: String) throws {
        try withScratch { folder throws in
            let run = try sandboxbackup("snapshots", "--wait=\(time)", "--repository", "r", in: folder)
            #expect(run.code == 2 && run.errors.contains("--wait"), "\(run.errors)")
        }
    }

    @Test(
        "Backups of several containers into one repository at the same time all succeed, also after one was killed",
        .needs(.process))
    func several() throws {
        try withScratch { folder throws in
            let script = """
                set -u
                for one in 1 2 3 4; do
                    mkdir -p c$one/Documents; head -c 20000000 /dev/urandom > c$one/Documents/a
                done
                "$TOOL" create c1 --bundle-id a.b1 --repository r > /dev/null & killed=$!
                until [ -e r/writer ]; do :; done
                kill -9 $killed; wait $killed 2> /dev/null
                "$TOOL" prune --wait 0 --repository r > /dev/null; echo $?
                for one in 1 2 3 4; do
                    { "$TOOL" create c$one --bundle-id a.b$one --repository r > /dev/null; echo $?; } &
                done; wait
                "$TOOL" verify --repository r > /dev/null; echo $?
                "$TOOL" snapshots --repository r --format jsonl | grep -c '"complete":true'
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            #expect(run.text == "0\n0\n0\n0\n0\n0\n4\n", "\(run.text)\(run.errors)")
        }
    }

    @Test(
        "A backup is made while another one copies, and a pruning waits for both", .needs(.process),
        .enabled(if: Platform.isLinux, "reads /proc/locks"))
    func together() throws {
        try withScratch { folder throws in
            let script = """
                set -u
                for one in 1 2; do mkdir -p c$one/Documents; head -c 80000000 /dev/urandom > c$one/Documents/a; done
                cp c1/Documents/a c2/Documents/same
                "$TOOL" create c1 --bundle-id a.b1 --repository r > /dev/null & first=$!
                until [ -n "$(find r/staging -type f 2> /dev/null | head -1)" ]; do :; done
                # The first run may be stopped in its turn to change the catalogue.
                for try in $(seq 50); do
                    kill -STOP $first
                    "$TOOL" create c2 --bundle-id a.b2 --wait 0 --repository r > /dev/null 2>&1 && echo together && break
                    kill -CONT $first; sleep 0.02
                done
                "$TOOL" prune --wait 0 --repository r; echo $?
                "$TOOL" rewrite --all --exclude a --wait 0 --repository r > /dev/null 2>&1; echo $?
                kill -CONT $first; wait $first; echo $?
                "$TOOL" verify --repository r > /dev/null; echo $?
                for one in 1 2; do
                    "$TOOL" restore latest --bundle-id a.b$one --repository r --to out$one > /dev/null
                    diff -r c$one out$one && echo equal
                done
                ls r
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            #expect(
                run.text.hasPrefix("together\n11\n11\n0\n0\nequal\nequal\n") && !run.text.contains("staging"),
                "\(run.text)\(run.errors)")
            #expect(run.errors.contains(/is locked by process \d+, `create`, since/), "\(run.errors)")
        }
    }
}
