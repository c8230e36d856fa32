import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite(
    "sandboxbackup create --engine restic with many items and runs", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct EngineManyTests {
    /// The command for forgetting in the guide.
    private static let advice: String? = {
        let file = URL(fileURLWithPath: #filePath).appending(path: "../../../docs/backup.md").standardized
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.firstMatch(of: /`(restic forget [^`]+)`/).map {
            $0.1.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }()

    @Test("Forgetting as in the guide keeps both snapshots of the last run, and no other")
    func forgetting() throws {
        let advice = try #require(Self.advice)
        try withEngineSample("restic") { sample throws in
            try sample.shell(
                """
                sqlite3 container/Documents/used.sqlite "CREATE TABLE a(b)"; : > container/Documents/used.sqlite-journal
                """)
            _ = try sample.create()
            let last = try EngineReport(sample.create("--format", "json"))
            #expect(try sample.snapshots().count == 4)
            for part in ["container", "stores"] {
                let command = advice.replacing("sandboxbackup:container", with: "sandboxbackup:\(part)")
                    .replacing("--keep-last 7", with: "--keep-last 1")
                let run = try sample.shell("RESTIC_REPOSITORY=repository \(command)")
                #expect(run.code == 0, "\(run.errors)")
            }
            let stores = try #require(last.stores)
            #expect(try sample.holdsOnly([last.snapshot, stores]))
        }
    }

    @Test("restic is asked only for the last snapshot, however many there are")
    func last() throws {
        try withEngineSample("restic") { sample throws in
            for _ in 1...2 { #expect(try sample.create().code == 0) }
            let second = try #require(try sample.snapshots().last)
            try sample.stand(in: #"[ "$1" != snapshots ] || "$REAL" "$@" > told; exec "$REAL" "$@""#)
            #expect(try sample.create().code == 0)
            struct Record: Decodable { let short_id: String }
            let told = try Data(contentsOf: sample.folder.appending(path: "told"))
            #expect(try JSONDecoder().decode([Record].self, from: told).map(\.short_id) == [second])
        }
    }

    @Test("If the start paths exceed the record, restic gets exclude patterns")
    func longRecord() throws {
        try withEngineSample("restic") { sample throws in
            // Included and excluded files alternate, with paths of 3,500 bytes.
            try sample.shell(
                """
                place=container/Documents
                for level in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do place=$place/$(printf '%0250d' $level); done
                mkdir -p "$place"; cd "$place"; touch kept-{1..2500} flagged-{1..1100}
                ls | grep flagged | tr '\\n' '\\0' |
                    xargs -0 \(AttributeTool.command(setting: "user.com.apple.metadata:com_apple_backup_excludeItem", to: "flag"))
                """)
            try sample.stand(in: #"[ "$1" != backup ] || cp "${12}" ../in; exec "$REAL" "$@""#)
            let run = try sample.create("--format", "json")
            let report = try EngineReport(run)
            #expect(run.code == 0 && report.complete && report.files > 2_500, "\(run.text) \(run.errors)")
            #expect(try Data(contentsOf: sample.folder.appending(path: "in")) == Data(".\0".utf8))
        }
    }

    @Test(
        "If only the container is included, which restic omits, it is reported however many items are excluded"
    )
    func nothingInIt() throws {
        try withEngineSample("restic") { sample throws in
            try sample.shell("rm -r container/*; mkdir container/tmp; touch container/{1..1100}")
            let run = try sample.create()
            #expect(run.code == 1 && run.errors.contains("snapshot is empty"), "\(run.text) \(run.errors)")
        }
    }
}
