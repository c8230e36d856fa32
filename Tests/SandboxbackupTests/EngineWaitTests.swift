import TestSupport
import Testing
import ToolSupport

@Suite("Locks and dates of restic and borg", .needs([.externalProgram, .process]), .timeLimit(.minutes(60)))
struct EngineWaitTests {
    @Test(
        "A backup waits for a repository that restic or borg has locked, and has the given date",
        arguments: ["restic", "borg"])
    func wait(engine: String) throws {
        try withScratch { folder throws in
            let script = """
                set -u
                mkdir -p c/Documents; echo letter > c/Documents/a; head -c 30000000 /dev/urandom > c/Documents/b
                export RESTIC_PASSWORD=p RESTIC_CACHE_DIR=$PWD/cache BORG_BASE_DIR=$PWD/borg
                export BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes
                if [ "$ENGINE" = restic ]; then
                    restic init -r r > /dev/null; restic -r r backup c > /dev/null
                    restic -r r check > /dev/null & holder=$!
                    until [ -n "$(ls r/locks)" ]; do :; done
                else
                    borg init -e none r; borg create r::x c
                    borg check --verify-data r > /dev/null & holder=$!
                    until [ -e r/lock.exclusive ]; do :; done
                fi
                kill -STOP $holder
                "$TOOL" create c --engine "$ENGINE" --repository r --wait 0 > /dev/null; echo $?
                { sleep 2; kill -CONT $holder; } &
                "$TOOL" create c --engine "$ENGINE" --repository r --time 2024-02-29T12:30:00Z > /dev/null; echo $?
                wait
                "$TOOL" snapshots --engine "$ENGINE" --repository r | grep -c 2024-02-29T12:30:00Z
                "$TOOL" restore latest --engine "$ENGINE" --repository r --to out > /dev/null; diff -r c out && echo equal
                """
            let run = try Command(
                "bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup, "ENGINE": engine])
            #expect(run.text == "11\n0\n1\nequal\n", "\(run.text)\(run.errors)")
        }
    }
}
