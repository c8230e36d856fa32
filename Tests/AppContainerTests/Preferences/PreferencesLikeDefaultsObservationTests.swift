import AppContainer
import ContainerPreferences
import Foundation
import FileSystem
import SystemPackage
import TestSupport
import Testing

/// The changes that an observer received.
final class Heard<Value: Sendable>: Sendable {
    private let changes = LockedValue<[PreferenceChange<Value>]>([])
    var all: [PreferenceChange<Value>] { changes.withLock(\.self) }
    func add(_ change: PreferenceChange<Value>) { changes.withLock { $0.append(change) } }
}

/// The behaviours that users of Sindre Sorhus' Defaults know. Differences are in the guide on typed preferences.
@Suite("Preferences with the behaviour of Defaults: observation and threads", .timeLimit(.minutes(60)))
struct PreferencesLikeDefaultsObservationTests {
    typealias Key = Preferences.Key

    /// Returns the preferences of a container whose file has been read.
    private func preferences(in container: Container) throws -> Preferences {
        let preferences = try container.preferences()
        try preferences.synchronize()
        return preferences
    }

    @Test("An observer receives the old and the new value of a change and of a removal, and no initial value")
    func oldAndNew() throws {
        try withContainer { container throws in
            let preferences = try preferences(in: container)
            let key = Key<Bool>("flag", default: false)
            let heard = Heard<Bool>()
            let observation = preferences.observe(key) { heard.add($0) }
            defer { observation.cancel() }
            #expect(heard.all.isEmpty)
            try preferences.set(true, for: key)
            try preferences.remove(key)
            #expect(heard.all == [PreferenceChange(old: false, new: true), PreferenceChange(old: true, new: false)])
        }
    }

