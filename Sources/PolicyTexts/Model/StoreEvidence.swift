internal import FileSystem
package import PropertyLists
internal import TextOutput

/// Evidence from the databases and property lists that rules read anyway: a mirror of server data against what the user has
/// written, and an index of text that is stored elsewhere.
package final class StoreEvidence: Sendable {
    package enum Kind: String, CaseIterable {
        case server = "server-columns"
        case user = "user-columns"
        case textIndex = "text-index"
        case log = "log-columns"
    }

    private struct Kept {
        var pieces: [[UInt8]: [PieceOfEvidence]] = [:]
        var isFull = false
    }
    private let kept = LockedValue(Kept())
    /// The most files whose evidence is kept.
    private let limit: Int

    package init(limit: Int = 2_000) { self.limit = limit }

    /// Keeps the evidence in the fields of a property list.
    package func add(_ list: PropertyListGraph, at path: [UInt8]) { add(FieldEvidence(list).pieces, at: path) }

    /// Keeps the evidence in a database's tables.
    package func add(_ found: [PieceOfEvidence], at path: [UInt8]) {
        guard !found.isEmpty else { return }
        kept.withLock { kept in
            kept.pieces[path] = found
            guard kept.pieces.count > limit * 2 else { return }
            trim(&kept)
        }
    }

    /// Keeps the first by their paths, so that the order of arrival does not show.
    private func trim(_ kept: inout Kept) {
        guard kept.pieces.count > limit else { return }
        kept.isFull = true
        let paths = kept.pieces.keys.sorted { $0.lexicographicallyPrecedes($1) }
        for path in paths.dropFirst(limit) { kept.pieces[path] = nil }
    }

    /// The evidence by the paths of files, and whether some were left out.
    package func removeAll() -> (pieces: [[UInt8]: [PieceOfEvidence]], isFull: Bool) {
        kept.withLock { kept in
            trim(&kept)
            return (kept.pieces, kept.isFull)
        }
    }
}
