import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Writer and Reader", .timeLimit(.minutes(60))) struct StreamTests {
    @Test("Pieces of any size result in one file", arguments: [1, 1_000, 262_144, 300_001])
    func roundTrip(piece: Int) throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "film"
            let writer = try container.writer(to: place)
            var all = Data()
            for number in 0..<7 {
                let bytes = Data(repeating: UInt8(number), count: piece)
                try writer.write(bytes)
                all += bytes
            }
            try writer.finish()
            #expect(try container.load(place) == all)
            let reader = try container.reader(of: place)
            #expect(try reader.size() == UInt64(all.count))
            var read = Data()
            while let next = try reader.next(upTo: 100_000) { read += next }
            #expect(read == all)
            reader.position = UInt64(all.count - 1)
            #expect(try reader.next() == Data([6]))
            #expect(try reader.next() == nil)
        }
    }

    @Test("A file is not visible before it is finished, and the exclusion and mode of the old file are kept")
    func old() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a"
            try container.save("old", to: place)
            try container.excludeFromBackup(place)
            let path = try container.path(place).string
            try setMode("640", of: path)
            let writer = try container.writer(to: place)
            try writer.write("new ")
            #expect(try container.loadText(place) == "old")
            try writer.write("text")
            try writer.finish()
            #expect(try container.loadText(place) == "new text")
            #expect(try container.exclusion(of: place).state == .excluded)
            #expect(try mode(of: path) == "640")
        }
    }

    @Test("A writer that is cancelled or deallocated leaves nothing but the old file")
    func cancel() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a"
            try container.save("old", to: place)
            let writer = try container.writer(to: place)
            try writer.write(Data(count: 1_000_000))
            #expect(try container.list(.documents).count == 2)
            writer.cancel()
            #expect(try container.list(.documents).count == 1)
            let error = #expect(throws: ContainerError.self) { try writer.write("x") }
            #expect(error?.description.contains("finished or cancelled") == true)
            #expect(throws: ContainerError.self) { try writer.finish() }
            do {
                let dropped = try container.writer(to: place)
                try dropped.write("half")
            }
            #expect(try container.list(.documents).map(\.description) == ["Documents/a"])
            #expect(try container.loadText(place) == "old")
        }
    }

    @Test("A reader continues with the file that it opened when a save replaces it")
    func replacedWhileRead() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "a"
            try container.save("one two", to: place)
            let reader = try container.reader(of: place)
            #expect(try reader.next(upTo: 4) == Data("one ".utf8))
            try container.save("other", to: place)
            #expect(try reader.next() == Data("two".utf8))
        }
    }

    @Test("What a writer has written is read before it is finished, and after it is finished or cancelled")
    func readWhileWritten() throws {
        try withContainer { container throws in
            let place = ContainerPath.documents / "film"
            try container.save("old", to: place)
            for isFinished in [true, false] {
                let writer = try container.writer(to: place)
                try writer.write("one ")
                let reader = try writer.reader()
                #expect(try reader.next() == Data("one ".utf8) && reader.next() == nil)
                try writer.write("two ")
                // In memory until the next look.
                #expect(try reader.next() == nil)
                let second = try writer.reader()
                #expect(try reader.next() == Data("two ".utf8) && second.next() == Data("one two ".utf8))
                try writer.write(Data(repeating: 7, count: 300_000))
                #expect(try reader.size() == 300_008)
                if isFinished { try writer.finish() } else { writer.cancel() }
                reader.position = 300_000
                #expect(try reader.next() == Data(repeating: 7, count: 8) && reader.next() == nil)
                let error = #expect(throws: ContainerError.self) { try writer.reader() }
                #expect(error?.code == .invalidPath)
                #expect(try container.load(place).count == 300_008)
            }
            #expect(try container.list(.documents).map(\.description) == ["Documents/film"])
        }
    }

    @Test("An item that must not be replaced is refused before anything is written")
    func refused() throws {
        try withContainer { container throws in
            try container.save("old", to: .documents / "a")
            let error = #expect(throws: ContainerError.self) {
                try container.writer(to: .documents / "a", options: .init(overwrite: .never))
            }
            #expect(error?.code == .alreadyExists)
            #expect(try container.list(.documents).count == 1)
        }
    }
}

@Suite("Batch", .timeLimit(.minutes(60))) struct BatchTests {
    @Test("All saves of a batch are visible, with exclusions and modes, and no other files remain")
    func all() throws {
        try withContainer { container throws in
            try container.save("old", to: .documents / "d/1")
            try container.excludeFromBackup(.documents / "d/1")
            try container.batch { batch in
                for number in 0..<200 { try batch.save("text \(number)", to: .documents / "d/\(number)") }
                try batch.save(
                    [1, 2], to: .caches / "n.json", encoder: JSONEncoder(), options: .init(provenance: .derived()))
                try batch.save(Data([7]), to: .temporary / "t")
            }
            for number in 0..<200 { #expect(try container.loadText(.documents / "d/\(number)") == "text \(number)") }
            #expect(try container.exclusion(of: .documents / "d/1").state == .excluded)
            #expect(try container.provenance(of: .caches / "n.json")?.maker == .derived)
            #expect(try container.list(.documents / "d").count == 200)
            #expect(try container.loadBytes(.temporary / "t") == [7])
        }
    }

    @Test("A save that fails leaves everything unchanged, and the error lists all files")
    func none() throws {
        try withContainer { container throws in
            try container.save("old", to: .documents / "a")
            try container.createDirectory(.documents / "c")
            let error = #expect(throws: BatchError.self) {
                try container.batch { batch in
                    try batch.save("new", to: .documents / "a")
                    try batch.save("new", to: .documents / "b")
                    try batch.save("new", to: .documents / "c")
                }
            }
            #expect(error?.saved.isEmpty == true)
            #expect(error?.notSaved.map(\.description) == ["Documents/a", "Documents/b", "Documents/c"])
            #expect(error?.cause.code == .notAFile)
            #expect(error?.cause.path == "Documents/c")
            #expect(
                error?.description.hasSuffix(
                    "Files saved: 0; saved, but perhaps lost in a power loss: 0; unchanged: 3.")
                    == true)
            #expect(try container.loadText(.documents / "a") == "old")
            #expect(try container.list(.documents).count == 2)
        }
    }

    @Test("If the closure throws, nothing is saved")
    func thrown() throws {
        try withContainer { container throws in
            #expect(throws: CancellationError.self) {
                try container.batch { batch in
                    try batch.save("new", to: .documents / "a")
                    throw CancellationError()
                }
            }
            #expect(try container.list(.documents).isEmpty)
        }
    }

    @Test("The last of two saves of the same path remains")
    func twice() throws {
        try withContainer { container throws in
            try container.batch { batch in
                try batch.save("one", to: .documents / "a")
                try batch.save("two", to: .documents / "a")
            }
            #expect(try container.loadText(.documents / "a") == "two")
            #expect(try container.list(.documents).count == 1)
        }
    }
}
