import AppContainer
import Foundation
import FileSystem
import SystemPackage
import TestSupport
import Testing

@Suite("Changes below a directory", .timeLimit(.minutes(60))) struct ChangesTests {
    /// A way to watch the directory: by the kernel, or by a comparison every hundredth of a second.
    enum Method: CaseIterable { case kernel, polling }

    private func changes(
        _ container: Container, below directory: ContainerPath, _ method: Method
    ) throws -> ContainerChanges {
        try container.changes(below: directory, polling: method == .polling ? .milliseconds(10) : nil)
    }

    /// Waits for a change of each of these items, in any order, and returns all changes until then.
    @discardableResult
    private func wait(
        for expected: [(ContainerChange.Kind, ContainerPath)], in iterator: inout ContainerChanges.AsyncIterator
    ) async throws -> [ContainerChange] {
        var missing = expected
        var found: [ContainerChange] = []
        while !missing.isEmpty {
            let change = try #require(try await iterator.next())
            found.append(change)
            missing.removeAll { $0 == (change.kind, change.path) }
        }
        return found
    }

    @Test("A save, a change, a move and a removal are reported, without temporary files", arguments: Method.allCases)
    func files(method: Method) async throws {
        try await withContainer { container async throws in
            try container.save("old", to: .documents / "d/old")
            var iterator = try changes(container, below: .documents, method).makeAsyncIterator()
            var all: [ContainerChange] = []
            try container.save("x", to: .documents / "a")
            all += try await wait(for: [(.changed, .documents / "a")], in: &iterator)
            try container.save("y", to: .documents / "d/old")
            all += try await wait(for: [(.changed, .documents / "d/old")], in: &iterator)
            try container.move(.documents / "a", to: .documents / "b")
            all += try await wait(for: [(.removed, .documents / "a"), (.changed, .documents / "b")], in: &iterator)
            try container.excludeFromBackup(.documents / "b")
            all += try await wait(for: [(.changed, .documents / "b")], in: &iterator)
            try container.remove(.documents / "d")
            all += try await wait(for: [(.removed, .documents / "d")], in: &iterator)
            // Elsewhere in the container.
            try container.save("x", to: .caches / "c")
            try container.save("x", to: .documents / "end")
            all += try await wait(for: [(.changed, .documents / "end")], in: &iterator)
            #expect(!all.contains { $0.path.name.hasPrefix(".") || $0.path == .caches / "c" })
        }
    }

    @Test("New directories and directories that are moved in are watched too", arguments: Method.allCases)
    func directories(method: Method) async throws {
        try await withContainer { container async throws in
            try container.save("x", to: .temporary / "new/deep/file")
            var iterator = try changes(container, below: .documents, method).makeAsyncIterator()
            try container.save("x", to: .documents / "1/2/3/a")
            try await wait(for: [(.changed, .documents / "1/2/3/a")], in: &iterator)
            try container.save("x", to: .documents / "1/2/3/b")
            try await wait(for: [(.changed, .documents / "1/2/3/b")], in: &iterator)
            try container.move(.temporary / "new", to: .documents / "new")
            try await wait(for: [(.changed, .documents / "new/deep/file")], in: &iterator)
            try container.move(.documents / "new", to: .documents / "renamed")
            try await wait(
                for: [(.removed, .documents / "new"), (.changed, .documents / "renamed/deep/file")], in: &iterator)
            try container.save("y", to: .documents / "renamed/deep/file")
            try await wait(for: [(.changed, .documents / "renamed/deep/file")], in: &iterator)
            // Not watched any more.
            try container.move(.documents / "renamed", to: .temporary / "away")
            try await wait(for: [(.removed, .documents / "renamed")], in: &iterator)
            try container.save("z", to: .temporary / "away/deep/file")
            try container.save("x", to: .documents / "end")
            let rest = try await wait(for: [(.changed, .documents / "end")], in: &iterator)
            #expect(!rest.contains { $0.kind == .changed && $0.path.description.contains("deep") })
        }
    }

    @Test("A watched directory that goes and comes back is reported with its content", arguments: Method.allCases)
    func goesAndComesBack(method: Method) async throws {
        try await withContainer { container async throws in
            let watched = ContainerPath.caches / "covers/small"
            // Not there yet, and neither are the directories above it.
            var iterator = try changes(container, below: watched, method).makeAsyncIterator()
            for round in 0..<3 {
                try container.save("x", to: watched / "\(round).jpg")
                try await wait(for: [(.changed, watched), (.changed, watched / "\(round).jpg")], in: &iterator)
                try container.save("y", to: watched / "second")
                try await wait(for: [(.changed, watched / "second")], in: &iterator)
                if round == 0 {
                    try container.remove(watched)
                } else if round == 1 {
                    try container.removeAll(in: .library / "Caches")
                } else {
                    try container.move(.caches / "covers", to: .temporary / "covers")
                }
                try await wait(for: [(.removed, watched)], in: &iterator)
            }
            // Exchanged for another directory.
            try container.save("x", to: .caches / "other/new")
            try container.save("x", to: watched / "old")
            try await wait(for: [(.changed, watched / "old")], in: &iterator)
            try container.remove(watched)
            try container.move(.caches / "other", to: watched)
            try await wait(for: [(.changed, watched / "new")], in: &iterator)
        }
    }

    @Test("Too many changes are replaced by one overflow, and the sequence goes on")
    func overflow() async throws {
        try await withContainer { container async throws in
            var iterator = try container.changes(below: .documents).makeAsyncIterator()
            for number in 0..<3_000 {
                try container.save("", to: .documents / "\(number % 2)/\(number)", options: .init(durability: .none))
            }
            var kinds: Set<ContainerChange.Kind> = []
            try container.save("x", to: .documents / "end")
            // The end is either reported or covered by an overflow.
            while true {
                let change = try #require(try await iterator.next())
                kinds.insert(change.kind)
                if change.kind == .overflow {
                    #expect(change.path == .documents)
                    break
                }
                try #require(change.path != .documents / "end", "3,000 changes were not too many")
            }
            #expect(kinds.contains(.overflow))
            // More changes may wait. They end with that of a new file.
            try container.save("x", to: .documents / "again")
            while let change = try await iterator.next(), change.path != .documents / "again", change.kind != .overflow
            {}
            try container.save("x", to: .documents / "last")
            try await wait(for: [(.changed, .documents / "last")], in: &iterator)
        }
    }

    @Test("Changes of another process are reported", .needs(.process))
    func otherProcess() async throws {
        try await withContainer { container async throws in
            var iterator = try container.changes(below: .documents).makeAsyncIterator()
            let location = container.location.string
            async let run = Command(Command.probe, ["save", location, "a", "3"])
            try await wait(for: [(.changed, .documents / "shared")], in: &iterator)
            #expect(try await run.code == 0)
        }
    }

    @Test("A cancelled task stops waiting, and an invalid path is an error")
    func ends() async throws {
        try await withContainer { container async throws in
            let changes = try container.changes(below: .documents)
            let task = Task {
                var count = 0
                for try await _ in changes { count += 1 }
                return count
            }
            task.cancel()
            #expect(try await task.value == 0)
            let error = #expect(throws: ContainerError.self) {
                try container.changes(below: .documents / "..")
            }
            #expect(error?.code == .leavesContainer)
        }
    }

    @Test("A container that is removed ends the sequence with an error", arguments: Method.allCases)
    func containerRemoved(method: Method) async throws {
        try await withContainer { container async throws in
            var iterator = try changes(container, below: .documents, method).makeAsyncIterator()
            try FileManager.default.removeItem(atPath: container.location.string)
            let error = await #expect(throws: ContainerError.self) {
                while try await iterator.next() != nil {}
            }
            #expect(error?.code == .notFound)
        }
    }
}
