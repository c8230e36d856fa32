import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Guide: save without losing anything", .timeLimit(.minutes(60))) struct SaveSafelyTests {
    private let pixels = Data("PNG".utf8)

    @Test("A save is visible, and replaces what it is asked to replace")
    func saving() throws {
        try withContainer { container throws in
            // shown in SaveSafely.md
            try container.save("Dear reader", to: .documents / "letters/first.txt")
            // end
            // shown in SaveSafely.md
            try container.save(pixels, to: .caches / "thumbnails/42.png", options: .init(durability: .none))
            // end
            #expect(try container.loadText(.documents / "letters/first.txt") == "Dear reader")
            #expect(try container.load(.caches / "thumbnails/42.png") == pixels)

            let settings = "b"
            try container.save("a", to: .documents / "real.txt")
            try FileManager.default.createSymbolicLink(
                atPath: try container.path(.documents / "settings.txt").string, withDestinationPath: "real.txt")
            let refused = #expect(throws: ContainerError.self) {
                try container.save(settings, to: .documents / "settings.txt")
            }
            #expect(refused?.code == .notAFile)
            // shown in SaveSafely.md
            try container.save(
                settings, to: .documents / "settings.txt", options: .init(overwrite: .replacing(symbolicLink: .follow)))
            // end
            #expect(try container.loadText(.documents / "real.txt") == "b")
        }
    }

    @Test("A batch is saved, or reports the state of each file")
    func batch() throws {
        try withContainer { container throws in
            let tiles = ["1.png": pixels, "2.png": pixels]
            func save() throws {
                // shown in SaveSafely.md
                do {
                    try container.batch { batch in
                        for (name, tile) in tiles { try batch.save(tile, to: .caches / name) }
                    }
                } catch let error as BatchError {
                    print("saved: \(error.saved), uncertain: \(error.uncertain), unchanged: \(error.notSaved)")
                }
                // end
            }
            try save()
            #expect(try container.list(.caches).count == 2)
            // An error that stops one save stops the batch, and is reported here.
            try container.remove(.caches / "1.png")
            try container.remove(.caches / "2.png")
            try container.createDirectory(.caches / "1.png")
            try save()
            #expect(try container.list(.caches).map(\.name) == ["1.png"])
        }
    }

    @Test("A file is written piece by piece and is visible when it is finished")
    func pieces() throws {
        try withContainer { container throws in
            let film = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
            try container.save(film, to: .documents / "film.mov")
            // shown in SaveSafely.md
            let reader = try container.reader(of: .documents / "film.mov")
            let writer = try container.writer(to: .documents / "copy.mov")
            while let piece = try reader.next() { try writer.write(piece) }
            try writer.finish()
            // end
            #expect(try container.load(.documents / "copy.mov") == film)
        }
    }

    @Test("Under a lock, a counter is read, changed and saved by one at a time")
    func lock() throws {
        try withContainer { container throws in
            try container.save("0", to: .documents / "count")
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                do {
                    // shown in SaveSafely.md
                    try container.withLock {
                        let count = Int(try container.loadText(.documents / "count")) ?? 0
                        try container.save("\(count + 1)", to: .documents / "count")
                    }
                    // end
                } catch { Issue.record(error) }
            }
            #expect(try container.loadText(.documents / "count") == "4")
            // It only affects code that requests it.
            try container.withLock {
                try container.save("9", to: .documents / "count")
                let error = #expect(throws: ContainerError.self) { try container.lock(within: .zero) }
                #expect(error?.code == .locked)
            }
        }
    }

    @Test("A task waits without blocking a thread")
    func task() async throws {
        try await withContainer { container in
            // shown in SaveSafely.md
            let usage = try await container.background { container in
                try container.save(pixels, to: .caches / "thumbnails/43.png")
                return try container.usage()
            }
            // end
            #expect(usage.byLocation[.urlCache]?.items == 1)
            // shown in SaveSafely.md
            do throws(ContainerError) {
                try await container.background { container throws(ContainerError) in
                    try container.remove(.caches / "thumbnails")
                }
            } catch { print(error.code) }
            // end
            #expect(try !container.exists(.caches / "thumbnails"))
        }
    }

    @Test("Leftovers are removed when the container is opened, once they are old enough")
    func leftovers() throws {
        try withContainer { made throws in
            let path = made.location
            let leftover = try made.path(.documents / ".appcontainer-staging-0123abcd00000001").string
            #expect(FileManager.default.createFile(atPath: leftover, contents: Data("part".utf8)))
            // shown in SaveSafely.md
            let container = try Container.open(path, sweepingLeftoversOlderThan: .seconds(3_600))
            // end
            #expect(try container.list(.documents).count == 1)
            _ = try Container.open(path, sweepingLeftoversOlderThan: .zero)
            #expect(try container.list(.documents).isEmpty)
        }
    }

    @Test("An error describes the failure, and the old file is unchanged")
    func errors() throws {
        try withContainer { container throws in
            let letter = "Dear reader"
            func save() {
                // shown in SaveSafely.md
                do throws(ContainerError) {
                    try container.save(letter, to: .documents / "letters/second.txt")
                } catch {
                    switch error.code {
                    case .durabilityUnknown: print("It may not survive a power loss. Save it again.")
                    case .noSpace: print("The disk is full. The old letter is unchanged.")
                    default: print(error)  // the failure, the state on disk and a solution
                    }
                }
                // end
            }
            save()
            #expect(try container.loadText(.documents / "letters/second.txt") == letter)
            try container.remove(.documents / "letters/second.txt")
            try container.createDirectory(.documents / "letters/second.txt")
            save()
            #expect(try container.list(.documents / "letters/second.txt").isEmpty)
        }
    }
}
