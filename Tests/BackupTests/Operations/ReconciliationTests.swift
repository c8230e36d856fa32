import FileSystem
import Testing

@testable import BackupOperations
@testable import BackupPlan
@testable import BackupRepository

/// A tool that shows any byte of a name that is no ASCII as one question mark, and times as they are.
private struct Tool: BackupEngine {
    let version = "1"
    let includesRoot = true
    let preservesBinaryTargets = true

    func name(of path: [UInt8]) -> [UInt8] { EngineNames.text(of: path, replacement: "?") }
    func shows(_ time: Timestamp, as listed: Timestamp) -> Bool { time == listed }
    func last(of owner: String) -> String? { nil }
    func make(_ task: EngineTask) -> String { "" }
    func list(_ snapshot: String, atMost most: Int, _ body: (ListedItem) -> Void) {}
    func remove(_ snapshot: String, within limit: Duration) {}
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

    /// Files in the order of their names, which all look alike, each of a size of its own.
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
            reconciliation.meet(Self.listed(number == 190 ? Self.file(item.path, size: 7_000) : item))
        }
        let found = reconciliation.end()
        // Which of the two is which, a listing of such names does not tell.
        #expect(found.incidents.map(\.reason) == ["stored-with-other-size", "not-stored"])
        #expect(Set(found.incidents.map(\.path)) == [items[3].path, items[190].path] && found.files == 199)
    }

    @Test("A hundred thousand similar names are compared quickly")
    func manyLookalikes() {
        let items = Self.alike(100_000)
        var reconciliation = Reconciliation(StagedItems(items), in: Tool())
        let seconds = secondsOfWork { for item in items.dropFirst() { reconciliation.meet(Self.listed(item)) } }
        // Each compared with all that are left, they take minutes.
        #expect(seconds < 20)
        let found = reconciliation.end()
        #expect(found.incidents.map(\.path) == [items[0].path] && found.files == 99_999)
    }
}
