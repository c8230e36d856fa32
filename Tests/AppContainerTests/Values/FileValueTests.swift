import AppContainer
import FileSystem
import Foundation
import Observation
import SystemPackage
import TestSupport
import Testing

private struct Notes: Codable, Sendable, Equatable {
    var lines: [String] = []
    var count = 0
}

@Suite("A value in a file", .timeLimit(.minutes(60))) struct FileValueTests {
    private let item = ContainerPath.applicationSupport / "notes.json"

    /// The value of the file. Nil without a file.
    private func saved(_ container: Container) throws -> Notes? {
        try container.exists(item) ? try container.load(from: item) : nil
    }

    @Test("A change is saved by a flush, and read by a later object; nothing is saved before")
    func flush() throws {
        try withContainer { container throws in
            let value = try FileValue(item, in: container, default: Notes(lines: ["first"]), autosave: nil)
            #expect(value.value.lines == ["first"] && !value.hasUnsavedChanges)
            try value.flush()
            #expect(try saved(container) == nil)
            value.value.lines.append("second")
            #expect(
                value.update {
                    $0.count += 1; return $0.count
                } == 1)
            #expect(try saved(container) == nil && value.hasUnsavedChanges)
            try value.flush()
            #expect(try saved(container) == Notes(lines: ["first", "second"], count: 1) && !value.hasUnsavedChanges)
            let later = try FileValue(item, in: container, default: Notes(), autosave: nil)
            #expect(later.value == value.value)
        }
    }

    @Test("Changes are saved a moment after the last one, together; changes that go on are saved, too")
    func autosave() throws {
        try withContainer { container throws in
            let value = try FileValue(item, in: container, default: Notes(), autosave: .milliseconds(20))
            for number in 1...10 { value.update { $0.count = number } }
            #expect(try wait { try saved(container)?.count == 10 })
            #expect(try wait { !value.hasUnsavedChanges })
            // Faster than the autosave waits.
            let end = ContinuousClock.now + .seconds(60)
            while try saved(container)?.count == 10, ContinuousClock.now < end {
                value.update { $0.count += 1 }
                usleep(1_000)
            }
            #expect(try (saved(container)?.count ?? 0) > 10)
        }
    }

    @Test("A change is saved when the app enters the background or ends, and when the object is deallocated")
    func lifecycle() throws {
        try withContainer { container throws in
            var value: FileValue<Notes>? = try FileValue(item, in: container, default: Notes(), autosave: nil)
            for (number, name) in [
                "UIApplicationDidEnterBackgroundNotification", "NSApplicationWillTerminateNotification",
            ].enumerated() {
                value?.value.count = number + 1
                NotificationCenter.default.post(name: Notification.Name(name), object: nil)
                #expect(try saved(container)?.count == number + 1)
            }
            value?.value.count = 9
            value = nil
            #expect(try saved(container)?.count == 9)
            NotificationCenter.default.post(
                name: Notification.Name("UIApplicationDidEnterBackgroundNotification"), object: nil)
        }
    }

    @Test("A save keeps the backup exclusion, the mode and the attributes of the file")
    func metadata() throws {
        try withContainer { container throws in
            try container.save(Notes(), to: item)
            try container.excludeFromBackup(item)
            try setMode("0640", of: container.path(item).string)
            let value = try FileValue(item, in: container, default: Notes(), autosave: nil)
            value.value.count = 1
            try value.flush()
            #expect(try container.exclusion(of: item).state == .excluded)
            #expect(try container.attributes(of: item).permissions.rawValue == 0o640)
        }
    }

    @Test("Code that has read the value is notified of a change, and not of an equal value")
    @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
    func observation() throws {
        try withContainer { container throws in
            let value = try FileValue(item, in: container, default: Notes(), autosave: nil)
            let count = LockedValue(0)
            withObservationTracking {
                _ = value.value
            } onChange: {
                count.withLock { $0 += 1 }
            }
            value.value = Notes()
            #expect(count.withLock(\.self) == 0 && !value.hasUnsavedChanges)
            value.value.count = 1
            #expect(count.withLock(\.self) == 1 && value.hasUnsavedChanges)
        }
    }

    // MARK: - Other processes

    @Test("A change by another process is adopted, reported and observed, if there is no unsaved one")
    func others() async throws {
        try await withContainer { container async throws in
            let value = try FileValue(item, in: container, default: Notes(), autosave: nil)
            var changes = value.changes.makeAsyncIterator()
            try container.save(Notes(lines: ["other"]), to: item)
            #expect(await changes.next() == Notes(lines: ["other"]))
            #expect(value.value.lines == ["other"] && !value.hasUnsavedChanges)
            value.value.count = 1
            #expect(await changes.next()?.count == 1)
            try value.flush()
            try container.remove(item)
            try value.refresh()
            #expect(value.value == Notes())
        }
    }

    @Test("Without a closure the own change wins, and with one both are joined", arguments: [true, false])
    func merge(hasClosure: Bool) throws {
        try withContainer { container throws in
            try container.save(Notes(lines: ["base"]), to: item)
            let merge: FileValue<Notes>.Merge = { base, own, other in
                Notes(
                    lines: other.lines + own.lines.filter { !base.lines.contains($0) },
                    count: max(own.count, other.count))
            }
            let value = try FileValue(
                item, in: container, default: Notes(), autosave: nil, merge: hasClosure ? merge : nil)
            value.value.lines.append("own")
            try container.save(Notes(lines: ["base", "other"], count: 5), to: item)
            try value.flush()
            let expected =
                hasClosure ? Notes(lines: ["base", "other", "own"], count: 5) : Notes(lines: ["base", "own"])
            #expect(try saved(container) == expected && value.value == expected)
        }
    }

    @Test("Two objects that change the value at once lose no change, if they join them")
    func concurrent() throws {
        try withContainer { container throws in
            let merge: FileValue<Notes>.Merge = { base, own, other in
                Notes(lines: other.lines + own.lines.filter { !base.lines.contains($0) }, count: 0)
            }
            let values = try (0..<2).map { _ in
                try FileValue(item, in: container, default: Notes(), autosave: .milliseconds(1), merge: merge)
            }
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                for number in 0..<50 {
                    values[index].update { $0.lines.append("\(index)-\(number)") }
                    #expect(throws: Never.self) { try values[index].flush() }
                }
            }
            let expected = Set((0..<2).flatMap { index in (0..<50).map { "\(index)-\($0)" } })
            #expect(try Set(#require(try saved(container)).lines) == expected)
            for value in values { try value.refresh() }
            #expect(values.allSatisfy { Set($0.value.lines) == expected })
        }
    }

    // MARK: - Failures

    @Test("A damaged file is an error, is not replaced, and is read when it is restored")
    func damaged() throws {
        try withContainer { container throws in
            let value = try FileValue(item, in: container, default: Notes(), autosave: nil)
            value.value.count = 1
            try value.flush()
            try container.save("{ not json", to: item)
            value.value.count = 2
            let error = #expect(throws: ContainerError.self) { try value.flush() }
            #expect(error?.code == .damaged && value.lastError?.code == .damaged && value.hasUnsavedChanges)
            #expect(try container.loadText(item) == "{ not json")
            #expect(throws: ContainerError.self) { try FileValue(item, in: container, default: Notes()) }
            try container.remove(item)
            try value.flush()
            #expect(try saved(container)?.count == 2 && value.lastError == nil)
        }
    }

    @Test("With a full disk the change stays unsaved, and is saved when there is room")
    func fullDisk() throws {
        try withContainer { made throws in
            var calls = Syscalls.live
            let isFull = LockedValue(true)
            calls.write = { file, bytes, count in
                isFull.withLock(\.self) ? -Int(Errno.noSpace.rawValue) : Syscalls.live.write(file, bytes, count)
            }
            let container = try Container.open(made.location, bundleIdentifier: "com.example.app", calls: calls)
            let value = try FileValue(item, in: container, default: Notes(), autosave: .milliseconds(10))
            value.value.count = 1
            #expect(throws: ContainerError.self) { try value.flush() }
            #expect(value.lastError?.code == .noSpace && value.hasUnsavedChanges)
            isFull.withLock { $0 = false }
            #expect(try wait { !value.hasUnsavedChanges })
            #expect(try saved(container)?.count == 1 && value.lastError == nil)
        }
    }

    @Test("After a purge of its directory the value is saved again")
    func purge() throws {
        try withContainer { container throws in
            let place = ContainerPath.caches / "a/b/state.plist"
            let value = try FileValue(place, in: container, default: [0], autosave: nil)
            value.value = [1]
            try value.flush()
            try container.removeAll(in: .caches)
            value.value = [2]
            try value.flush()
            #expect(try container.load([Int].self, from: place) == [2])
        }
    }
}
