import AppContainer
import ContainerPreferences
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Preferences, processes", .timeLimit(.minutes(60))) struct PreferencesProcessTests {
    /// Starts the tool and returns the file of its output.
    private func start(_ container: Container, _ prefix: String, _ count: Int) throws -> (Process, FileHandle) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: Command.probe)
        process.arguments = ["preferences", container.location.string, prefix, String(count)]
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    @Test("Processes that set a hundred keys each at the same time lose none", .needs(.process))
    func concurrent() throws {
        try withContainer { container throws in
            let writers = try ["a", "b", "c"].map { try start(container, $0, 100) }
            // A concurrent reader never sees fewer keys than before.
            let preferences = try container.preferences()
            var count = 0
            while case let text = writers[0].1.availableData, !text.isEmpty {
                let now = try preferences.values().count
                #expect(now >= count)
                count = now
            }
            for (process, _) in writers {
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
            let expected = ["a", "b", "c"].flatMap { name in
                (0..<100).map { ("\(name)-\($0)", PreferenceValue.integer(Int64($0))) }
            }
            #expect(try preferences.values() == Dictionary(uniqueKeysWithValues: expected))
        }
    }

    @Test("Threads that change the same file lose nothing")
    func threads() throws {
        try withContainer { container throws in
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                for number in 0..<20 {
                    #expect(throws: Never.self) {
                        try container.preferences().set(number, forKey: "t\(thread)-\(number)", durability: .none)
                    }
                }
            }
            #expect(try container.preferences().values().count == 160)
        }
    }

    @Test(
        "A process that is killed at any moment leaves a complete file with every key that it reported",
        .needs(.process))
    func killed() throws {
        try withContainer { container throws in
            var told: Set<String> = []
            for run in 0..<60 {
                let (process, output) = try start(container, "r\(run)", 1_000_000)
                // Started at its first output, and killed in one of the following saves.
                var text = output.availableData
                let end = ContinuousClock.now + .microseconds(Int.random(in: 0..<15_000))
                while ContinuousClock.now < end {}
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                #expect(process.terminationReason == .uncaughtSignal)
                text += output.readDataToEndOfFile()
                let keys = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
                #expect(!keys.isEmpty)
                told.formUnion(keys)
                let values = try container.preferences().values()
                #expect(told.subtracting(values.keys).isEmpty)
                // At most one key per run was saved and not reported.
                #expect(values.count <= told.count + run + 1)
            }
        }
    }
}
