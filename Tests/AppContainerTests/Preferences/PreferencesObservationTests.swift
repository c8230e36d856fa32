import AppContainer
import ContainerPreferences
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

extension Preferences.Keys {
    /// The key that `container-probe` sets.
    fileprivate static let counter = Preferences.Key<Int>("counter", default: 0)
}

@Suite("Observation of one preference", .timeLimit(.minutes(60))) struct PreferencesObservationTests {
    private final class Heard<Value: Sendable>: Sendable {
        private let changes = LockedValue<[(change: PreferenceChange<Value>, time: UInt64)]>([])
        var all: [PreferenceChange<Value>] { changes.withLock { $0.map(\.change) } }
        func add(_ change: PreferenceChange<Value>) { changes.withLock { $0.append((change, Host.uptime)) } }

        /// Waits until a change fulfils a condition, and returns its time.
        func time(of condition: (PreferenceChange<Value>) -> Bool) -> UInt64? {
            let end = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < end {
                if let found = changes.withLock({ $0.first { condition($0.change) } }) { return found.time }
                usleep(1_000)
            }
            return nil
        }
    }

    @Test("An own change is reported with the old and the new value before the call returns, once and for its key only")
    func own() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            _ = try preferences.value(for: .volume)
            let heard = Heard<Int>()
            let observation = preferences.observe(.volume) { heard.add($0) }
            try preferences.set(6, for: .volume)
            #expect(heard.all == [PreferenceChange(old: 5, new: 6)])
            try preferences.set(6, for: .volume)
            try preferences.set("x", for: .font)
            #expect(heard.all.count == 1)
            try preferences.set(7, forKey: "volume")
            try preferences.remove(.volume)
            #expect(heard.all.dropFirst() == [PreferenceChange(old: 6, new: 7), PreferenceChange(old: 7, new: 5)])
            preferences.register(defaults: ["volume": 9])
            preferences.register(launchArguments: ["-volume", "1"])
            try preferences.set(2, for: .volume)
            #expect(heard.all.dropFirst(3) == [PreferenceChange(old: 5, new: 9), PreferenceChange(old: 9, new: 1)])
            observation.cancel()
            preferences.register(launchArguments: ["-volume", "3"])
            #expect(heard.all.count == 5)
        }
    }

    @Test(
        "A change by another process is reported without a read, within 100 milliseconds on a machine that is not busy",
        .needs(.process))
    func others() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(0, for: .counter)
            let heard = Heard<Int>()
            let observation = preferences.observe(.counter) { heard.add($0) }
            defer { observation.cancel() }
            var delays: [Double] = []
            for value in 1...10 {
                let time = try Command(Command.probe, ["set", container.location.string, "\(value)"]).text
                let visible = try #require(UInt64(time.trimmingCharacters(in: .newlines)))
                let reported = try #require(heard.time { $0.new == value })
                delays.append(Double(Int64(reported) - Int64(visible)) / 1e6)
            }
            #expect(heard.all == (1...10).map { PreferenceChange(old: $0 - 1, new: $0) })
            // The median, because a busy machine may stop a thread for longer.
            #expect(delays.sorted()[5] < 100, "milliseconds: \(delays)")
        }
    }

    @Test(
        "A change by another process is visible to typed reads after synchronize, and after 100 milliseconds without",
        .needs(.process))
    func reads() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(0, for: .counter)
            for value in 1...5 {
                #expect(try preferences.value(for: .counter) == value - 1)
                #expect(try Command(Command.probe, ["set", container.location.string, "\(value)"]).code == 0)
                if value.isMultiple(of: 2) { try preferences.synchronize() } else { usleep(100_000) }
                #expect(try preferences.value(for: .counter) == value)
            }
        }
    }

    @Test("synchronize reports changes by other processes to observers", .needs(.process))
    func synchronized() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(0, for: .counter)
            let heard = Heard<Int>()
            let observation = preferences.observe(.counter) { heard.add($0) }
            defer { observation.cancel() }
            #expect(try Command(Command.probe, ["set", container.location.string, "4"]).code == 0)
            try preferences.synchronize()
            #expect(heard.time { $0 == PreferenceChange(old: 0, new: 4) } != nil)
        }
    }

    @Test("A sequence returns each change that is awaited, combines those that are not, and ends with its task")
    func sequence() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        let preferences = try container.preferences()
        #expect(preferences[.volume] == 5)
        var changes = preferences.changes(of: .volume).makeAsyncIterator()
        try preferences.set(6, for: .volume)
        #expect(await changes.next() == PreferenceChange(old: 5, new: 6))
        for volume in 7...20 { try preferences.set(volume, for: .volume, durability: .none) }
        #expect(await changes.next() == PreferenceChange(old: 6, new: 20))
        // Changed and changed back: there is nothing to report.
        try preferences.set(21, for: .volume)
        try preferences.set(20, for: .volume)
        try preferences.set(22, for: .volume)
        #expect(await changes.next() == PreferenceChange(old: 20, new: 22))
        let task = Task {
            var count = 0
            for await _ in preferences.changes(of: .font) { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
    }

    @Test("An observer may change its own key, and observers on several threads lose no last value")
    func nested() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            _ = try preferences.value(for: .volume)
            let heard = Heard<Int>()
            let observation = preferences.observe(.volume) { change in
                heard.add(change)
                if change.new < 8 { #expect(throws: Never.self) { try preferences.set(change.new + 1, for: .volume) } }
            }
            try preferences.set(6, for: .volume)
            #expect(heard.all == (5...7).map { PreferenceChange(old: $0, new: $0 + 1) })
            observation.cancel()

            let last = LockedValue(0)
            let isOrdered = LockedValue(true)
            let counted = preferences.observe(.counter) { change in
                last.withLock { last in
                    if last != change.old { isOrdered.withLock { $0 = false } }
                    last = change.new
                }
            }
            defer { counted.cancel() }
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                for _ in 0..<25 {
                    #expect(throws: Never.self) {
                        try preferences.change(durability: .none) { (edit) throws(PreferencesError) in
                            try edit.set(edit.value(for: .counter) + 1, for: .counter)
                        }
                    }
                }
            }
            // Each report follows the one before it, and the last one is the last value.
            #expect(last.withLock(\.self) == 200 && isOrdered.withLock(\.self))
        }
    }

    @Test(
        "A directory that goes and comes back is observed, also one that does not exist yet", .needs(.process),
        arguments: ["Library", "Library/Preferences"])
    func comesBack(directory: String) throws {
        try withContainer { container throws in
            let root = URL(filePath: container.location.string)
            let folder = root.appending(path: directory)
            try FileManager.default.removeItem(at: folder)
            let preferences = try container.preferences()
            let heard = Heard<Int>()
            let observation = preferences.observe(.counter) { heard.add($0) }
            defer { observation.cancel() }
            try preferences.synchronize()
            for value in 1...3 {
                #expect(try Command(Command.probe, ["set", container.location.string, "\(value * 2)"]).code == 0)
                #expect(heard.time { $0.new == value * 2 } != nil)
                let away = root.appending(path: "away-\(value)")
                try FileManager.default.moveItem(at: folder, to: away)
                #expect(heard.time { $0 == PreferenceChange(old: value * 2, new: 0) } != nil)
                if value == 2 {
                    try FileManager.default.moveItem(at: away, to: folder)
                    #expect(heard.time { $0 == PreferenceChange(old: 0, new: 4) } != nil)
                    try FileManager.default.removeItem(at: folder)
                }
            }
        }
    }

    @Test("A damaged file is reported as an error, and observed again when it is repaired")
    func damaged() throws {
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(1, for: .counter)
            let errors = LockedValue<[PreferencesError.Code]>([])
            let failure = preferences.observeErrors { error in errors.withLock { $0.append(error.code) } }
            let heard = Heard<Int>()
            let observation = preferences.observe(.counter) { heard.add($0) }
            defer {
                observation.cancel()
                failure.cancel()
            }
            try container.save("damaged", to: .preferences / "com.example.app.plist")
            let end = ContinuousClock.now + .seconds(60)
            while errors.withLock({ $0.isEmpty }), ContinuousClock.now < end { usleep(1_000) }
            #expect(errors.withLock { $0.first } == .damaged && heard.all.isEmpty)
            try container.save(
                "<plist><dict><key>counter</key><integer>2</integer></dict></plist>",
                to: .preferences / "com.example.app.plist")
            #expect(heard.time { $0 == PreferenceChange(old: 1, new: 2) } != nil)
        }
    }

    /// `PREFERENCE_CHANGES=10000` runs the full form (`scripts/stress preference-changes`).
    @Test(
        "Two processes that change one key lose no change, and an observer sees growing values and the last one",
        .needs(.process))
    func twoProcesses() throws {
        let count = Int(ProcessInfo.processInfo.environment["PREFERENCE_CHANGES"] ?? "") ?? 200
        try withContainer { container throws in
            let preferences = try container.preferences()
            try preferences.set(0, for: .counter)
            let heard = Heard<Int>()
            let observation = preferences.observe(.counter) { heard.add($0) }
            defer { observation.cancel() }
            let start = ContinuousClock.now
            let writers = try (0..<2).map { _ in
                let process = Process()
                process.executableURL = URL(filePath: Command.probe)
                process.arguments = ["count", container.location.string, "\(count)"]
                try process.run()
                return process
            }
            for writer in writers {
                writer.waitUntilExit()
                #expect(writer.terminationStatus == 0)
            }
            let duration = ContinuousClock.now - start
            try preferences.synchronize()
            #expect(try preferences.value(for: .counter) == 2 * count)
            #expect(heard.time { $0.new == 2 * count } != nil)
            let all = heard.all
            #expect(all.allSatisfy { $0.old < $0.new } && zip(all, all.dropFirst()).allSatisfy { $0.new == $1.old })
            #expect(all.first?.old == 0)
            if count > 200 { print("two processes, \(count) changes each: \(duration), \(all.count) reports") }
        }
    }
}
