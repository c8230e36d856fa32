import Foundation
import TestSupport
import Testing

@Suite("Databases in use, staged for a tool", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct EngineStagingTests {
    @Test(
        "Staged read-only directories are removed, whoever the user is",
        .enabled(if: Platform.isLinux, "drops capabilities with setpriv"))
    func readOnlyDirectories() throws {
        try withEngineSample("restic") { sample throws in
            let script = #"""
                place="$(printf 'container/Documents/lo\377cked')"; mkdir -p "$place/deep" temporary
                sqlite3 "$place/deep/used.sqlite" "CREATE TABLE a(b)"; : > "$place/deep/used.sqlite-journal"
                chmod 555 "$place/deep" "$place"
                run=(env)
                [ "$(id -u)" != 0 ] || run=(setpriv --bounding-set=-dac_override,-dac_read_search)
                TMPDIR=$PWD/temporary "${run[@]}" "$TOOL" create container --engine restic \
                    --repository repository --format json
                """#.replacing("$TOOL", with: Command.sandboxbackup)
            let run = try sample.shell(script)
            #expect(run.code == 0, "\(run.text) \(run.errors)")
            let left = try names(in: sample.folder.appending(path: "temporary"))
            #expect(try EngineReport(run).stores != nil && left.isEmpty, "\(left)")
            // The user that cleans up after the test may not be root either.
            try sample.shell("chmod -R u+w container")
        }
    }
}
