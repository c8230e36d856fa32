import AppContainer
import ContainerPreferences
import Foundation
import FileSystem
import SystemPackage
import TestSupport
import Testing

@Suite("Side by side", .timeLimit(.minutes(60))) struct ConcurrencyTests {
    @Test(
        "Two processes that save one file a thousand times each leave a complete file at every moment", .needs(.process)
    )
    func processes() throws {
        try withContainer { container throws in
            try container.save("", to: .documents / "shared")
            let writers = try ["a", "b"].map { letter in
                let process = Process()
                process.executableURL = URL(filePath: Command.probe)
                process.arguments = ["save", container.location.string, letter, "1000"]
                try process.run()
                return process
            }
            while writers.contains(where: \.isRunning) {
                let text = try container.loadText(.documents / "shared")
                #expect(text.count % 10 == 0 && Set(text).count < 2)
            }
            for process in writers {
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
            let last = try container.loadText(.documents / "shared")
            #expect(last.count == 10_000 && Set(last).count == 1)
            #expect(try container.list(.documents).count == 1)
        }
    }

    @Test("Threads that save, exclude and append to one file lose neither content nor exclusion")
    func threads() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "log"
            try container.save("", to: place)
            let failures = Counter()
            DispatchQueue.concurrentPerform(iterations: 60) { number in
                do {
                    if number == 30 {
                        try container.excludeFromBackup(place)
                    } else {
                        try container.append("x", to: place, options: .init(durability: .none))
                    }
                } catch { failures.add(1) }
            }
            #expect(failures.value == 0)
            #expect(try container.loadText(place) == String(repeating: "x", count: 59))
            #expect(try container.exclusion(of: place).state == .excluded)
        }
    }

    @Test("A save within a change of preferences and a batch of the same names do not deadlock")
    func nested() throws {
        try withContainer { container throws in
            let plist = ContainerPath.preferences / "com.example.app.plist"
            let failures = Counter()
            DispatchQueue.concurrentPerform(iterations: 40) { number in
                do {
                    if number % 2 == 0 {
                        try container.preferences().change(durability: .none) { edit in
                            edit.set(number, forKey: "\(number)")
                            try? container.save("\(number)", to: .documents / "a", options: .init(durability: .none))
                        }
                    } else {
                        try container.batch { batch in
                            try batch.save("\(number)", to: .documents / "a")
                            try batch.save("<plist><dict/></plist>", to: plist)
                        }
                    }
                } catch { failures.add(1) }
            }
            #expect(failures.value == 0)
            #expect(try Int(container.loadText(.documents / "a")) != nil)
        }
    }

    @Test("Saves and loads of more tasks than threads complete")
    func tasks() async throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let container = try Container.create(at: FilePath(scratch.path), bundleIdentifier: "com.example.app")
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let place = ContainerPath.caches / "\(number)"
                    try await container.background { container in
                        try container.save("\(number)", to: place, options: .init(durability: .none))
                        try container.append(Array("0".utf8), to: place, options: .init(durability: .none))
                        try container.save([number], to: .caches / "\(number).json", encoder: JSONEncoder())
                    }
                    return try await container.background { container in
                        let list = try container.load(
                            [Int].self, from: .caches / "\(number).json", decoder: JSONDecoder())
                        return Int(try container.loadText(place)) ?? 0 + list[0]
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 49_500)
        let usage = try await container.background { try $0.usage() }
        #expect(usage.byLocation[.urlCache]?.items == 200)
    }

    @Test("The pool's threads are free while saves wait")
    func free() async throws {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let container = try Container.create(at: FilePath(scratch.path), bundleIdentifier: "com.example.app")
        // More work items that wait for this task than the pool has threads: if they were blocked, this would never
        // end.
        let gate = DispatchSemaphore(value: 0)
        let waiting = 4
        async let works: Void = withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<waiting { group.addTask { await container.background { _ in gate.wait() } } }
            try await group.waitForAll()
        }
        let reached = await Task { true }.value
        for _ in 0..<waiting { gate.signal() }
        try await works
        #expect(reached)
    }
}
