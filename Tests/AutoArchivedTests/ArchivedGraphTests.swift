import AppContainer
import AutoArchived
import ContainerArchives
import Dispatch
import Foundation
import FileSystem
import TestSupport
import Testing

@Suite("Graphs of classes with @AutoArchived", .timeLimit(.minutes(60))) struct ArchivedGraphTests {
    /// Removes the references of all nodes, so that a cyclic graph is released, and a chain without recursion.
    private func release(_ nodes: [Node]) {
        for node in nodes { (node.next, node.neighbours) = (nil, []) }
    }

    /// Returns the nodes that can be reached, in the order of a search from the first one.
    private func reachable(from root: Node) -> [Node] {
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(root)]
        var nodes = [root]
        var index = 0
        while index < nodes.count {
            for next in [nodes[index].next].compactMap(\.self) + nodes[index].neighbours
            where seen.insert(ObjectIdentifier(next)).inserted { nodes.append(next) }
            index += 1
        }
        return nodes
    }

    @Test("A cyclic graph of 10,000 nodes has the same references after a round trip")
    func cyclicGraph() throws {
        try withContainer { container throws in
            let nodes = (0..<10_000).map { Node($0) }
            for (index, node) in nodes.enumerated() {
                node.next = nodes[(index + 1) % nodes.count]
                node.neighbours = [index &* 7919 &+ 1, index / 2, index].map { nodes[$0 % nodes.count] }
                node.parent = nodes[index / 3]
            }
            defer { release(nodes) }
            let root = try container.roundTrip(nodes[0])
            let read = reachable(from: root)
            defer { release(read) }
            #expect(read.count == nodes.count)
            // The number identifies the counterpart. Equal references are to one object.
            var counterparts: [Int: Node] = [:]
            for node in read { counterparts[node.number] = node }
            #expect(counterparts.count == nodes.count)
            let differing = nodes.filter { node in
                let copy = counterparts[node.number]
                let references = [copy?.next, copy?.parent] + (copy?.neighbours ?? []).map { $0 }
                let expected = [node.next, node.parent] + node.neighbours.map { $0 }
                return !references.elementsEqual(expected) {
                    $0 === $1.flatMap { counterparts[$0.number] } && $0 != nil
                }
            }
            #expect(differing.isEmpty)
        }
    }

    @Test("A chain of 10,000 objects is archived and read in the stack space of a small thread")
    func chain() throws {
        try withContainer { container throws in
            let result = try onThread(stackSize: 256 << 10) {
                let chain = Chain(count: 10_000)
                defer { release(chain.nodes) }
                try container.archive(chain.nodes[0], to: .documents / "chain", options: .init(durability: .none))
                let root = try container.unarchive(Node.self, from: .documents / "chain")
                let read = reachable(from: root)
                defer { release(read) }
                return (read.map(\.number) == Array(0..<10_000), read.last?.parent?.number)
            }
            #expect(result.0 && result.1 == 9_998)
        }
    }

    private struct Chain {
        let nodes: [Node]
        init(count: Int) {
            nodes = (0..<count).map { Node($0) }
            for (node, next) in zip(nodes, nodes.dropFirst()) {
                node.next = next
                next.parent = node
            }
        }
    }

    private final class Box<Value: Sendable>: Sendable {
        let result = LockedValue<Result<Value, any Error>?>(nil)
    }

    /// Runs the body on a thread of its own.
    private func onThread<Result: Sendable>(
        stackSize: Int, _ body: @escaping @Sendable () throws -> Result
    ) throws -> Result {
        let (box, hasEnded) = (Box<Result>(), DispatchSemaphore(value: 0))
        let thread = Thread {
            box.result.withLock { $0 = Swift.Result { try body() } }
            hasEnded.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        hasEnded.wait()
        return try #require(box.result.withLock { $0 }).get()
    }

    @Test("An object that refers to itself, and two that refer to each other, keep their identity")
    func smallCycles() throws {
        try withContainer { container throws in
            let own = Node(1)
            own.next = own
            let read = try container.roundTrip(own)
            #expect(read.next === read)
            let (one, two) = (Node(1), Node(2))
            (one.next, two.next) = (two, one)
            let root = try container.roundTrip(one)
            #expect(root.next?.number == 2 && root.next?.next === root)
            release([own, read, one, root])
        }
    }

    @Test("A shared object is archived once, and a weak reference alone does not archive its object")
    func sharing() throws {
        try withContainer { container throws in
            let (root, shared, parent) = (Node(0), Node(1), Node(2))
            root.neighbours = [shared, shared]
            root.next = shared
            root.parent = parent
            let read = try container.roundTrip(root)
            #expect(read.next === read.neighbours[0] && read.neighbours[0] === read.neighbours[1])
            #expect(read.parent == nil)
        }
    }

    @AutoArchived(name: "Rigid") final class Rigid: NSObject {
        var others: [Rigid]
        override init() { others = [] }
    }

    @Test("A cycle of properties without initial values is an error that says what to do, and nothing is saved")
    func rigidCycle() throws {
        try withContainer { container throws in
            let rigid = Rigid()
            rigid.others = [rigid]
            defer { rigid.others = [] }
            let error = #expect(throws: ArchiveError.self) { try container.archive(rigid, to: .documents / "a") }
            #expect(error?.code == .cycle)
            #expect(error?.description.contains("make one of the references an optional variable") == true)
            #expect(try !container.exists(.documents / "a"))
        }
    }

    @Test("The limit of objects applies to chains of references")
    func limits() throws {
        try withContainer { container throws in
            let chain = Chain(count: 2_000)
            defer { release(chain.nodes) }
            var limits = ArchiveLimits()
            limits.objects = 3_000
            let refused = #expect(throws: ArchiveError.self) {
                try container.archive(chain.nodes[0], to: .documents / "a", limits: limits)
            }
            #expect(refused?.code == .tooLarge)
            try container.archive(chain.nodes[0], to: .documents / "a")
            let error = #expect(throws: ArchiveError.self) {
                _ = try container.unarchive(Node.self, from: .documents / "a", limits: limits)
            }
            #expect(error?.code == .tooLarge)
        }
    }
}
