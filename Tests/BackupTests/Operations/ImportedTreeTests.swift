import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import BackupOperations
@testable import BackupPlan
@testable import BackupRepository

@Suite struct ImportedTreeTests {
    private func written(_ tree: ImportedTree) throws -> ImportedTree.Written {
        try withScratch { folder throws in
            var tree = tree
            let store = try Repository(creatingAt: FilePath(folder.appending(path: "store").path), command: "test")
            let writer = try ObjectWriter(store)
            defer { writer.abandon() }
            return try tree.write(into: store, made: .now)
        }
    }

    private static func file(_ path: String, size: UInt64 = 0) -> (SnapshotEntry, [UInt8]) {
        let path = Array(path.utf8)
        var entry = SnapshotEntry(name: PathOrder.split(path).name, kind: .file)
        entry.size = size
        return (entry, path)
    }

    @Test("Items, created directories and incidents count toward one limit, and so do the bytes of their paths")
    func room() throws {
        // The file, three directories, and two reported directories without a row: the first one and the container.
        for items in [5, 6] {
            var tree = ImportedTree(room: ImportLimits(items: items))
            try tree.add(Self.file("a/b/c/d").0, at: Self.file("a/b/c/d").1)
            guard items == 5 else {
                #expect(try written(tree).incidents.map(\.path) == [Array("a".utf8), []])
                continue
            }
            let error = #expect(throws: BackupError.self) { _ = try written(tree) }
            #expect(error?.code == .failed)
        }
        var tree = ImportedTree(room: ImportLimits(bytes: 8))
        try tree.record(Array("1234".utf8), reason: "a")
        try tree.add(Self.file("1234").0, at: Self.file("1234").1)
        #expect(throws: BackupError.self) { try tree.record([1], reason: "b") }
    }

    @Test("Sums of sizes are limited to Int64.max")
    func sizes() throws {
        var tree = ImportedTree()
        for path in ["a", "b", "d/a", "d/b", "d/c"] {
            let (entry, path) = Self.file(path, size: UInt64(Int64.max))
            try tree.add(entry, at: path)
        }
        #expect(try written(tree).bytes == UInt64(Int64.max))
    }
}
