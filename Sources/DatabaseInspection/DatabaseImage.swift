internal import FileSystem
internal import GRDB
internal import GRDBSQLite

#if os(Linux)
/// The bytes of a small database, from which SQLite reads without a file.
///
/// A copy in a directory costs several times as much for a small database. A database with a write-ahead log or a
/// journal needs such a copy, because SQLite changes it. Apple's SQLite is not documented to have
/// `sqlite3_deserialize`.
struct DatabaseImage {
    /// The maximum size in bytes.
    private static let largest: UInt64 = 4 << 20
    /// The positions of the format's versions in the header, and the values for a write-ahead log and for a journal.
    private static let versions = (positions: 18...19, log: 2 as UInt8, journal: 1 as UInt8)

    private var bytes: [UInt8] = []

    /// Reads a database as it was at one moment.
    ///
    /// Returns nil for a database that needs a copy: one that is larger than the maximum or `limit`, has a log or a
    /// journal with content, cannot be read or is being changed.
    init?(of source: some DatabaseSource, limit: UInt64) {
        let before = DatabaseState(source)
        guard before.size <= min(Self.largest, limit), let main = before.files.first(where: { $0.file == .main }),
            main.status.size == before.size
        else { return nil }
        before.times.max()?.waitUntilPast()
        bytes.reserveCapacity(Int(main.status.size))
        while bytes.count < Int(main.status.size) {
            let rest = Int(main.status.size) - bytes.count
            guard let piece = source.bytes(min(rest, 1 << 20), at: UInt64(bytes.count), of: .main), !piece.isEmpty
            else {
                return nil
            }
            bytes += piece
        }
        guard bytes.count >= DatabaseHeader.size, DatabaseState(source) == before else { return nil }
        // Without a file there is no log; a database without one has the same content in both versions.
        for position in Self.versions.positions where bytes[position] == Self.versions.log {
            bytes[position] = Self.versions.journal
        }
    }

    /// Makes an empty connection read the image.
    func open(in database: Database) throws {
        let size = Int64(bytes.count)
        guard let connection = database.sqliteConnection, let memory = sqlite3_malloc64(UInt64(size)) else {
            throw DatabaseReadError(.noCopy)
        }
        bytes.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        // SQLite frees the memory, also after an error.
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
        let result = sqlite3_deserialize(
            connection, "main", memory.assumingMemoryBound(to: UInt8.self), size, size, flags)
        guard result == SQLITE_OK else { throw DatabaseReadError(.noCopy) }
        // Reads the schema, as GRDB does when it opens a file.
        try database.execute(sql: "SELECT * FROM sqlite_master LIMIT 1")
    }
}
#endif
