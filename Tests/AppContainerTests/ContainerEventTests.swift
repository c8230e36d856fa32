import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Events of a container", .timeLimit(.minutes(60))) struct ContainerEventTests {
    /// Opens the container again, with a handler that collects events as texts.
    private func observed(_ made: Container) -> (Container, events: () -> [String]) {
        let events = LockedValue([String]())
        var container = made
        container.eventHandler = { event in
            let bytes = event.bytes.map { " \($0)" } ?? ""
            let error = event.error.map { " \($0.code)" } ?? ""
            events.withLock { $0.append("\(event.kind.rawValue) \(event.item) \(event.files)\(bytes)\(error)") }
        }
        return (
            container,
            {
                events.withLock { events in
                    defer { events = [] }
                    return events
                }
            }
        )
    }

    @Test("A cache reports what a store or a trim has removed, once for all entries")
    func caches() throws {
        try withContainer { made throws in
            let (container, events) = observed(made)
            let cache = try container.cache(named: "c", limits: .init(entries: 32))
            for number in 0..<32 { try cache.store(Data("xy".utf8), forKey: "\(number)") }
            #expect(events().isEmpty)
            try cache.store(Data("xy".utf8), forKey: "32")
            #expect(events() == ["evicted Library/Caches/{bundle-id}/c 3 6"])
            try cache.store(Data("xyz".utf8), forKey: "33", expires: .distantPast)
            try cache.trim()
            #expect(events() == ["evicted Library/Caches/{bundle-id}/c 1 3"])
            // The app knows what it removes itself.
            try cache.remove("32")
            try cache.removeAll()
            try cache.trim()
            #expect(events().isEmpty)
        }
    }

    @Test("A directory that is deleted under a cache, or during a save, is reported when it is made again")
    func purges() throws {
        try withContainer { made throws in
            let (container, events) = observed(made)
            let cache = try container.cache(named: "c")
            try cache.store(Data("x".utf8), forKey: "k")
            #expect(events().isEmpty)
            try FileManager.default.removeItem(atPath: container.path(cache.directory).string)
            try cache.store(Data("x".utf8), forKey: "k")
            #expect(events() == ["recreated Library/Caches/{bundle-id}/c 1"])

            // The system deletes the directory between its creation and the save.
            let path = try container.path(.caches / "a").string
            let isPurged = LockedValue(false)
            var calls = Syscalls.live
            calls.rename = { folder, old, other, new in
                let isFirst = isPurged.withLock { isPurged in
                    defer { isPurged = true }
                    return !isPurged
                }
                if isFirst { try? FileManager.default.removeItem(atPath: path) }
                return Syscalls.live.rename(folder, old, other, new)
            }
            var again = try Container.open(made.location, bundleIdentifier: "com.example.app", calls: calls)
            again.eventHandler = container.eventHandler
            try again.save("text", to: .caches / "a/b")
            #expect(events() == ["recreated Library/Caches/{bundle-id}/a 1"])
            #expect(try again.loadText(.caches / "a/b") == "text")
        }
    }

    @Test("A value reports saves, conflicts and failures in the background, without a lock")
    func values() throws {
        try withContainer { made throws in
            let item = ContainerPath.documents / "v.json"
            var (container, events) = observed(made)
            let value = try FileValue<[Int]>(item, in: container, default: [1], autosave: nil)
            value.value = [1, 2]
            #expect(events().isEmpty)
            try value.flush()
            #expect(events() == ["saved Documents/v.json 1"])

            // The handler may change another file of the directory, which a conflict has locked.
            let handler = container.eventHandler
            let other = container
            container.eventHandler = { event in
                handler?(event)
                if event.kind == .conflicted {
                    #expect(throws: Never.self) {
                        try other.update(.documents / "n.json", default: 0) { $0 += 1 }
                    }
                }
            }
            let second = try FileValue<[Int]>(item, in: container, default: [1], autosave: nil) { base, own, other in
                other + own.dropFirst(base.count)
            }
            second.value.append(3)
            value.value = [7]
            try value.flush()
            try second.flush()
            // The second value notices the change when it saves, or before.
            #expect(
                events().sorted() == [
                    "conflicted Documents/v.json 1", "saved Documents/v.json 1", "saved Documents/v.json 1",
                ])
            #expect(second.value == [7, 3])
            #expect(try container.load(Int.self, from: .documents / "n.json") == 1)

            // A flush throws the error; the watch reports it.
            try container.save("{", to: item)
            let end = ContinuousClock.now + .seconds(60)
            var found: [String] = []
            while ContinuousClock.now < end, !found.contains(where: { $0.hasPrefix("failed") }) {
                found += events()
                usleep(5_000)
            }
            #expect(found.contains("failed Documents/v.json 1 damaged"))
        }
    }

    @Test("Downloads, expired files and leftovers are reported with their number and size")
    func housekeeping() throws {
        try withContainer { made throws in
            let (container, events) = observed(made)
            let url = try #require(URL(string: "https://example.com/a?token=1"))
            let file = URL(filePath: container.location.removingLastComponent().appending("film.tmp").string)
            try Data("film".utf8).write(to: file)
            try container.store(downloadAt: file, named: "film.mp4", from: url, expires: .distantPast)
            #expect(events() == ["downloaded Library/Application Support/{bundle-id}/Downloads/film.mp4 1 4"])
            try container.purgeExpired()
            #expect(events() == ["expired  1 4"])
            try container.purgeExpired()
            try container.sweepLeftovers()
            #expect(events().isEmpty)
            let name = ".appcontainer-staging-0123abcd00000001"
            try URL(filePath: container.path(.documents).string).write("x\n", to: name)
            try container.sweepLeftovers(olderThan: .zero)
            #expect(events() == ["swept  1"])
        }
    }
}
