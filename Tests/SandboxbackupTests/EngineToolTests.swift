import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("sandboxbackup create --engine", .needs(.externalProgram), .timeLimit(.minutes(60))) struct EngineToolTests {
    static let tools = ["restic", "borg"]

    @Test("restic compares with the last snapshot of the same app, wherever its container is")
    func parent() throws {
        try withEngineSample("restic") { sample throws in
            let first = try EngineReport(sample.create("--format", "json"))
            var sample = sample
            sample.container = sample.folder.appending(path: "elsewhere")
            try sample.shell("mv container elsewhere; printf more >> elsewhere/Documents/notes/7.txt")
            let second = try EngineReport(sample.create("--format", "json"))
            #expect(second.complete, "\(second.lines)")
            let snapshots = try sample.shell("restic -r repository snapshots --json").text
            #expect(snapshots.contains(#""parent":"\#(first.snapshot)"#), "\(snapshots)")
            #expect(snapshots.contains(#""hostname":"com.example.app""#))
        }
    }

    @Test("Items that the tool omits or adds are reported, although it succeeds", arguments: tools)
    func reconciled(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            try sample.stand(
                in: tool == "restic"
                    ? #"[ "$1" != backup ] || set -- "$@" --exclude photo.bin --exclude "*bytes""#
                        + "\n" + #"exec "$REAL" "$@""#
                    : #"[[ "$*" != *paths-from-stdin* ]] || exec "$REAL" "$@" < <(grep -zv -a -e photo.bin -e bytes)"#
                        + "\n" + #"exec "$REAL" "$@""#)
            let run = try sample.create("--format", "json")
            #expect(run.code == 3, "\(run.errors)")
            let missing = ["not-stored: Documents/photo.bin", "not-stored: Documents/%FFbytes"]
            #expect(try Set(EngineReport(run).lines) == Set(missing))
            try sample.stand(
                in: tool == "restic"
                    ? #"[ "$1" != backup ] || : > "${10}""# + "\n" + #"exec "$REAL" "$@""#
                    : #"[[ "$*" != *paths-from-stdin* ]] || exec "$REAL" "$@" < <(cat; printf 'Library/Caches/a\0')"#
                        + "\n" + #"exec "$REAL" "$@""#)
            let more = try sample.create()
            #expect(more.code == 3 && more.text.contains("stored-and-not-planned: Library/Caches/a\n"), "\(more.text)")
            #expect(!more.text.contains("not-stored: "))
        }
    }

    @Test("A directory whose content is excluded one by one gives one pattern", arguments: tools)
    func flaggedOneByOne(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            try sample.shell(
                #"cd container/Documents; mkdir -p '$[a]*'\ /b tiles; touch tiles/{1..40}.png '$[a]*'\ /{1..3} '$[a]*'\ /b/c"#
            )
            let container = try Container.open(FilePath(sample.container.path))
            for number in 1...40 { try container.excludeFromBackup(.documents / "tiles/\(number).png") }
            for name in ["1", "2", "3", "b"] { try container.excludeFromBackup(.documents / "$[a]* /\(name)") }
            try sample.stand(in: #"[ "$1" != backup ] || cp "${10}" ../list; exec "$REAL" "$@""#)
            let run = try sample.create("--format", "json")
            #expect(run.code == 0, "\(run.text) \(run.errors)")
            let target = sample.folder.appending(path: "restored")
            _ = try sample.restore(EngineReport(run).snapshot, to: target)
            let left = try Command("find", ["tiles", "$[a]* "], in: target.appending(path: "Documents"))
            #expect(left.text == "tiles\n$[a]* \n", "\(left.text)\(left.errors)")
            guard tool == "restic" else { return }
            let list = try String(contentsOf: sample.folder.appending(path: "list"), encoding: .utf8)
            #expect(list.contains("/Documents/tiles/*\n") && list.split(separator: "\n").count < 10, "\(list)")
        }
    }

    @Test(
        "If excluded and included files are mixed, restic gets start paths",
        .enabled(if: Platform.isLinux, "compares with GNU find"))
    func flaggedBesideKept() throws {
        try withEngineSample("restic") { sample throws in
            try sample.shell(
                #"""
                cd container/Documents; mkdir -p mixed/whole/deep mixed/empty 'mixed/-$[a]* ' mixed/alone
                touch mixed/{1..2400}.png mixed/whole/deep/{1..3} mixed/whole/a 'mixed/-$[a]* '/{1..3} mixed/alone/a
                touch $'mixed/new\nline' $'mixed/\xff'; ln -s nowhere mixed/link
                touch -d '2021-02-03 04:05:06.5' mixed/whole mixed/alone mixed
                """#)
            let container = try Container.open(FilePath(sample.container.path))
            for number in stride(from: 1, through: 2400, by: 2) {
                try container.excludeFromBackup(.documents / "mixed/\(number).png")
            }
            for path in ["mixed/-$[a]* /2", "mixed/alone/a"] { try container.excludeFromBackup(.documents / path) }
            try sample.stand(in: #"[ "$1" != backup ] || { cp "${10}" ../out; cp "${12}" ../in; }; exec "$REAL" "$@""#)
            let run = try sample.create("--format", "json")
            let report = try EngineReport(run)
            #expect(run.code == 0 && report.complete, "\(report.lines) \(run.errors)")
            let begun = try Data(contentsOf: sample.folder.appending(path: "in")).split(separator: 0)
            let names = Set(begun.map { String(decoding: $0, as: UTF8.self) })
            #expect(names.contains("Documents/mixed/whole") && names.contains("Documents/notes"), "\(names.sorted())")
            #expect(names.contains("Documents/mixed/2.png") && !names.contains("Documents/mixed/1.png"))
            #expect(!names.contains { $0.hasPrefix("Documents/mixed/whole/") } && !names.contains("Documents/mixed"))
            let leftOut = try String(contentsOf: sample.folder.appending(path: "out"), encoding: .utf8)
            #expect(leftOut.hasSuffix("/Documents/mixed/alone/*\n") && leftOut.split(separator: "\n").count < 10)

            let target = sample.folder.appending(path: "restored")
            _ = try sample.restore(report.snapshot, to: target)
            let show = "find . -mindepth 1 -printf '%P %y %m %T@ %l\\0' | LC_ALL=C sort -z"
            let there = try sample.shell("cd restored/Documents/mixed; \(show)").output
            let kept = try sample.shell(
                "cd container/Documents/mixed; \(show) | LC_ALL=C grep -azvE '^([0-9]*[13579].png|alone/a|-.*/2) '"
            ).output
            #expect(there == kept, "\(String(decoding: there, as: UTF8.self))")
            #expect(try sample.shell("stat -c %y restored/Documents/mixed").text.hasPrefix("2021-02-03 04:05:06.5"))

            // The next run is compared with it.
            let again = try sample.create("--format", "json")
            #expect(again.code == 0)
            let snapshots = try sample.shell("restic -r repository snapshots --json").text
            #expect(snapshots.contains(#""parent":"\#(report.snapshot)"#))
        }
    }

    @Test("Progress of restic is shown, and JSON lines contain each problem")
    func progress() throws {
        try withEngineSample("restic") { sample throws in
            try sample.stand(
                in: #"""
                    if [ "$1" = backup ]; then
                        echo '{"message_type":"status","files_done":7,"bytes_done":1000}'
                        # Until it is told on.
                        until grep -qs '%  7 of [0-9]* files' ../errors || grep -qs '"files":7,.*"filesInAll"' ../lines ||
                            [ $SECONDS -gt 10 ]; do :; done
                        set -- "$@" --exclude photo.bin
                    fi
                    exec "$REAL" "$@"
                    """#)
            let create = "\(Command.sandboxbackup) create container --engine restic --repository repository"
            let shown = try sample.shell("\(create) --progress always 2> errors")
            let errors = try String(contentsOf: sample.folder.appending(path: "errors"), encoding: .utf8)
            #expect(shown.code == 3 && errors.contains(/%  7 of \d+ files/), "\(errors)")
            let run = try sample.shell("rm errors; \(create) --format jsonl > lines")
            #expect(run.code == 3, "\(run.errors)")
            let text = try String(contentsOf: sample.folder.appending(path: "lines"), encoding: .utf8)
            let lines = try text.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: [String: Any]])
            }
            #expect(lines.contains { $0["status"]?["files"] as? Int == 7 }, "\(text)")
            let told = lines.drop { $0["status"] != nil }
            #expect(told.map(\.keys.first) == ["error", "summary"], "\(text)")
            #expect(told.first?["error"]?["path"] as? String == "Documents/photo.bin", "\(text)")
            #expect(told.last?["summary"]?["complete"] as? Bool == false)
        }
    }

    @Test(
        "A file that changes is stored again, the first attempt is removed, and repeated changes are reported",
        arguments: tools)
    func changing(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            let change = tool == "restic" ? #"[ "$1" = backup ]"# : #"[[ "$*" = *paths-from-stdin* ]]"#
            try sample.stand(
                in: #"if \#(change) && [ ! -e ../once ]; then : > ../once; printf more >> Documents/letter.txt; fi"#
                    + "\n" + #"exec "$REAL" "$@""#)
            let once = try sample.create("--format", "json")
            let report = try EngineReport(once)
            #expect(once.code == 0 && report.complete, "\(once.text) \(once.errors)")
            let target = sample.folder.appending(path: "restored")
            _ = try sample.restore(report.snapshot, to: target)
            #expect(
                try listing(sample.container).differences(from: listing(target)).filter { !$0.contains(" nothing ") }
                    == [])
            #expect(try sample.holdsOnly([report.snapshot]))
            try sample.stand(in: #"if \#(change); then printf more >> Documents/letter.txt; fi; exec "$REAL" "$@""#)
            let always = try sample.create("--format", "json")
            #expect(always.code == 3)
            // The letter has a second name.
            let named = try EngineReport(always).lines.filter {
                $0.hasSuffix("/letter.txt") || $0.hasSuffix("/same.txt")
            }
            #expect(named.count == 2, "\(always.text)")
        }
    }

    @Test("A run whose first attempt remains is incomplete and reports it", arguments: tools)
    func leftovers(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            try sample.stand(
                in: #"""
                    case "$*" in
                    forget\ * | *\ delete\ *) exit 77 ;;
                    backup\ * | *paths-from-stdin*)
                        [ -e ../once ] || { : > ../once; printf more >> Documents/letter.txt; } ;;
                    esac
                    exec "$REAL" "$@"
                    """#)
            let run = try sample.create("--format", "json")
            let report = try EngineReport(run)
            #expect(run.code == 3 && report.incidents.isEmpty && !report.complete, "\(run.text) \(run.errors)")
            #expect(try sample.holdsOnly(report.leftovers + [report.snapshot]))
            #expect(report.leftovers.count == 1)
        }
    }

    @Test(
        "Databases in use are stored in one consistent state, without the tool's inconsistent copies",
        arguments: tools)
    func liveStores(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            let writer = """
                import sqlite3, sys
                dbs = [sqlite3.connect("container/Documents/%s.sqlite" % mode, isolation_level=None) for mode in ("DELETE", "WAL")]
                for db, mode in zip(dbs, ("DELETE", "WAL")):
                    db.execute("PRAGMA journal_mode = " + mode)
                    db.execute("CREATE TABLE pair(a, b, fill)")
                print("ready", flush=True)
                number = 0
                while True:
                    number += 1
                    for db in dbs:
                        db.execute("BEGIN")
                        for _ in range(20):
                            db.execute("INSERT INTO pair VALUES(?, ?, randomblob(3000))", (number, number))
                        db.execute("COMMIT")
                        if number % 200 == 0: db.execute("DELETE FROM pair")
                """
            try Data(writer.utf8).write(to: sample.folder.appending(path: "writer.py"))
            let run = try sample.shell(
                """
                exec 3< <(exec python3 writer.py)
                writer=$!
                read -r line <&3
                code=0
                "\(Command.sandboxbackup)" create container --engine \(tool) --repository repository --format json || code=$?
                kill -9 $writer
                exit $code
                """)
            #expect(run.code == 0, "\(run.text) \(run.errors)")
            let report = try EngineReport(run)
            let target = sample.folder.appending(path: "restored")
            _ = try sample.restore(report.snapshot, to: target)
            let first = try Command("find", [".", "-name", "*.sqlite*"], in: target).text
            #expect(!first.contains("DELETE") && !first.contains("WAL") && first.contains("rest.sqlite"), "\(first)")
            let stores = try #require(report.stores)
            #expect(try sample.restore(stores, to: target).code == 0)
            for mode in ["DELETE", "WAL"] {
                let check = "PRAGMA integrity_check; SELECT count(*) FROM pair GROUP BY a HAVING count(*) <> 20"
                let said = try Command("sqlite3", ["Documents/\(mode).sqlite", check], in: target)
                #expect(said.text == "ok\n", "\(mode): \(said.text) \(said.errors)")
            }
            let left = try sample.shell("ls \"${TMPDIR:-/tmp}\" | grep -c sandboxbackup-stores- || true")
            #expect(left.code == 0)
        }
    }

    @Test("A password may come from a pipe, such as a shell's process substitution", arguments: tools)
    func passwordFromPipe(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            let script = """
                unset RESTIC_PASSWORD BORG_PASSPHRASE; export RESTIC_PASSWORD_COMMAND='echo wrong'
                "$TOOL" create container --engine \(tool) --repository repository --password-file <(echo secret)
                """
            let run = try Command(
                "bash", ["-c", script], in: sample.folder,
                environment: sample.environment.merging(["TOOL": Command.sandboxbackup]) { $1 })
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            #expect(try sample.snapshots().count > 0)
        }
    }
}
