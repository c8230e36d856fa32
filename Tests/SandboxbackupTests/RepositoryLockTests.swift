import Foundation
import TestSupport
import Testing

@Suite("The lock of a repository", .timeLimit(.minutes(60))) struct RepositoryLockTests {
    @Test("An interrupted creation is completed, a directory with other files is refused", .needs(.process))
    func making() throws {
        try withRepositorySample { folder, container, _ throws in
            for (name, script, code) in [
                ("a", "mkdir objects; touch catalogue.sqlite.new catalogue.sqlite.new-journal", 0),
                ("b", "touch catalogue.sqlite.new", 0), ("c", "mkdir objects", 0), ("d", ":", 0),
                ("e", "mkdir -p objects/ab", 10), ("f", "mkdir objects; touch letter", 10), ("g", "touch objects", 10),
            ] as [(String, String, Int32)] {
                let store = folder.appending(path: name)
                try Command.setUp("bash", ["-c", "mkdir \(name); cd \(name); \(script)"], in: folder)
                let before = try TreeListing(of: store)
                try backed("create", container, "--repository", store.path, code: code)
                if code == 0 {
                    try backed("verify", "--repository", store.path)
                } else {
                    #expect(try before.differences(from: TreeListing(of: store)) == [])
                }
            }
        }
    }

    @Test("Concurrent creations wait for each other", .needs(.process))
    func first() throws {
        try withRepositorySample { folder, _, _ throws in
            let script = """
                mkdir -p small/Documents; echo a > small/Documents/a
                for round in $(seq 12); do
                    for one in 1 2 3; do { "$TOOL" create small --repository store-$round > /dev/null; echo $?; } & done; wait
                    "$TOOL" verify --repository store-$round > /dev/null || echo damaged
                done
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            let codes = run.text.split(separator: "\n")
            #expect(
                codes.count == 36 && codes.allSatisfy { $0 == "0" } && run.errors.isEmpty, "\(run.text)\(run.errors)")
        }
    }

    @Test(
        "A failed run leaves no lock file, and the lock file of a killed process is ignored",
        .needs([.externalProgram, .root]),
        .enabled(if: Platform.isLinux, "runs flock and unshare"))
    func note() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let script = """
                set -u
                mkdir disk; mount -t tmpfs -o size=4m none disk
                head -c 100 /dev/urandom > small; mkdir -p tiny/Documents; cp small tiny/Documents
                "$TOOL" create tiny --repository disk/store > /dev/null
                "$TOOL" create container --repository disk/store; echo $?
                ls disk/store
                printf 'process 4711, `create`, since 2026-01-01T00:00:00Z' > store/writer
                exec 9< store; flock -s 9
                "$TOOL" prune --repository store --wait 0; echo $?
                """
            let run = try Command(
                "unshare", ["-m", "bash", "-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            #expect(
                run.text == "1\ncatalogue.sqlite\nobjects\npacks\nreserve\nsnapshots\n11\n", "\(run.text)\(run.errors)")
            #expect(run.errors.contains("locked by") && !run.errors.contains("4711"), "\(run.errors)")
        }
    }
}
