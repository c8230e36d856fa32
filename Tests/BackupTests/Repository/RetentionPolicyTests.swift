import FileSystem
import Foundation
import Testing

@testable import BackupOperations
@testable import BackupPlan
@testable import BackupRepository

@Suite struct RetentionPolicyTests {
    /// Returns snapshots of an app at the given hours since Thursday, 1970-01-01 00:00 UTC, numbered from 1.
    private static func snapshots(_ hours: [Int], of bundle: String = "com.example.app") -> [Snapshot] {
        hours.enumerated().map { index, hour in
            Snapshot(
                number: Int64(index + 1), taken: Timestamp(seconds: Int64(hour) * 3600), bundleIdentifier: bundle,
                kind: "application", view: "finder", tree: 1, files: 0, bytes: 0, incidents: [])
        }
    }

    private static func policy(_ change: (inout RetentionPolicy) -> Void) -> RetentionPolicy {
        var policy = RetentionPolicy()
        change(&policy)
        return policy
    }

    private static let day = 24

    @Test(
        "The last snapshot of each period is kept, and periods without snapshots are not counted",
        arguments: [
            // The last two snapshots.
            (policy { $0.last = 2 }, [0, 1, 2, 3], [3, 4]),
            // More than exist.
            (policy { $0.last = 9 }, [0, 1], [1, 2]),
            // Two days with a gap of a week.
            (policy { $0.counts[.day] = 2 }, [1, 23, 8 * day, 8 * day + 5], [2, 4]),
            // A minute before midnight, and midnight, are two days.
            (policy { $0.counts[.day] = 2 }, [22, 23, 24], [2, 3]),
            // A week begins on Monday: Sunday, 4 January, and the Monday after it.
            (policy { $0.counts[.week] = 2 }, [0, 3 * day, 4 * day], [2, 3]),
            // Months, one of them in another year before the epoch.
            (policy { $0.counts[.month] = 2 }, [-2 * day, -1, 0, 30 * day], [2, 4]),
            // A snapshot that one rule keeps is kept.
            (policy { ($0.last, $0.counts[.day]) = (1, 2) }, [0, 1, 30, 31], [2, 4]),
            // Hours and years, and the oldest snapshot while fewer years exist.
            (policy { $0.counts[.hour] = 2 }, [0, 1, 2], [2, 3]),
            (policy { $0.counts[.year] = 3 }, [0, day, 400 * day], [1, 2, 3]),
            (policy { $0.counts[.year] = 2 }, [0, day, 400 * day], [2, 3]),
            // Exactly a day older is not within a day.
            (policy { $0.within = TimeSpan("1d") }, [0, 1, day], [2, 3]),
            (policy { $0.periodsWithin[.day] = TimeSpan("2d") }, [0, 1, day, day + 1, 2 * day], [2, 4, 5]),
            // The last one is kept, whatever the policy.
            (policy { $0.last = 0 }, [0, 1], [2]),
        ])
    func kept(policy: RetentionPolicy, hours: [Int], kept: [Int64]) throws {
        let all = Self.snapshots(hours)
        #expect(try policy.decisions(on: all, now: .now).filter { !$0.isRemoved }.map(\.snapshot.number) == kept)
    }

    @Test("The policy applies to each container separately")
    func containers() throws {
        let all =
            Self.snapshots([0, 1])
            + Self.snapshots([0, 1], of: "com.example.other").map { snapshot in
                var snapshot = snapshot
                snapshot.number += 2
                return snapshot
            }
        let decisions = try Self.policy { $0.last = 1 }.decisions(on: all, now: .now)
        #expect(decisions.filter(\.isRemoved).map(\.snapshot.number) == [1, 3])
        #expect(RetentionPolicy().isEmpty && !Self.policy { $0.counts[.week] = 1 }.isEmpty)
    }

    @Test(
        "A month before a day that its month does not have is counted from the next month",
        arguments: [
            ("1m", "2026-03-31T12:00:00Z", "2026-03-03T12:00:00Z"),
            ("1m", "2024-03-31T12:00:00Z", "2024-03-02T12:00:00Z"),
            ("1y", "2024-02-29T00:00:00Z", "2023-03-01T00:00:00Z"),
            ("13m", "2026-01-15T00:00:00Z", "2024-12-15T00:00:00Z"),
            ("1y2m3d3h", "2016-01-18T12:02:03Z", "2014-11-15T09:02:03Z"),
            ("2w1h", "2026-01-01T00:00:00Z", "2025-12-17T23:00:00Z"),
        ])
    func spans(span: String, end: String, start: String) throws {
        func time(_ text: String) throws -> Timestamp {
            Timestamp(seconds: Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970))
        }
        #expect(try TimeSpan(span)?.start(before: time(end)) == time(start))
    }

    @Test("A span that reaches before all snapshots has no start", arguments: ["9999y", "999999m", "999999y999999d"])
    func longSpans(span: String) throws {
        #expect(try #require(TimeSpan(span)).start(before: Timestamp(seconds: 1_800_000_000)).seconds < 0)
    }
}
