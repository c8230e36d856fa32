import AppContainer
import Foundation
import TestSupport
import Testing
import ToolSupport

/// A policy of the tests of restic, and the snapshots that it keeps.
private struct ReferencePolicy: CustomTestStringConvertible {
    let options: String
    /// The kept snapshots, counted from the newest one.
    let kept: [ClosedRange<Int>]
    var testDescription: String { options }

    init(_ options: String, _ kept: String) {
        self.options = options
        self.kept = kept.split(separator: " ").compactMap { range in
            let ends = range.split(separator: "-").compactMap { Int($0) }
            return ends.first.map { $0...(ends.last ?? $0) }
        }
    }

    /// The options as arguments.
    var arguments: [String] { options.split(separator: " ").map(String.init) }

    /// The policies of `snapshot_policy_test.go` in restic at commit a80be147, except that without an option, with the results that
    /// restic publishes in `policy_keep_snapshots_1` to `policy_keep_snapshots_39`.
    static let all = [
        ReferencePolicy("--keep-last 10", "0-9"),
        ReferencePolicy("--keep-last 15", "0-14"),
        ReferencePolicy("--keep-last 99", "0-98"),
        ReferencePolicy("--keep-last 200", "0-102"),
        ReferencePolicy("--keep-hourly 20", "0-1 3-9 13-17 19-24"),
        ReferencePolicy("--keep-daily 3", "0-1 3"),
        ReferencePolicy("--keep-daily 10", "0-1 3-8 15-16"),
        ReferencePolicy("--keep-daily 30", "0-1 3-8 15-16 19-24 26-29 34-43"),
        ReferencePolicy("--keep-last 5 --keep-daily 5", "0-5"),
        ReferencePolicy("--keep-last 2 --keep-daily 10", "0-1 3-8 15-16"),
        ReferencePolicy("--keep-weekly 2", "0-1"),
        ReferencePolicy("--keep-weekly 4", "0-1 3 15"),
        ReferencePolicy("--keep-daily 3 --keep-weekly 4", "0-1 3 15"),
        ReferencePolicy("--keep-monthly 6", "0 19 29 43 53 63"),
        ReferencePolicy("--keep-daily 2 --keep-weekly 2 --keep-monthly 6", "0-1 19 29 43 53 63"),
        ReferencePolicy("--keep-yearly 10", "0 19 63 102"),
        ReferencePolicy("--keep-daily 7 --keep-weekly 2 --keep-monthly 3 --keep-yearly 10", "0-1 3-7 19 29 63 102"),
        ReferencePolicy("--keep-tag foo", "31-33 67 69-82"),
        ReferencePolicy("--keep-tag foo,bar", "31-33 67"),
        ReferencePolicy("--keep-tag foo --keep-tag bar", "31-33 67-82"),
        ReferencePolicy("--keep-within 1d", "0"),
        ReferencePolicy("--keep-within 2d", "0"),
        ReferencePolicy("--keep-within 7d", "0-2"),
        ReferencePolicy("--keep-within 1m", "0-18"),
        ReferencePolicy("--keep-within 1m14d", "0-18"),
        ReferencePolicy("--keep-within 1y1d1m", "0-62"),
        ReferencePolicy("--keep-within 13d23h", "0-8"),
        ReferencePolicy("--keep-within 2m2h", "0-22"),
        ReferencePolicy("--keep-within 1y2m3d3h", "0-67"),
        ReferencePolicy("--keep-within-hourly 1y2m3d3h", "0-1 3-9 13-17 19-24 26-29 34-58 60-67"),
        ReferencePolicy("--keep-within-daily 1y2m3d3h", "0-1 3-8 15-16 19-24 26-29 34-58 60-67"),
        ReferencePolicy(
            "--keep-within-weekly 1y2m3d3h", "0-1 3 15 19 23 28-29 35 41 43-45 49 53 57 62-63 67"),
        ReferencePolicy("--keep-within-monthly 1y2m3d3h", "0 19 29 43 53 63"),
        ReferencePolicy("--keep-within-yearly 1y2m3d3h", "0 19 63"),
        ReferencePolicy(
            "--keep-within 1h --keep-within-hourly 1d --keep-within-daily 7d --keep-within-weekly 1m "
                + "--keep-within-monthly 1y --keep-within-yearly 9999y", "0-1 3 15 19 29 43 53 63 102"),
        ReferencePolicy("--keep-last unlimited", "0-102"),
        ReferencePolicy("--keep-last unlimited --keep-hourly unlimited", "0-102"),
        ReferencePolicy(
            "--keep-hourly unlimited", "0-1 3-9 13-17 19-24 26-29 34-58 60-68 70-98 100-102"),
        ReferencePolicy(
            "--keep-daily 3 --keep-weekly 2 --keep-monthly unlimited --keep-yearly unlimited",
            "0-1 3 19 29 43 53 63 73 83 93 102"),
    ]
}

