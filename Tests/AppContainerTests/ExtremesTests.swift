import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Extreme sizes, offsets and times", .timeLimit(.minutes(60))) struct ExtremesTests {
    /// Three sparse files of 8 EiB less a byte, which only tmpfs can store.
    private func withSparse(_ body: (Container) throws -> Void) throws {
        let memory = URL(filePath: "/dev/shm/sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: memory) }
        let container = try Container.create(at: FilePath(memory.path), bundleIdentifier: "com.example.app")
        let folder = URL(filePath: try container.path(.documents).string)
        for name in ["a", "b", "c"] { try folder.makeHole(name, size: .max) }
        try body(container)
    }

    @Test(
        "Sparse files of 24 EiB are counted as the maximum and do not crash",
        .enabled(if: Platform.isLinux, "stores files of 8 EiB in /dev/shm"))
    func usage() throws {
        try withSparse { container throws in
            let usage = try container.usage()
            #expect(usage.all.logical == .max && usage.byLocation[.documents]?.logical == .max)
            #expect(usage.largest.first?.size == UInt64(Int64.max))
        }
    }

    @Test(
        "A sparse file larger than memory is an error of every load, and can be read piece by piece",
        .enabled(if: Platform.isLinux, "stores files of 8 EiB in /dev/shm"))
    func load() throws {
        try withSparse { container throws in
            let place = ContainerPath.documents / "a"
            for load in [
                { _ = try container.load(place) }, { _ = try container.loadBytes(place) },
                { _ = try container.loadText(place) }, { _ = try container.loadMapped(place) },
            ] as [() throws -> Void] {
                let error = #expect(throws: ContainerError.self) { try load() }
                #expect(error?.code == .failed && error?.path == "Documents/a")
            }
            #expect(try container.reader(of: place).next()?.count == 65_536)
        }
    }

    @Test("A reader returns everything for any count, and nothing beyond the end")
    func reader() throws {
        try withContainer { container throws in
            try container.save("hello", to: .documents / "a")
            let reader = try container.reader(of: .documents / "a")
            #expect(try reader.next(upTo: .max) == Data("hello".utf8))
            for position in [5, 6, UInt64(Int64.max), UInt64(Int64.max) + 1, .max] {
                reader.position = position
                #expect(try reader.next() == nil && reader.next(upTo: .max) == nil)
            }
        }
    }

    @Test("A path of 3,000 components is used like any other", arguments: [1, 60])
    func components(length: Int) throws {
        try withContainer { container throws in
            let name = String(repeating: "a", count: length)
            let text = Array(repeating: name, count: 3_000).joined(separator: "/")
            let item = ContainerPath.documents / text
            #expect(item.description == "Documents/\(text)" && item == ContainerPath("Documents/\(text)"))
            #expect(item.parent?.name == name && (item / "b").name == "b")
            try container.save("deep", to: item / "b")
            #expect(try container.loadText(item / "b") == "deep")
            #expect(try container.list(item).map(\.name) == ["b"])
        }
    }

    @Test("An endless timeout acquires a lock that is free", arguments: [100_000_000_000, Int64.max])
    func lock(seconds: Int64) throws {
        try withContainer { container throws in
            try container.lock(within: .seconds(seconds)).release()
        }
    }

    @Test(
        "The age of a leftover is exact to a fraction of a second, and any age is accepted",
        arguments: [
            (Duration.milliseconds(700), false), (.milliseconds(600), true), (.seconds(1) + .milliseconds(-349), false),
            (.seconds(Int64.max), false), (.seconds(Int64.min), true), (.milliseconds(-500), true),
        ])
    func age(age: Duration, isSwept: Bool) throws {
        try withContainer { container throws in
            let path = FilePath("Documents/.appcontainer-staging-0123abcd00000001")
            _ = try container.folder.createFile(path, permissions: 0o600)
            var now = try container.folder.status(path).changed
            let nanoseconds = now.nanoseconds + 650_000_000
            now = Timestamp(
                seconds: now.seconds + Int64(nanoseconds / 1_000_000_000), nanoseconds: nanoseconds % 1_000_000_000)
            #expect(try container.sweepLeftovers(olderThan: age, now: now).isEmpty == !isSwept)
        }
    }
}
