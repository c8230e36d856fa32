import FileSystem
import Foundation
import GRDB
import SystemPackage
import TestSupport
import Testing

@testable import BackupOperations
@testable import BackupPlan
@testable import BackupRepository

@Suite struct ObjectWriterTests {
    /// Returns incompressible bytes for a seed.
    private static func noise(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }

    private static func add(_ content: [UInt8], to writer: ObjectWriter, _ compressor: Compressor) throws {
        _ = try content.withUnsafeBytes { bytes throws in
            try writer.add(bytes, hash: ContentHash(of: bytes), compressor: compressor)
        }
    }

    /// Returns the number of rows whose file does not exist.
    private static func orphans(in repository: Repository) throws -> Int {
        let hashes = try repository.withCatalogue {
            try Data.fetchAll($0, sql: "SELECT sha256 FROM object WHERE form = 1")
        }
        let packs = try repository.packRows().count { repository.packBytes(FilePath($0.name)) == nil }
        return packs
            + hashes.count { hash in
                let name = ContentHash(bytes: Array(hash)).hexadecimal
                return (try? repository.objects.status(FilePath("\(name.prefix(2))/\(name)"))) == nil
            }
    }

    @Test("No row exists without its file after SQLite rolled a transaction back")
    func fullCatalogue() throws {
        try withScratch { folder throws in
            let store = try Repository(creatingAt: FilePath(folder.appending(path: "store").path), command: "test")
            let writer = try ObjectWriter(store)
            let compressor = try Compressor(level: 3)
            try store.withCatalogue { database in
                // A disk with only a few pages.
                _ = try Row.fetchAll(database, sql: "PRAGMA max_page_count = 40")
            }
            let full = #expect(throws: BackupError.self) {
                for seed in 1...100 {
                    let noise = Self.noise(60_000, UInt64(seed))
                    try Self.add(noise, to: writer, compressor)
                    _ = try store.insertAttributes([Repository.Attribute(name: "mark", value: noise)])
                }
            }
            let failure = try #require(full)
            #expect(failure.code == .full)
            // As another thread would do it without knowing of the failure.
            #expect(throws: failure) { try Self.add(Self.noise(70_000, 7), to: writer, compressor) }
            #expect(throws: failure) { try store.insertDirectory([]) }
            #expect(throws: failure) { try writer.flush() }
            writer.abandon()
            #expect(try Self.orphans(in: store) == 0)
            try store.close()
        }
    }

    @Test("No row exists without its file after a rename failed")
    func fullObjects() throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "store").path
            let store = try Repository(creatingAt: FilePath(path), command: "test")
            let writer = try ObjectWriter(store)
            let compressor = try Compressor(level: 3)
            let content = Self.noise(70_000, 1)
            try Self.add(content, to: writer, compressor)
            // A file in place of the directory.
            let place = ContentHash(of: content).hexadecimal.prefix(2)
            try Data().write(to: URL(fileURLWithPath: "\(path)/objects/\(place)"))
            #expect(throws: BackupError.self) { try writer.flush() }
            #expect(throws: BackupError.self) { try writer.flush() }
            writer.abandon()
            #expect(try Self.orphans(in: store) == 0)
            try store.close()
        }
    }

    @Test("The end of a frame is found by its blocks", arguments: [0, 1, 255, 256, 257, 70_000, 300_000, 1 << 20])
    func frameEnd(size: Int) throws {
        for content in [
            Self.noise(size, 3), [UInt8](repeating: 7, count: size), Array(0..<size).map { UInt8($0 >> 9 & 0xff) },
        ] {
            let frame = try content.withUnsafeBytes { bytes throws in
                try Compressor(level: 3).compress(bytes) { Array($0) }
            }
            func end(_ frame: [UInt8], _ size: Int) -> UInt64? {
                ZstdFrame.end(contentSize: UInt64(size)) { position, count in
                    Array(frame.dropFirst(Int(position)).prefix(count))
                }
            }
            #expect(end(frame, size) == UInt64(frame.count))
            #expect(end(frame + [0], size) == UInt64(frame.count))
            #expect(end(frame, size + 1) == nil)
            for shorter in [0, 3, 6] { #expect(end(Array(frame.prefix(shorter)), size) == nil) }
            #expect(end(frame.dropLast(), size) != UInt64(frame.count - 1))
        }
    }
}
