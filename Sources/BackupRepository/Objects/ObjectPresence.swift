internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

/// The objects whose content is in the repository with its full size, without a look at the content. Only `Verifier` reads
/// it. Thread-safe.
///
/// An object in the catalogue may have no content any more: its file was deleted, truncated or replaced. A writer therefore
/// refers only to objects that it has stored itself or that are present. Each file is examined once.
package final class ObjectPresence: Sendable {
    private struct State {
        /// The objects outside the catalogue, in ascending order, and their states.
        var externals: [Int64] = []
        var states: [UInt8] = []
        /// Objects of form `frame` without a frame, or whose pack is missing or has another size.
        var frameless: Set<Int64> = []
    }
    private enum Known { static let (unknown, present, missing): (UInt8, UInt8, UInt8) = (0, 1, 2) }

    private let repository: Repository
    private let state: LockedValue<State>

    /// Lists the objects of a catalogue.
    package init(of repository: Repository) throws(BackupError) {
        self.repository = repository
        var state = State()
        (state.externals, state.frameless) = try repository.withCatalogue { database in
            (
                try Int64.fetchAll(database, sql: "SELECT id FROM object WHERE form <> 0 ORDER BY id"),
                try Int64.fetchSet(
                    database,
                    sql: "SELECT id FROM object WHERE form = 0 AND id NOT IN (SELECT object FROM frame)")
            )
        }
        let lost = try Self.lostPacks(of: repository)
        if !lost.isEmpty {
            let packs = lost.map(String.init).joined(separator: ",")
            try state.frameless.formUnion(
                repository.withCatalogue {
                    try Int64.fetchSet($0, sql: "SELECT object FROM frame WHERE pack IN (\(packs))")
                })
        }
        state.states = Array(repeating: Known.unknown, count: state.externals.count)
        self.state = LockedValue(state)
    }

    /// Returns the packs whose file is missing or has another size than their row states.
    private static func lostPacks(of repository: Repository) throws(BackupError) -> [Int64] {
        let packs = try? repository.folder.openFolder(noFollow: Repository.packsName)
        return try repository.withCatalogue { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT id, sha256, size FROM pack")
            var lost: [Int64] = []
            while let row = try rows.next() {
                let name = Data.fromDatabaseValue(row[1] as DatabaseValue) ?? Data()
                let path = FilePath(ContentHash(bytes: Array(name)).hexadecimal)
                guard let status = (try? packs?.statusIfPresent(path)) ?? nil, status.kind == .file,
                    status.size == UInt64.fromDatabaseValue(row[2] as DatabaseValue)
                else {
                    if let id = Int64.fromDatabaseValue(row[0] as DatabaseValue) { lost.append(id) }
                    continue
                }
            }
            return lost
        }
    }

    /// Records that this run has stored an object. Returns true if its content was found to be missing.
    func add(_ object: Int64) -> Bool {
        state.withLock { state in
            guard let index = Self.index(of: object, in: state.externals) else {
                return state.frameless.remove(object) != nil
            }
            defer { state.states[index] = Known.present }
            return state.states[index] == Known.missing
        }
    }

    /// Returns true if an object is present. An object in parts is present with all its parts.
    package func contains(_ object: Int64) throws(BackupError) -> Bool {
        if let known = known(object).isPresent { return known }
        return try repository.withCatalogue { try contains(object, in: $0) }
    }

    /// As above, within a use of the catalogue.
    func contains(_ object: Int64, in database: Database) throws -> Bool {
        let (known, index) = known(object)
        if let known { return known }
        let isPresent = try isPresent(object, in: database)
        state.withLock { $0.states[index] = isPresent ? Known.present : Known.missing }
        return isPresent
    }

    /// Returns the state of an object; nil if it is outside the catalogue and not examined yet, with its index.
    private func known(_ object: Int64) -> (isPresent: Bool?, index: Int) {
        state.withLock { state -> (Bool?, Int) in
            guard let index = Self.index(of: object, in: state.externals) else {
                return (!state.frameless.contains(object), 0)
            }
            let known = state.states[index]
            return (known == Known.unknown ? nil : known == Known.present, index)
        }
    }

    private func isPresent(_ object: Int64, in database: Database) throws -> Bool {
        let find = try database.cachedStatement(sql: "SELECT sha256, size, form FROM object WHERE id = ?")
        guard let row = try Row.fetchOne(find, arguments: [object]),
            let hash = Data.fromDatabaseValue(row[0] as DatabaseValue), hash.count == 32,
            let size = UInt64.fromDatabaseValue(row[1] as DatabaseValue),
            let form = Int.fromDatabaseValue(row[2] as DatabaseValue).flatMap(ObjectForm.init)
        else { return false }
        let expected = ContentHash(bytes: Array(hash))
        guard form == .parts else { return isFileWhole(expected, size: size) }
        let select = try database.cachedStatement(
            sql: """
                SELECT position, part, sha256 FROM part JOIN object ON object.id = part WHERE part.object = ?
                AND form <> 2 ORDER BY position
                """)
        var list = PartList()
        for row in try Row.fetchAll(select, arguments: [object]) {
            guard let position = UInt64.fromDatabaseValue(row[0] as DatabaseValue),
                let part = Int64.fromDatabaseValue(row[1] as DatabaseValue),
                let hash = Data.fromDatabaseValue(row[2] as DatabaseValue), try contains(part, in: database)
            else { return false }
            list.add(part, hash: ContentHash(bytes: Array(hash)), at: position)
        }
        return list.hash(size: size) == expected
    }

    /// Returns true if the file of an object is a zstd frame that ends where the file ends.
    private func isFileWhole(_ hash: ContentHash, size: UInt64) -> Bool {
        let name = hash.hexadecimal
        guard let file = try? repository.objects.open(FilePath("\(name.prefix(2))/\(name)"), followingLinks: false),
            let status = try? file.status(), status.kind == .file
        else { return false }
        return ZstdFrame.end(contentSize: size) { try? file.read(upTo: $1, from: $0) } == status.size
    }

    private static func index(of object: Int64, in sorted: [Int64]) -> Int? {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < object { low = middle + 1 } else { high = middle }
        }
        return low < sorted.count && sorted[low] == object ? low : nil
    }
}

