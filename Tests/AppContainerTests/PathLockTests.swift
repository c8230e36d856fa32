import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Locks on paths", .timeLimit(.minutes(60))) struct PathLockTests {
    @Test(
        "Two concurrent ways of appending to one file lose neither content nor exclusion",
        arguments: ["real", "new/below"])
    func alias(directory: String) throws {
        try withContainer { container throws in
            let folder = try container.path(.documents).string
            try FileManager.default.createSymbolicLink(atPath: folder + "/alias", withDestinationPath: directory)
            try container.createDirectory(.documents / directory)
            let count = 200
            DispatchQueue.concurrentPerform(iterations: 3) { number in
                for _ in 0..<count {
                    let place = number == 0 ? "alias/log" : "\(directory)/log"
                    try? container.append("x", to: .documents / place, options: .init(durability: .none))
                    if number == 2 { try? container.excludeFromBackup(.documents / "alias/log") }
                }
            }
            #expect(try container.load(.documents / "alias/log").count == 3 * count)
            #expect(try container.ownMarks(of: .documents / "\(directory)/log") == [.modern])
        }
    }

    @Test("Directories that are missing at first do not bypass the lock")
    func missing() throws {
        try withContainer { container throws in
            for round in 0..<50 {
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    try? container.append("x", to: .documents / "\(round)/a/log", options: .init(durability: .none))
                }
                #expect(try container.load(.documents / "\(round)/a/log").count == 4)
            }
        }
    }

    /// An encoder that saves a copy of the old file, as an app's may.
    private struct Keeper: ValueEncoder, ValueDecoder {
        let container: Container
        let place: ContainerPath

        func encode<Value: Encodable>(_ value: Value) throws -> Data {
            try container.save("seen", to: place)
            return try JSONEncoder().encode(value)
        }
        func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value {
            try container.excludeFromBackup(place)
            return try JSONDecoder().decode(type, from: content)
        }
    }

    @Test("A save within a save of the same name does not deadlock")
    func within() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "list"
            let keeper = Keeper(container: container, place: place)
            try container.save([1], to: place, encoder: JSONEncoder())
            try container.append(contentsOf: [2], to: place, encoder: keeper, decoder: keeper)
            #expect(try container.load([Int].self, from: place, decoder: JSONDecoder()) == [1, 2])
            #expect(try container.ownMarks(of: place) == [.modern])
        }
    }
}
