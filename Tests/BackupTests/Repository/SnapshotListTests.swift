import AppContainer
import FileSystem
import Foundation
import GRDB
import SystemPackage
import TestSupport
import Testing

@testable import BackupOperations
@testable import BackupPlan
@testable import BackupRepository

@Suite struct SnapshotListTests {
    private static func snapshot(_ number: Int64, taken: Int64) -> Snapshot {
        Snapshot(
            number: number, taken: Timestamp(seconds: taken), bundleIdentifier: "com.example.app", kind: "application",
            view: "finder", tree: 1, files: 0, bytes: 0, incidents: [])
    }

    @Test(
        "No snapshot is made while the clock shows an implausible date",
        arguments: [-1_900_000_000, -1, 0, 1_700_000_000, 7_258_118_400, 253_402_300_800, .max])
    func clock(seconds: Int64) throws {
        try withContainer { container, folder throws in
            try folder.write("a\n", to: "Documents/a")
            let path = folder.deletingLastPathComponent().path + "/store"
            let store = try Repository(creatingAt: FilePath(path), command: "test")
            let plan = try Plan(of: container)
            let error = #expect(throws: BackupError.self) {
                _ = try SnapshotBuilder(
                    container: container, plan: plan, repository: store, taken: Timestamp(seconds: seconds)
                ).build()
            }
            #expect(error?.code == .failed && error?.description.contains("the system clock is wrong") == true)
            let list = try store.snapshots()
            #expect(list.snapshots == [] && list.damaged == [])
            #expect(try store.withCatalogue { try Int.fetchOne($0, sql: "SELECT count(*) FROM object") } == 0)
        }
    }

    @Test("A snapshot dated a day ahead is not ahead of the clock")
    func tolerance() {
        let now = Timestamp(seconds: 1_800_000_000)
        #expect(!Self.snapshot(1, taken: now.seconds + 86_400).isAhead(of: now))
        #expect(Self.snapshot(1, taken: now.seconds + 86_401).isAhead(of: now))
        #expect(!Self.snapshot(1, taken: .max).isAhead(of: Timestamp(seconds: .max)))
    }

    @Test("Snapshots dated ahead are kept and not counted")
    func ahead() throws {
        let now = Timestamp(seconds: 1_800_000_000)
        let all = [
            Self.snapshot(1, taken: now.seconds - 100), Self.snapshot(2, taken: 4_000_000_000),
            Self.snapshot(3, taken: now.seconds - 50), Self.snapshot(4, taken: 253_402_300_799),
        ]
        var policy = RetentionPolicy()
        (policy.last, policy.counts[.day]) = (1, 1)
        #expect(try policy.decisions(on: all, now: now).filter(\.isRemoved).map(\.snapshot.number) == [1])
        let order = all.sorted { $0.isOlder(than: $1, now: now) }
        #expect(order.map(\.number) == [2, 4, 1, 3])
    }
}
