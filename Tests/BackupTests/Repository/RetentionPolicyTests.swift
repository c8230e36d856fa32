import FileSystem
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
            (policy { $0.daily = 2 }, [1, 23, 8 * day, 8 * day + 5], [2, 4]),
            // A minute before midnight, and midnight, are two days.
            (policy { $0.daily = 2 }, [22, 23, 24], [2, 3]),
            // A week begins on Monday: Sunday, 4 January, and the Monday after it.
            (policy { $0.weekly = 2 }, [0, 3 * day, 4 * day], [2, 3]),
            // Months, one of them in another year before the epoch.
            (policy { $0.monthly = 2 }, [-2 * day, -1, 0, 30 * day], [2, 4]),
            // A snapshot that one rule keeps is kept.
            (policy { ($0.last, $0.daily) = (1, 2) }, [0, 1, 30, 31], [2, 4]),
        ])
    func kept(policy: RetentionPolicy, hours: [Int], kept: [Int64]) {
        let all = Self.snapshots(hours)
        let forgotten = Set(policy.forgotten(of: all, now: .now).map(\.number))
        #expect(all.map(\.number).filter { !forgotten.contains($0) } == kept)
    }

    @Test("The policy applies to each container separately")
    func containers() {
        let all =
            Self.snapshots([0, 1])
            + Self.snapshots([0, 1], of: "com.example.other").map { snapshot in
                var snapshot = snapshot
                snapshot.number += 2
                return snapshot
            }
        #expect(Self.policy { $0.last = 1 }.forgotten(of: all, now: .now).map(\.number) == [1, 3])
        #expect(RetentionPolicy().isEmpty && !Self.policy { $0.weekly = 1 }.isEmpty)
    }
}