    @Test("An observer of an optional key receives nil before and after the values")
    func optional() throws {
        try withContainer { container throws in
            let preferences = try preferences(in: container)
            let key = Key<Bool?>("flag")
            let heard = Heard<Bool?>()
            let observation = preferences.observe(key) { heard.add($0) }
            defer { observation.cancel() }
            try preferences.set(true, for: key)
            try preferences.set(false, for: key)
            try preferences.set(nil, for: key)
            #expect(
                heard.all == [
                    PreferenceChange(old: nil, new: true), PreferenceChange(old: true, new: false),
                    PreferenceChange(old: false, new: nil),
                ])
        }
    }

    @Test("An observer of URLs, of arrays and of dictionaries receives whole values")
    func values() throws {
        try withContainer { container throws in
            let preferences = try preferences(in: container)
            let (old, new) = (
                try #require(URL(string: "https://example.com")), try #require(URL(string: "https://example.org"))
            )
            let site = Key<URL>("site", default: old)
            let scores = Key<[String: [Int]]>("scores", default: ["a": [1]])
            let (sites, tables) = (Heard<URL>(), Heard<[String: [Int]]>())
            let observations = [
                preferences.observe(site) { sites.add($0) }, preferences.observe(scores) { tables.add($0) },
            ]
            defer { for observation in observations { observation.cancel() } }
            try preferences.set(new, for: site)
            try preferences.change { edit in
                var changed = try edit.value(for: scores)
                changed["a", default: []].append(2)
                try edit.set(changed, for: scores)
            }
            #expect(sites.all == [PreferenceChange(old: old, new: new)])
            #expect(tables.all == [PreferenceChange(old: ["a": [1]], new: ["a": [1, 2]])])
        }
    }

    @Test("An observer of all keys receives the names, once for the changes of one save")
    func severalKeys() throws {
        try withContainer { container throws in
            let preferences = try preferences(in: container)
            let (text, flag) = (Key<String?>("text"), Key<Bool>("flag", default: true))
            let heard = LockedValue<[Set<String>]>([])
            let observation = preferences.observe { names in heard.withLock { $0.append(names) } }
            defer { observation.cancel() }
            try preferences.set("x", for: text)
            try preferences.set(false, for: flag)
            try preferences.change { edit in
                edit.remove(text)
                edit.remove(flag)
            }
            #expect(heard.withLock(\.self) == [["text"], ["flag"], ["text", "flag"]])
        }
    }

    @Test("Each observer of a key receives each change")
    func severalObservers() throws {
        try withContainer { container throws in
            let preferences = try preferences(in: container)
            let key = Key<Int>("number", default: 0)
            let heard = (0..<10).map { _ in Heard<Int>() }
            let observations = heard.map { heard in preferences.observe(key) { heard.add($0) } }
            defer { for observation in observations { observation.cancel() } }
            for number in 1...10 { try preferences.set(number, for: key, durability: .none) }
            for heard in heard { #expect(heard.all.map(\.new) == Array(1...10)) }
        }
    }

    @Test("An observer that sets its own key is called for that change, and ends when the value is equal")
    func ownChange() throws {
        try withContainer { container throws in
            let preferences = try preferences(in: container)
            let (key, other) = (Key<Bool?>("flag"), Key<Bool?>("other"))
            let (heard, others) = (Heard<Bool?>(), Heard<Bool?>())
            let observations = [
                preferences.observe(other) { others.add($0) },
                preferences.observe(key) { change in
                    heard.add(change)
                    #expect(throws: Never.self) {
                        try preferences.set(true, for: key)
                        try preferences.set(true, for: other)
                    }
                },
            ]
            defer { for observation in observations { observation.cancel() } }
            try preferences.set(false, for: key)
            #expect(heard.all == [PreferenceChange(old: nil, new: false), PreferenceChange(old: false, new: true)])
            #expect(others.all == [PreferenceChange(old: nil, new: true)])
        }
    }

    @Test("A cancelled or deallocated observation receives nothing")
    func end() throws {
        try withContainer { container throws in
            let preferences = try preferences(in: container)
            let key = Key<String>("text", default: "")
            let heard = Heard<String>()
            var kept: PreferencesObservation? = preferences.observe(key) { heard.add($0) }
            let cancelled = preferences.observe(key) { heard.add($0) }
            try preferences.set("a", for: key)
            #expect(heard.all.count == 2)
            cancelled.cancel()
            cancelled.cancel()
            try preferences.set("b", for: key)
            #expect(heard.all.count == 3 && kept != nil)
            kept = nil
            try preferences.set("c", for: key)
            #expect(heard.all.count == 3)
        }
    }

    @Test("A loop receives each change that it awaits, and begins with the first change, not with the value")
    func loop() async throws {
        try await withContainer { container in
            let preferences = try container.preferences()
            try preferences.synchronize()
            let key = Key<String>("text", default: "start")
            var changes = preferences.changes(of: key).makeAsyncIterator()
            for text in ["first", "second", "third"] {
                try preferences.set(text, for: key)
                #expect(await changes.next()?.new == text)
            }
        }
    }

    @Test("Loops over several keys end with the last value of each")
    func severalLoops() async throws {
        try await withContainer { container in
            let preferences = try container.preferences()
            try preferences.synchronize()
            let keys = (0..<3).map { Key<Int>("key \($0)", default: 0) }
            let sequences = keys.map { preferences.changes(of: $0) }
            for (index, key) in keys.enumerated() { try preferences.set(index + 1, for: key) }
            let last = await withTaskGroup(of: (Int, Int?).self) { group in
                for (index, changes) in sequences.enumerated() {
                    group.addTask {
                        for await change in changes { return (index, change.new) }
                        return (index, nil)
                    }
                }
                var last: [Int: Int] = [:]
                for await (index, value) in group { last[index] = value }
                return last
            }
            #expect(last == [0: 1, 1: 2, 2: 3])
        }
    }

    @Test("Changes of many keys by many threads are all made")
    func threads() throws {
        try withContainer { container throws in
            let preferences = try preferences(in: container)
            let keys = (0..<100).map { Key<Int>("key \($0)", default: $0) }
            DispatchQueue.concurrentPerform(iterations: keys.count) { index in
                #expect(throws: Never.self) {
                    try preferences.set(index * 100 + 1, for: keys[index], durability: .none)
                }
            }
            #expect(keys.indices.allSatisfy { preferences[keys[$0]] == $0 * 100 + 1 })
            try preferences.change { edit in for key in keys.prefix(50) { edit.remove(key) } }
            #expect(keys.indices.allSatisfy { preferences[keys[$0]] == ($0 < 50 ? $0 : $0 * 100 + 1) })
        }
    }

    @Test("Of the values and removals by many threads one is the last, and every reference returns it")
    func lastOne() throws {
        try withContainer { container throws in
            let preferences = try preferences(in: container)
            let key = Key<Int>("number", default: 42)
            let last = LockedValue(42)
            let observation = preferences.observe(key) { change in last.withLock { $0 = change.new } }
            defer { observation.cancel() }
            DispatchQueue.concurrentPerform(iterations: 50) { index in
                #expect(throws: Never.self) {
                    if index.isMultiple(of: 2) {
                        try preferences.set(index, for: key, durability: .none)
                    } else {
                        try preferences.remove(key, durability: .none)
                    }
                }
            }
            let value = try preferences.value(for: key)
            #expect(value == 42 || (0..<50).contains(value))
            #expect(last.withLock(\.self) == value)
            let other = try Container.open(container.location.appending(".")).preferences()
            #expect(try other.value(for: key) == value)
        }
    }
}
