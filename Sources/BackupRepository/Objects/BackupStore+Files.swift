internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

extension BackupStore {
    /// What lies among the objects and no row names, by path, sorted.
    ///
    /// - Throws: `damaged` where a row does not say which file it names: any might be that one.
    func unnamedFiles() throws(BackupError) -> [FilePath] {
        let known = try catalogue { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT sha256 FROM object WHERE form = 1")
            var known: Set<String> = []
            while let row = try rows.next() {
                guard let hash = Data.fromDatabaseValue(row[0] as DatabaseValue), hash.count == 32 else {
                    throw BackupError(.damaged, "the catalogue holds an object whose hash cannot be")
                }
                known.insert(ContentHash(bytes: Array(hash)).hexadecimal)
            }
            return known
        }
        var unnamed: [FilePath] = []
        do throws(FileSystemError) {
            for place in try objects.names() {
                guard try objects.status(place).kind == .directory else {
                    unnamed.append(place)
                    continue
                }
                for name in try objects.folder(noFollow: place).names()
                where !known.contains(name.string) || place.string != name.string.prefix(2) {
                    unnamed.append(place.appending(name.components))
                }
            }
        } catch { throw BackupError(error) }
        return unnamed.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}

/// Tells of files among a store's objects that no row names what they are. For one thread.
final class UnnamedFiles {
    /// What such a file is.
    enum Nature {
        /// A run that was ended left it where its content belongs.
        case leftover
        /// It has an object's place and holds none.
        case damaged
        /// It holds what a row has lost: `verify --repair` puts it where it belongs.
        case lost
        /// It is not the store's.
        case foreign
    }

    private let store: BackupStore
    private let reader: ObjectReader
    private let decompressor: Decompressor

    init(_ store: BackupStore) throws(BackupError) {
        self.store = store
        reader = try ObjectReader(store)
        decompressor = try Decompressor()
    }

    /// What lies at a path that `unnamedFiles` gave.
    func nature(of path: FilePath) throws(BackupError) -> Nature {
        let name = path.lastComponent?.string ?? ""
        let isPlaced =
            name.utf8.count == 64 && name.utf8.allSatisfy("0123456789abcdef".utf8.contains)
            && path.string == "\(name.prefix(2))/\(name)"
        let frame: [UInt8]
        do throws(FileSystemError) {
            guard try store.objects.status(path).kind == .file else { return .foreign }
            frame = try store.objects.open(path, followingLinks: false).contents(limit: 2 * ObjectAdder.partSize)
        } catch { return .foreign }
        guard let content = frame.withUnsafeBytes({ decompressor.content(of: $0, limit: ObjectAdder.partSize) }) else {
            return isPlaced ? .damaged : .foreign
        }
        let hash = ContentHash(of: content)
        if try isLost(hash) { return .lost }
        guard isPlaced else { return .foreign }
        return hash.hexadecimal == name ? .leftover : .damaged
    }

    /// What `prune` removes of such files, and what stays.
    func sorted(_ files: [FilePath]) throws(BackupError) -> (leftovers: [FilePath], others: [FilePath]) {
        var (leftovers, others): ([FilePath], [FilePath]) = ([], [])
        for file in files {
            switch try nature(of: file) {
            case .leftover, .damaged: leftovers.append(file)
            case .lost, .foreign: others.append(file)
            }
        }
        return (leftovers, others)
    }

    /// Whether a row has this hash, and what it names is not there or not whole.
    private func isLost(_ hash: ContentHash) throws(BackupError) -> Bool {
        let object = try store.catalogue { database in
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT id FROM object WHERE sha256 = ?"), arguments: [Data(hash.bytes)])
        }
        guard let object else { return false }
        do { try reader.read(object) { _, _ in } } catch {
            let error = BackupError(error)
            guard error.code == .damaged else { throw error }
            return true
        }
        return false
    }
}
