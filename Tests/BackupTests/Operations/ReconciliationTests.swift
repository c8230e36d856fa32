import FileSystem
import SystemPackage
import Testing

@testable import BackupOperations
@testable import BackupPlan
@testable import BackupRepository

/// A tool whose listings replace each byte outside ASCII by a question mark.
private struct Tool: BackupEngine {
    let version = "1"
    let includesRoot = true
    let preservesBinaryTargets = true

    func name(of path: [UInt8]) -> [UInt8] { EngineNames.text(of: path, replacement: "?") }
    func displays(_ time: Timestamp, as listed: Timestamp) -> Bool { time == listed }
    func latestSnapshot(of owner: String) -> String? { nil }
    func createSnapshot(_ task: EngineTask) -> String { "" }
    func listItems(of snapshot: String, atMost most: Int, _ body: (ListedItem) -> Void) {}
    func listSnapshots() -> [EngineRecord] { [] }
    func restoreSnapshot(_ snapshot: String, into directory: FilePath) {}
    func removeSnapshot(_ snapshot: String, within limit: Duration) {}
}

@Suite struct ReconciliationTests {
    private static func file(_ path: [UInt8], size: UInt64) -> EngineItem {
        EngineItem(path: path, status: FileStatus(kind: .file, size: size))
    }

    private static func listed(_ item: EngineItem) -> ListedItem {
        ListedItem(
            name: Tool().name(of: item.path), kind: .file, size: item.status.size, permissions: 0,
            modified: Timestamp(seconds: 0))
    }

    /// Files with similar names in order, each with a different size.
    private static func alike(_ count: Int) -> [EngineItem] {
        (0..<count).map { number in
            file([number >> 12, number >> 6, number].map { 0x80 | UInt8($0 & 0x3f) }, size: UInt64(number))
        }
    }

    @Test("Among many similar names, the missing and the different item are reported")
    func lookalikes() {
        let items = Self.alike(200)
        var reconciliation = Reconciliation(StagedItems(items), in: Tool())
        for (number, item) in items.enumerated() where number != 3 {
            reconciliation.compare(Self.listed(number == 190 ? Self.file(item.path, size: 7_000) : item))
        }
        let found = reconciliation.end()
        // The listing does not show which of the two is which.
        #expect(found.incidents.map(\.reason) == ["stored-with-other-size", "not-stored"])
        #expect(Set(found.incidents.map(\.path)) == [items[3].path, items[190].path] && found.files == 199)
    }

    @Test("A hundred thousand similar names are compared quickly")
    func manyLookalikes() {
        let items = Self.alike(100_000)
        var reconciliation = Reconciliation(StagedItems(items), in: Tool())
        let seconds = secondsOfWork { for item in items.dropFirst() { reconciliation.compare(Self.listed(item)) } }
        // Comparing each with all others would take minutes.
        #expect(seconds < 20)
        let found = reconciliation.end()
        #expect(found.incidents.map(\.path) == [items[0].path] && found.files == 99_999)
    }
}