/// The structure of a zstd frame, without its content.
///
/// Source: RFC 8878, 3.1.1.
enum ZstdFrame {
    private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
    /// The maximum size of the frame's header in bytes.
    private static let mostHeader = 18

    /// Finds the end of a frame by the sizes of its blocks.
    ///
    /// - Parameters:
    ///   - contentSize: The size of the content in bytes.
    ///   - read: Returns at most a number of bytes at a position.
    /// - Returns: The position after the frame; nil if it is not a frame with a content of this size.
    static func end(contentSize: UInt64, read: (_ position: UInt64, _ count: Int) -> [UInt8]?) -> UInt64? {
        guard let header = read(0, mostHeader), header.count > magic.count, header.starts(with: magic) else {
            return nil
        }
        func number(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        let descriptor = header[magic.count]
        let (sizeFlag, isSingle) = (Int(descriptor >> 6), descriptor & 0x20 != 0)
        let sizeStart = magic.count + 1 + (isSingle ? 0 : 1) + [0, 1, 2, 4][Int(descriptor & 3)]
        let sizeCount = sizeFlag == 0 && isSingle ? 1 : [0, 2, 4, 8][sizeFlag]
        guard sizeCount > 0, header.count >= sizeStart + sizeCount,
            number(header[sizeStart..<(sizeStart + sizeCount)]) + (sizeFlag == 1 ? 256 : 0) == contentSize
        else { return nil }
        var position = UInt64(sizeStart + sizeCount)
        while let bytes = read(position, 3), bytes.count == 3 {
            let block = number(bytes)
            // A block of type 1 is one byte that is repeated.
            position += 3 + (block >> 1 & 3 == 1 ? 1 : block >> 3)
            if block & 1 == 1 { return position + (descriptor & 4 == 0 ? 0 : 4) }
        }
        return nil
    }
}
