import AppContainer
import ContainerTree
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import BackupOperations
@testable import BackupPlan
@testable import BackupRepository

@Suite struct TreeReaderTests {
    @Test(
        "A snapshot is read to its end, unless it has more directories than possible", arguments: [50, 2_000])
    func bounded(most: Int) throws {
        try withContainer { container, folder throws in
            for number in 1...300 { try folder.write(to: "Documents/\(number)/a", "Documents/\(number).txt") }
            let store = try Repository(
                creatingAt: FilePath(folder.deletingLastPathComponent().path + "/store"), command: "test")
            let plan = try Plan(of: container)
            let snapshot = try SnapshotBuilder(container: container, plan: plan, repository: store, taken: .now).build()
                .snapshot
            let limit = TreeSize.Limit(items: most, itemsPerRow: 0)
            let tree = TreeReader(snapshot, of: store, checkingAfter: 40, limit: limit)
            var (directories, files) = (0, 0)
            func go(_ directory: SnapshotEntry) throws(BackupError) -> Bool {
                var isWhole = true
                let isShown = try tree.read(directory.child) { entry throws(BackupError) in
                    if entry.kind == .directory { directories += 1 } else { files += 1 }
                    if entry.kind == .directory, try !go(entry) { isWhole = false }
                }
                return isWhole && isShown
            }
            let isWhole = try go(try tree.container())
            #expect(isWhole == (most == 2_000))
            #expect(isWhole ? files >= 600 && directories > 300 : directories < 50)
            #expect(try tree.isSnapshotWhole())
        }
    }

    @Test("Sums of sizes are limited to Int64.max")
    func clamped() {
        var sum: UInt64 = 5
        sum.addClamped(7)
        #expect(sum == 12)
        for _ in 1...3 { sum.addClamped(UInt64(Int64.max)) }
        #expect(sum == UInt64(Int64.max))
        sum.addClamped(.max)
        #expect(sum == UInt64(Int64.max))
    }

    @Test("Sums of sizes in the progress of a restore are limited too")
    func told() {
        let told = Told()
        let tally = RestoreResult.Accumulator { _, bytes in told.bytes.withLock { $0 = bytes } }
        tally.add { outcome in
            outcome.bytes = UInt64(Int64.max)
            outcome.sameBytes = UInt64(Int64.max)
        }
        tally.reportProgress(unfinished: UInt64(Int64.max))
        #expect(told.bytes.withLock { $0 } == UInt64(Int64.max))
    }

    private final class Told: Sendable { let bytes = LockedValue<UInt64>(0) }
}
