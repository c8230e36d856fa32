internal import FileSystem
internal import TextOutput

/// Evidence from the columns of the databases that rules read anyway: fields of cached server responses against fields
/// of what the user has written and not yet sent.
package final class DatabaseEvidence: Sendable {
    package enum Kind: String, CaseIterable {
        case server = "server-columns"
        case user = "user-columns"
    }

    private struct Kept {
        var pieces: [[UInt8]: [PieceOfEvidence]] = [:]
        var isFull = false
    }
    private let kept = LockedValue(Kept())
    /// The most databases that are kept.
    private let limit: Int

    package init(limit: Int = 2_000) { self.limit = limit }

    /// Keeps the columns of a database's tables that are evidence.
    package func add(_ tables: [String: [String]], at path: [UInt8]) {
        var found: [PieceOfEvidence] = []
        for (kind, words) in [(Kind.server, Self.server), (.user, Self.user)] {
            let column = tables.values.joined().filter { Self.words(of: $0).contains(where: words.contains) }.min()
            if let column { found.append(PieceOfEvidence(kind, 1, PieceOfEvidence.shown(Array(column.utf8)))) }
        }
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

    /// The evidence by the paths of databases, and whether some were left out.
    package func take() -> (pieces: [[UInt8]: [PieceOfEvidence]], isFull: Bool) {
        kept.withLock { kept in
            trim(&kept)
            return (kept.pieces, kept.isFull)
        }
    }

    private static func words(of name: String) -> Set<PackedWord> {
        var words: Set<PackedWord> = []
        Array(name.utf8).withUnsafeBytes { bytes in NameWords.forEach(in: bytes) { words.insert($0) } }
        return words
    }

    private static func packed(_ words: [String]) -> Set<PackedWord> { Set(words.compactMap { NameWords.packed($0) }) }

    private static let server = packed(["etag", "expiry", "expires", "fetched", "cached", "ttl", "maxage"])
    private static let user = packed([
        "draft", "drafts", "outbox", "pending", "dirty", "unsent", "note", "notes", "starred",
    ])
}
