import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("An inbox", .timeLimit(.minutes(60))) struct InboxTests {
    private let directory = ContainerPath.documents / "Inbox of shares"

    private func inbox(_ container: Container) throws -> Inbox { try Inbox(directory, in: container) }

    @Test("Files are taken in the order in which they were added, with their names, and removed when finished")
    func order() throws {
        try withContainer { container throws in
            let inbox = try inbox(container)
            #expect(try inbox.take().isEmpty && !container.exists(directory))
            let names = ["b.txt", "a.txt", "b.txt", "with/slash", "", "a-b-c", String(repeating: "é", count: 200)]
            for (number, name) in names.enumerated() { try inbox.add(Data("\(number)".utf8), named: name) }
            let items = try inbox.take(limit: 2) + inbox.take()
            #expect(try items.map { String(decoding: try $0.load(), as: UTF8.self) } == (0..<7).map(String.init))
            #expect(items.map(\.name).prefix(6) == ["b.txt", "a.txt", "b.txt", "with-slash", "", "a-b-c"])
            #expect(items[6].name.hasPrefix("ééé") && items[6].path.name.utf8.count <= 255)
            #expect(try inbox.take().isEmpty)
            try items[0].putBack()
            for item in items.dropFirst() { try item.finish() }
            let again = try inbox.take()
            #expect(again.map(\.name) == ["b.txt"])
            try container.move(again[0].path, to: .documents / "b.txt")
            try again[0].finish()
            #expect(try inbox.take().isEmpty)
        }
    }

    @Test("Of several takers one gets each file")
    func takers() throws {
        try withContainer { container throws in
            let first = try inbox(container)
            for number in 0..<200 { try first.add(Data(), named: "\(number)", options: .init(durability: .none)) }
            let taken = LockedValue<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                #expect(throws: Never.self) {
                    let inbox = try inbox(container)
                    while case let items = try inbox.take(limit: 7), !items.isEmpty {
                        for item in items { try item.finish() }
                        taken.withLock { $0 += items.map(\.name) }
                    }
                }
            }
            #expect(taken.withLock(\.self).sorted() == (0..<200).map(String.init).sorted())
        }
    }

    @Test("A file of another program is taken and put back, also if its name has been used again")
    func sameName() throws {
        try withContainer { container throws in
            let (inbox, item) = (try inbox(container), directory / "a.txt")
            try container.save("first", to: item)
            let first = try inbox.take()
            try container.save("second", to: item)
            let both = first + (try inbox.take())
            #expect(both.map(\.name) == ["a.txt", "a.txt"])
            #expect(try both.map { String(decoding: try $0.load(), as: UTF8.self) } == ["first", "second"])
            try container.save("third", to: item)
            for item in both { try item.putBack() }
            let all = try inbox.take()
            #expect(all.map(\.name) == ["a.txt", "a.txt", "a.txt"])
            #expect(
                try Set(all.map { String(decoding: try $0.load(), as: UTF8.self) }) == ["first", "second", "third"])
        }
    }

    @Test("A taker whose directory another one removes before it is locked takes the files nevertheless")
    func removedDirectory() throws {
        try withContainer { made throws in
            var calls = Syscalls.live
            let removals = LockedValue(3)
            let path = made.location.appending("Documents/Inbox of shares").string
            calls.lock = { file, isExclusive in
                let isDue = removals.withLock { count in
                    count -= 1
                    return count >= 0
                }
                if isDue, let names = try? FileManager.default.contentsOfDirectory(atPath: path) {
                    for name in names where name.hasPrefix(".inbox-taken-") { rmdir("\(path)/\(name)") }
                }
                return Syscalls.live.lock(file, isExclusive)
            }
            let container = try Container.open(made.location, bundleIdentifier: "com.example.app", calls: calls)
            try inbox(made).add(Data("x".utf8), named: "x")
            #expect(try inbox(container).take().map(\.name) == ["x"])
            #expect(removals.withLock(\.self) < 0)
        }
    }

    @Test("Files of a taker whose process is killed are taken by the next one", .needs(.process))
    func killed() throws {
        try withContainer { container throws in
            let inbox = try inbox(container)
            for number in 0..<20 { try inbox.add(Data(), named: "\(number)", options: .init(durability: .none)) }
            let killed = try Command(Command.probe, ["take", container.location.string, directory.description])
            #expect(killed.text == "20\n")
            #expect(try inbox.take().map(\.name).sorted() == (0..<20).map(String.init).sorted())
            let names = try FileManager.default.contentsOfDirectory(atPath: container.path(directory).string)
            #expect(names.count == 1)
        }
    }

    @Test("Batches have what is there and what arrives, and end with the task")
    func batches() async throws {
        try await withContainer { container async throws in
            let inbox = try inbox(container)
            try inbox.add(Data(), named: "before")
            var batches = inbox.batches(debounce: .milliseconds(50)).makeAsyncIterator()
            #expect(try await batches.next()?.map(\.name) == ["before"])
            let adding = Task {
                for number in 0..<5 {
                    try await container.background { _ in
                        try Inbox(directory, in: container).add(Data(), named: "\(number)")
                    }
                    try await Task.sleep(for: .milliseconds(5))
                }
            }
            var found: [String] = []
            var count = 0
            while found.count < 5 {
                let batch = try #require(try await batches.next())
                found += batch.map(\.name)
                count += 1
                for item in batch { try item.finish() }
            }
            try await adding.value
            #expect(found.sorted() == ["0", "1", "2", "3", "4"] && count <= 5)
            let waiting = Task {
                var iterator = inbox.batches().makeAsyncIterator()
                return try await iterator.next() == nil
            }
            try await Task.sleep(for: .milliseconds(50))
            waiting.cancel()
            #expect(try await waiting.value)
        }
    }
}
