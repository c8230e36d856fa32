internal import ContainerTree
internal import DatabaseInspection
internal import PolicyTexts

/// Finds the database that a file is a part of, whose class it has: its log, its lock, or data that it stores outside.
///
/// Sources: sqlite.org/tempfiles.html; Core Data's directory for external data; the files of Realm in
/// `rules/registry/realm.yml`.
enum OwningDatabase {
    private static let realm = Array(".realm".utf8)
    private static let realmParts = [".lock", ".note"].map { Array($0.utf8) }
    private static let realmFolder = Array(".realm.management".utf8)
    private static let supportFolder = Array("_SUPPORT".utf8)
    /// Core Data names the directory after the database, less its extension.
    private static let extensions =
        ["sqlite", "store", "db", "sqlite3", "storedata", "sqlitedb", "data"]
        .map { Array(".\($0)".utf8) } + [[]]

    /// Returns the possible names of the database of a file in the same directory; empty for most files.
    static func names(ofPart name: UnsafeRawBufferPointer) -> [[UInt8]] {
        switch name.last {
        case UInt8(ascii: "l"), UInt8(ascii: "m"):
            guard let dash = name.lastIndex(of: UInt8(ascii: "-")), name.count - dash <= 8 else { return [] }
            // The log of a log is a file of its own.
            return DatabaseFileNames.mains(ofCompanion: Array(name))
                .filter { !$0.isEmpty && !DatabaseFileNames.isCompanion($0[...]) }
        case UInt8(ascii: "k"), UInt8(ascii: "e"):
            guard name.count > 11, name.dropLast(5).suffix(6).elementsEqual(realm) else { return [] }
            return realmParts.filter { name.suffix($0.count).elementsEqual($0) }
                .map { Array(name.dropLast($0.count)) }
        default: return []
        }
    }

    /// Returns true if a file has the name of a database that may keep a part of its data in a directory.
    static func mayOwnDirectory(_ name: UnsafeRawBufferPointer) -> Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), name.count - dot <= 10 else { return false }
        return name[dot...].elementsEqual(realm) || extensions.contains { name[dot...].elementsEqual($0) }
    }

    /// Returns the possible paths of the database that keeps a part of its data in a directory; empty for most directories.
    static func paths(ofDirectory path: [UInt8]) -> [[UInt8]] {
        if path.suffix(realmFolder.count).elementsEqual(realmFolder) {
            return [Array(path.dropLast(realmFolder.count - realm.count))]
        }
        guard ExternalDataPredicate.isFolder(path) else { return [] }
        let support = ItemPath.parent(path)
        let stem = ItemPath.name(support).dropLast(supportFolder.count)
        guard stem.first == UInt8(ascii: "."), stem.count > 1 else { return [] }
        return extensions.map { ItemPath.joined(ItemPath.parent(support), name: Array(stem.dropFirst()) + $0) }
    }

    /// Returns the possible paths of the database that the file at a path is a part of; empty for most files.
    static func paths(ofPart path: [UInt8]) -> [[UInt8]] {
        let parent = ItemPath.parent(path)
        return ItemPath.name(path).withUnsafeBytes(names).map { ItemPath.joined(parent, name: $0) }
            + paths(ofDirectory: parent)
    }
}
