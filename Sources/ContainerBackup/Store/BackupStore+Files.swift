internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

extension BackupStore {
    /// What lies among the objects and no row names, by path, sorted.
    func unnamedFiles() throws(FileSystemError) -> [FilePath] {
        let rows = try? catalogue { try Data.fetchAll($0, sql: "SELECT sha256 FROM object WHERE form = 1") }
        let known = Set((rows ?? []).map { ContentHash(bytes: Array($0)).hexadecimal })
        var unnamed: [FilePath] = []
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
        return unnamed.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
