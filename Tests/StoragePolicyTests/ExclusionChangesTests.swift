import AppContainer
import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Changes of backup exclusions") struct ExclusionChangesTests {
    private func withPair(_ body: (Container, Container) throws -> Void) throws {
        try withScratch { folder throws in
            let pair = try ["a", "b"].map { name in
                let container = try Container.create(
                    at: FilePath(folder.appending(path: name).path), bundleIdentifier: "com.example.app")
                for directory in ["maps/one", "maps/two", "other"] {
                    for number in 0..<3 {
                        try container.save(
                            Data(count: 10), to: .documents / "\(directory)/\(number)",
                            options: .init(durability: .none))
                    }
                }
                return container
            }
            try body(pair[0], pair[1])
        }
    }

    private func shown(_ changes: ExclusionChanges) -> [String] {
        changes.listed.map { "\($0.path) \($0.before) \($0.after) \($0.items) \($0.bytes)" }
    }

    @Test("A change of a directory's exclusion is reported at the directory, that of an item at the item")
    func grouped() throws {
        try withPair { before, after throws in
            #expect(try shown(ExclusionChanges(from: before, to: after)).isEmpty)
            try after.excludeFromBackup(.documents / "maps")
            try before.excludeFromBackup(.documents / "maps/two/1")
            try before.excludeFromBackup(.documents / "other/0")
            let changes = try ExclusionChanges(from: before, to: after, threads: 4)
            #expect(
                shown(changes) == [
                    "Documents/maps included excluded 8 50", "Documents/other/0 excluded included 1 10",
                ])
            #expect(changes.isComplete && changes.others == 0)
        }
    }

    @Test("An item in only one container is not a change")
    func onlyInOne() throws {
        try withPair { before, after throws in
            try after.save("x", to: .documents / "new/file")
            try after.excludeFromBackup(.documents / "new")
            try before.save("x", to: .documents / "old")
            try before.excludeFromBackup(.documents / "old")
            #expect(try shown(ExclusionChanges(from: before, to: after)).isEmpty)
        }
    }

    @Test("Of more than a thousand, the first by path are listed, with any number of threads, and the others counted")
    func many() throws {
        try withPair { before, after throws in
            for number in 0..<2_500 {
                try before.save(
                    Data(), to: .documents / "many/\(number % 10)/\(number)", options: .init(durability: .none))
            }
            let (path, all) = try (before.path(.documents / "many").string, after.path(.documents / "many").string)
            try URL(filePath: "/").copyAll(path, to: all)
            let mark = "user.com.apple.metadata:com_apple_backup_excludeItem"
            for number in 0..<2_500 { try AttributeTool.set(mark, to: "x", of: "\(all)/\(number % 10)/\(number)") }
            let one = try ExclusionChanges(from: before, to: after, threads: 1)
            let many = try ExclusionChanges(from: before, to: after, threads: 8)
            #expect(one.listed == many.listed && one.listed.count == 1_000)
            #expect(one.others == 1_500 && many.others == 1_500)
            #expect(one.listed.map(\.path) == one.listed.map(\.path).sorted())
        }
    }

    @Test("More items than the limit make the comparison incomplete, and no false change is reported")
    func limit() throws {
        try withPair { before, after throws in
            try after.excludeFromBackup(.documents / "other/0")
            let changes = try ExclusionChanges(from: before, to: after, limit: 5)
            #expect(!changes.isComplete && changes.listed.count <= 1)
        }
    }
}
