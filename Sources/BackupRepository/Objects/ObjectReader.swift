internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// A reader that verifies every byte of an object by its hash. Not thread-safe.
package final class ObjectReader {
    private let objects: Folder
    private let catalogue: DatabaseQueue
    private let decompressor: Decompressor
    private let repositoryFolder: Folder
    /// The packs that were read last.
    private var packs: [(hash: ContentHash, file: OpenFile)] = []

    package init(_ repository: Repository) throws(BackupError) {
        objects = repository.objects
        repositoryFolder = repository.folder
        catalogue = try repository.connection()
        decompressor = try Decompressor()
    }

    /// The row of an object in the catalogue.
    package struct Description {
        package let hash: ContentHash
        package let size: UInt64
        package let form: ObjectForm
    }

    package func describe(_ object: Int64) throws(BackupError) -> Description {
        try query { database in
            let statement = try database.cachedStatement(sql: "SELECT sha256, size, form FROM object WHERE id = ?")
            guard let row = try Row.fetchOne(statement, arguments: [object]),
                let hash = Data.fromDatabaseValue(row[0] as DatabaseValue), hash.count == 32,
                let size = Int64.fromDatabaseValue(row[1] as DatabaseValue), size >= 0,
                let form = Int.fromDatabaseValue(row[2] as DatabaseValue).flatMap(ObjectForm.init),
                form == .parts || size <= ObjectWriter.partSize
            else { throw BackupError(.damaged, what: "the row of object \(object) is missing or invalid") }
            return Description(hash: ContentHash(bytes: Array(hash)), size: UInt64(size), form: form)
        }
    }

    /// Returns the hash of an object, whatever the rest of its row contains; nil if the row has no valid hash.
    func hash(of object: Int64) throws(BackupError) -> ContentHash? {
        try query { database in
            let statement = try database.cachedStatement(sql: "SELECT sha256 FROM object WHERE id = ?")
            guard let row = try Row.fetchOne(statement, arguments: [object]),
                let hash = Data.fromDatabaseValue(row[0] as DatabaseValue), hash.count == 32
            else { return nil }
            return ContentHash(bytes: Array(hash))
        }
    }

    /// Returns the size of the content of an object, in bytes.
    package func size(of object: Int64) throws(BackupError) -> UInt64 { try describe(object).size }

    /// Returns the number of bytes outside all parts of an object: zeros that take no space in the repository.
    package func holeSize(of object: Int64) throws(BackupError) -> UInt64 {
        let description = try describe(object)
        guard description.form == .parts else { return 0 }
        var size = description.size
        for (_, part) in try verifiedParts(of: object, description) { size -= try describe(part).size }
        return size
    }

    /// Calls `body` with the pieces of an object in order, each with its position. The gaps between pieces are zeros.
    ///
    /// - Throws: `damaged` if the bytes do not match the hash, possibly after some calls; errors of `body`.
    package func read(_ object: Int64, _ body: (UInt64, [UInt8]) throws -> Void) throws {
        try read(object, description: describe(object), body)
    }

    /// Reads an object whose row is known.
    package func read(_ object: Int64, description: Description, _ body: (UInt64, [UInt8]) throws -> Void) throws {
        guard description.form == .parts else { return try body(0, verifiedContent(object, description: description)) }
        for (position, part) in try verifiedParts(of: object, description) {
            try body(position, verifiedContent(part, description: describe(part)))
        }
    }

    /// Returns the parts of an object in order, verified by the hash of the list and without overlaps.
    package func verifiedParts(
        of object: Int64, _ description: Description
    ) throws(BackupError) -> [(position: UInt64, part: Int64)] {
        var list = PartList()
        var end: UInt64 = 0
        for (position, part) in try parts(of: object) {
            guard position >= end else { throw damaged(description, reason: "its parts overlap") }
            let inner = try describe(part)
            guard inner.form != .parts else { throw damaged(description, reason: "a part has parts itself") }
            list.add(part, hash: inner.hash, at: position)
            end = position + inner.size
        }
        guard end <= description.size else { throw damaged(description, reason: "its parts exceed its size") }
        guard list.hash(size: description.size) == description.hash else {
            throw damaged(description, reason: "its list of parts changed")
        }
        return list.parts
    }

    /// The location of a part in an object.
    struct PartOccurrence {
        let part, object: Int64
        let position: UInt64
        /// The position of the next part; nil for the last one.
        let next: UInt64?
    }

    /// Returns the locations of parts, as far as the rows can be read.
    func occurrences(ofParts isWanted: (Int64) -> Bool) throws(BackupError) -> [PartOccurrence] {
        var occurrences: [PartOccurrence] = []
        do throws(BackupError) {
            try query { database in
                let rows = try Row.fetchCursor(
                    database,
                    sql: """
                        SELECT part, object, position, lead(position) OVER (PARTITION BY object ORDER BY position)
                        FROM part
                        """)
                while let row = try rows.next() {
                    guard let part = Int64.fromDatabaseValue(row[0] as DatabaseValue), isWanted(part),
                        let object = Int64.fromDatabaseValue(row[1] as DatabaseValue),
                        let position = Int64.fromDatabaseValue(row[2] as DatabaseValue), position >= 0
                    else { continue }
                    let next = Int64.fromDatabaseValue(row[3] as DatabaseValue).flatMap(UInt64.init(exactly:))
                    occurrences.append(
                        PartOccurrence(part: part, object: object, position: UInt64(position), next: next))
                }
            }
        } catch { guard error.code == .damaged else { throw error } }
        return occurrences
    }

    func parts(of object: Int64) throws(BackupError) -> [(position: UInt64, part: Int64)] {
        try query { database in
            let statement = try database.cachedStatement(
                sql: "SELECT position, part FROM part WHERE object = ? ORDER BY position")
            let rows = try Row.fetchCursor(statement, arguments: [object])
            var parts: [(UInt64, Int64)] = []
            while let row = try rows.next() {
                guard let position = Int64.fromDatabaseValue(row[0] as DatabaseValue), position >= 0,
                    let part = Int64.fromDatabaseValue(row[1] as DatabaseValue)
                else { throw BackupError(.damaged, what: "the catalogue contains an invalid part") }
                parts.append((UInt64(position), part))
            }
            return parts
        }
    }

    /// Returns the verified bytes of an object that is not stored in parts.
    func verifiedContent(_ object: Int64, description: Description) throws(BackupError) -> [UInt8] {
        let bytes = try content(object, description: description)
        guard ContentHash(of: bytes) == description.hash else {
            throw damaged(description, reason: "its content changed")
        }
        return bytes
    }

    private func content(_ object: Int64, description: Description) throws(BackupError) -> [UInt8] {
        let size = Int(description.size)
        let bytes: [UInt8]?
        if description.form == .file {
            bytes = try file(of: description).withUnsafeBytes { decompressor.decompress($0, size: size) }
        } else {
            bytes = try frame(of: object, description).withUnsafeBytes { decompressor.decompress($0, size: size) }
        }
        guard let bytes else { throw damaged(description, reason: "its zstd frame is invalid") }
        return bytes
    }

    /// Returns the frame of a small object.
    private func frame(of object: Int64, _ description: Description) throws(BackupError) -> [UInt8] {
        let (hash, position, size) = try query { database in
            let statement = try database.cachedStatement(
                sql: "SELECT sha256, position, frame.size FROM frame JOIN pack ON pack.id = pack WHERE object = ?")
            guard let row = try Row.fetchOne(statement, arguments: [object]) else {
                throw damaged(description, reason: "its frame is missing from the catalogue")
            }
            guard let hash = Data.fromDatabaseValue(row[0] as DatabaseValue), hash.count == 32,
                let position = Int64.fromDatabaseValue(row[1] as DatabaseValue).flatMap(UInt64.init(exactly:)),
                let size = Int.fromDatabaseValue(row[2] as DatabaseValue), (0...PackRecord.packLimit).contains(size)
            else { throw damaged(description, reason: "the location of its frame is invalid") }
            return (ContentHash(bytes: Array(hash)), position, size)
        }
        do throws(FileSystemError) {
            if packs.first?.hash != hash {
                if let kept = packs.firstIndex(where: { $0.hash == hash }) {
                    packs.insert(packs.remove(at: kept), at: 0)
                } else {
                    let path = Repository.packsName.appending(hash.hexadecimal)
                    packs.insert((hash, try repositoryFolder.open(path, followingLinks: false)), at: 0)
                }
                if packs.count > Self.mostPacks { packs.removeLast() }
            }
            return try packs[0].file.read(upTo: size, from: position)
        } catch {
            throw damage(of: description, "pack", error: error)
        }
    }

    /// The number of packs that stay open. Files of a directory are usually in few packs.
    private static let mostPacks = 8

    private func file(of description: Description) throws(BackupError) -> [UInt8] {
        let name = description.hash.hexadecimal
        do throws(FileSystemError) {
            let file = try objects.open(FilePath("\(name.prefix(2))/\(name)"), followingLinks: false)
            return try file.contents(limit: 2 * ObjectWriter.partSize)
        } catch { throw damage(of: description, "file", error: error) }
    }

    /// Returns the error for a file with the content of an object that cannot be read.
    private func damage(of description: Description, _ file: String, error: FileSystemError) -> BackupError {
        switch error.errno {
        case .noSuchFileOrDirectory: damaged(description, reason: "its \(file) is missing")
        case .fileTooLarge: damaged(description, reason: "its \(file) is too large")
        // Limits of this process do not mean that the file is damaged.
        case .noMemory, .tooManyOpenFiles, .tooManyOpenFilesInSystem: BackupError(error)
        default: damaged(description, reason: "its \(file) cannot be read: \(error.errno)")
        }
    }

    private func query<Value>(_ body: (Database) throws -> Value) throws(BackupError) -> Value {
        do { return try catalogue.inDatabase(body) } catch { throw BackupError(error) }
    }

    private func damaged(_ description: Description, reason: String) -> BackupError {
        BackupError(.damaged, what: "object \(description.hash.hexadecimal) is damaged: \(reason)")
    }
}