/// A snapshot of the tests of restic.
private struct ReferenceSnapshot {
    /// The time in UTC, as restic's option `--time` takes it.
    let time: String
    let tags: [String]

    /// The snapshots, the newest first.
    static let all: [Self] = {
        let early = [1, 2, 5, 6, 8, 9, 10, 11, 20, 22].map { (day: $0, fraction: "") }
        let late = [8, 10, 12, 13, 13, 15, 18, 20, 21, 22].enumerated().map { (day: $1, fraction: $0 == 4 ? ".1" : "") }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        var all: [Self] = []
        for year in [2014, 2015] {
            for (month, days) in [(8, late), (9, early), (10, early), (11, late)] {
                for (day, fraction) in days {
                    let tags =
                        switch (year, month, day, fraction) {
                        case (2014, 11, 13, ".1"): ["bar"]
                        case (2014, 11, 15, _): ["bar", "foo"]
                        case (2014, 10, _, _), (2014, 11, ...13, _): ["foo"]
                        default: [String]()
                        }
                    let time = "\(year)-\(two(month))-\(two(day)) 10:20:30\(fraction)"
                    if (year, month, day) == (2015, 10, 22) {
                        all += Array(repeating: Self(time: time, tags: ["bar", "foo"]), count: 3)
                        all.append(Self(time: time, tags: []))
                    }
                    all.append(Self(time: time, tags: tags))
                }
            }
        }
        let times = """
            01 01:02:03,01 01:03:03,01 07:08:03,03 07:02:03,04 10:23:03,04 11:23:03,04 12:23:03,04 12:24:03,04 12:28:03,\
            04 12:30:03,04 16:23:03,05 09:02:03,06 08:02:03,07 10:02:03,08 20:02:03,09 21:02:03,12 21:02:03,12 21:08:03,\
            18 12:02:03
            """
        all += times.split(separator: ",").map { Self(time: "2016-01-\($0)", tags: []) }
        return all.reversed()
    }()
}

