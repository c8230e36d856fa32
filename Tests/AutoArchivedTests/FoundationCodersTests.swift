import AutoArchived
import ContainerArchives
import FileSystem
import Foundation
import TestSupport
import Testing

/// The coders of Foundation, which are the standard on Apple's systems, compared with the standard ones of this system.
@Suite("Classes with @AutoArchived and Foundation's coders", .timeLimit(.minutes(60))) struct FoundationCodersTests {
    private static let all: [(String, ArchiveCoders)] = [("standard", .standard), ("foundation", .foundation)]

    /// Returns copies of an object: written and read by each pair of coders.
    private func copies<Object: NSObject & NSSecureCoding>(
        _ object: Object, named names: [String: ArchivableClass] = [:]
    ) throws -> [Object] {
        var copies: [Object] = []
        for (_, writing) in Self.all {
            let bytes = try ArchiveBytes.write(object, named: names, limits: ArchiveLimits(), by: writing)
            for (_, reading) in Self.all { copies.append(try read(Object.self, bytes, named: names, by: reading)) }
        }
        return copies
    }

    private func read<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, _ bytes: [UInt8], allowing classes: [ArchivableClass] = [],
        named names: [String: ArchivableClass] = [:], by coders: ArchiveCoders = .foundation
    ) throws(ArchiveFault) -> Object {
        try ArchiveBytes.read(
            type, from: bytes, allowing: classes, named: names, limits: ArchiveLimits(), by: coders)
    }

    private func bytes(
        _ object: any NSObject & NSSecureCoding, named names: [String: ArchivableClass] = [:]
    ) throws -> [UInt8] {
        try ArchiveBytes.write(object, named: names, limits: ArchiveLimits(), by: .standard)
    }

    @Test("A graph with cycles, shared objects and weak references has the same references")
    func graph() throws {
        let nodes = (0..<300).map { Node($0) }
        for (index, node) in nodes.enumerated() {
            node.next = nodes[(index + 1) % nodes.count]
            node.neighbours = [index &* 79 &+ 1, index / 2, index].map { nodes[$0 % nodes.count] }
            node.parent = nodes[index / 3]
        }
        defer { for node in nodes { (node.next, node.neighbours) = (nil, []) } }
        for copy in try copies(nodes[0]) {
            var chain = [copy]
            while let next = chain.last?.next, next !== copy, chain.count <= nodes.count { chain.append(next) }
            defer { for node in chain { (node.next, node.neighbours) = (nil, []) } }
            #expect(chain.map(\.number) == Array(0..<300))
            guard chain.count == nodes.count else { continue }
            let isEqual = chain.enumerated().allSatisfy { index, node in
                node.parent === chain[index / 3]
                    && node.neighbours.elementsEqual(
                        [index &* 79 &+ 1, index / 2, index].map { chain[$0 % 300] }, by: ===)
            }
            #expect(isEqual)
        }
    }

    @Test("A weak reference alone does not archive its object")
    func weak() throws {
        let (root, shared, parent) = (Node(0), Node(1), Node(2))
        (root.next, root.neighbours, root.parent, shared.parent) = (shared, [shared, shared], parent, root)
        for copy in try copies(root) {
            #expect(copy.next === copy.neighbours[0] && copy.next === copy.neighbours[1] && copy.parent == nil)
            #expect(copy.next?.parent === copy)
        }
    }

    @Test("A chain of 5,000 objects needs the stack space of a small thread")
    func chain() throws {
        let numbers = LockedValue<[[Int]]>([])
        let hasEnded = DispatchSemaphore(value: 0)
        let thread = Thread {
            let nodes = (0..<5_000).map { Node($0) }
            for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
            defer { for node in nodes { node.next = nil } }
            for copy in (try? copies(nodes[0])) ?? [] {
                var chain = [copy]
                while let next = chain.last?.next { chain.append(next) }
                for node in chain { node.next = nil }
                numbers.withLock { $0.append(chain.map(\.number)) }
            }
            hasEnded.signal()
        }
        thread.stackSize = 256 << 10
        thread.start()
        hasEnded.wait()
        #expect(numbers.withLock { $0 } == Array(repeating: Array(0..<5_000), count: 4))
    }

    /// A node whose references are decoded before it is complete.
    @AutoArchived(name: "Node") final class RigidNode: NSObject {
        let number: Int
        var neighbours: [RigidNode]
        init(number: Int) { (self.number, neighbours) = (number, []) }
    }

    @Test("A cycle of properties without initial values is refused before anything is decoded")
    func rigidCycle() throws {
        let node = Node(1)
        node.neighbours = [node]
        defer { node.neighbours = [] }
        let cycle = try bytes(node)
        let errors = Self.all.map { coders in
            #expect(throws: ArchiveFault.self) { try read(RigidNode.self, cycle, by: coders.1) }
        }
        #expect(errors[0] == errors[1] && errors[1]?.code == .cycle)
        node.neighbours = [Node(2)]
        #expect(try read(RigidNode.self, try bytes(node)).neighbours.map(\.number) == [2])
    }

    @Test("Former keys, migrations and newer versions are treated alike")
    func versions() throws {
        typealias Tests = AutoArchivedTests
        let account = try read(Tests.Account.self, try bytes(Tests.OldAccount(name: "Ann")))
        #expect(account.user == "Ann" && account.currency == "EUR")
        #expect(account.migratedFrom == 0 && account.cents == 1200)
        let current = Tests.Account(user: "Bob")
        current.cents = 7
        let copy = try read(Tests.Account.self, try bytes(current))
        #expect(copy.user == "Bob" && copy.cents == 7 && copy.migratedFrom == nil)
        let newer = try bytes(Tests.NewAccount(user: "Cid"))
        let errors = Self.all.map { coders in
            #expect(throws: ArchiveFault.self) { try read(Tests.Newest.self, newer, by: coders.1) }
        }
        #expect(errors[0] == errors[1] && errors[1]?.text.contains("version 3 of Account") == true)
    }

    @Test("A field of another type, a missing one and an unknown case are errors with the same position")
    func badFields() throws {
        typealias Tests = AutoArchivedTests
        let film = try bytes(Tests.Strange())
        let errors = Self.all.map { coders in
            #expect(throws: ArchiveFault.self) {
                try read(Tests.Film.self, film, named: ["Everything": Tests.Film.self], by: coders.1)
            }
        }
        #expect(errors[0] == errors[1] && errors[1]?.keyPath == "root.genre")
        let short = try bytes(Tests.Film())
        let missing = Self.all.map { coders in
            #expect(throws: ArchiveFault.self) {
                try read(Tests.Short.self, short, named: ["Everything": Tests.Short.self], by: coders.1)
            }
        }
        #expect(missing[0] == missing[1] && missing[1]?.text == "the field is missing")
    }

    @Test("A subclass, and a reference to a class that the archive names otherwise, are read")
    func inheritance() throws {
        let (dog, cat) = (Dog(name: "Rex"), Animal(name: "Tom"))
        dog.tricks = ["roll"]
        dog.friend = cat
        let array = try bytes(NSArray(array: [dog, cat]))
        let read = try read(NSArray.self, array, allowing: [Animal.self, Dog.self])
        let first = try #require(read[0] as? Dog)
        #expect(first.name == "Rex" && first.tricks == ["roll"] && first.friend === read[1] as? Animal)
    }
}