@Suite("sandboxbackup forget and restic forget", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct RetentionReferenceTests {
    /// Calls `body` with a repository that contains the snapshots of the tests of restic, numbered from the oldest.
    private func withReferenceRepository(_ body: (URL, _ store: String) throws -> Void) throws {
        try withBackupSample { _, path throws in
            let store = path + "-store"
            try backed("create", path, "--repository", store)
            var statements = "DELETE FROM label;"
            for (index, snapshot) in ReferenceSnapshot.all.reversed().enumerated() {
                let nanoseconds = snapshot.time.hasSuffix(".1") ? 100_000_000 : 0
                statements += """
                    INSERT INTO snapshot SELECT \(index + 2), sha256, unixepoch('\(snapshot.time)'), \(nanoseconds),
                        bundle, kind, view, tree, files, bytes, exclusions FROM snapshot WHERE id = 1;
                    """
                for tag in snapshot.tags { statements += "INSERT INTO label VALUES(\(index + 2), 'tag', '\(tag)');" }
            }
            statements += """
                DELETE FROM snapshot WHERE id = 1;
                UPDATE snapshot SET id = id - 1; UPDATE label SET snapshot = snapshot - 1;
                """
            try executeSQL("BEGIN; \(statements) COMMIT;", in: "\(store)/catalogue.sqlite")
            try rehash(store)
            try body(URL(fileURLWithPath: path).deletingLastPathComponent(), store)
        }
    }

    /// Returns the kept snapshots of a dry run, counted from the newest one.
    private func kept(_ policy: ReferencePolicy, in store: String) throws -> [Int] {
        struct Result: Decodable {
            struct Item: Decodable {
                let snapshot: Int
                let reasons: [String]?
            }
            let forgotten: [Item]
            let kept: [Item]
        }
        let run = try sandboxbackup(
            ["forget", "--dry-run", "--format", "json", "--repository", store] + policy.arguments)
        try #require(run.code == 0, "\(policy.options): \(run.errors)")
        let result = try JSONDecoder().decode(Result.self, from: run.output)
        #expect(result.kept.allSatisfy { $0.reasons?.isEmpty == false }, "\(policy.options)")
        #expect(result.forgotten.count + result.kept.count == ReferenceSnapshot.all.count, "\(policy.options)")
        return result.kept.map { ReferenceSnapshot.all.count - $0.snapshot }.sorted()
    }

    @Test("Each policy keeps the snapshots that restic publishes")
    func published() throws {
        #expect(ReferencePolicy.all.count == 39 && ReferenceSnapshot.all.count == 103)
        try withReferenceRepository { _, store throws in
            for policy in ReferencePolicy.all {
                #expect(try kept(policy, in: store) == policy.kept.flatMap(Array.init), "\(policy.options)")
            }
        }
    }

    @Test("Each policy keeps what the installed restic keeps, and the oldest snapshot", .needs(.long))
    func installed() throws {
        struct Group: Decodable {
            struct Item: Decodable { let time: String }
            let keep: [Item]?
        }
        try withReferenceRepository { folder, store throws in
            let environment = [
                "RESTIC_PASSWORD": QuickRestic.password, "RESTIC_REPOSITORY": "\(folder.path)/restic", "TZ": "UTC",
                "RESTIC_CACHE_DIR": "\(folder.path)/cache",
            ]
            func restic(_ arguments: [String]) throws -> Command {
                try Command("restic", arguments, in: folder, environment: environment)
            }
            try QuickRestic.makeRepository(at: "\(folder.path)/restic")
            for snapshot in ReferenceSnapshot.all.reversed() {
                let tags = snapshot.tags.isEmpty ? [] : ["--tag", snapshot.tags.joined(separator: ",")]
                try restic(["backup", "--quiet", "sample/Documents", "--time", snapshot.time] + tags).succeeded()
            }
            var (compared, different) = (0, 0)
            for policy in ReferencePolicy.all {
                let run = try restic(["forget", "--dry-run", "--json", "--group-by", ""] + policy.arguments)
                // restic 0.14 requires a number; the manual of 0.16.4 has the word.
                if run.code != 0, policy.options.contains("unlimited") { continue }
                let keep = try JSONDecoder().decode([Group].self, from: run.succeeded().output).first?.keep ?? []
                let theirs = keep.map { String($0.time.replacing("T", with: " ").prefix { $0 != "Z" }) }.sorted()
                let ours = try kept(policy, in: store).map { ReferenceSnapshot.all[$0].time }.sorted()
                // restic 0.14 does not keep the oldest snapshot for a missing period; the manual of 0.17.3 describes it.
                #expect(ours == theirs || Array(ours.dropFirst()) == theirs, "\(policy.options)")
                if ours != theirs {
                    different += 1
                    #expect(ours.first == ReferenceSnapshot.all.last?.time, "\(policy.options)")
                }
                compared += 1
            }
            // Three policies count years to the oldest snapshot without numbers that are unlimited.
            #expect(compared >= 35 && different <= 3)
        }
    }
}
