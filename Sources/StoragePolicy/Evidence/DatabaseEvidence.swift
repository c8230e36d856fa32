internal import Synchronization

/// Evidence from the columns of the databases that rules read anyway: fields of cached server responses against fields
/// of what the user has written and not yet sent.
final class DatabaseEvidence: Sendable {
    private let pieces = Mutex<[[UInt8]: [PieceOfEvidence]]>([:])
    private static let most = 2_000

    func add(_ tables: [String: [String]], at path: [UInt8]) {
        var found: [PieceOfEvidence] = []
        for (id, words) in [("server-columns", Self.server), ("user-columns", Self.user)] {
            let column = tables.values.joined().filter { Self.words(of: $0).contains(where: words.contains) }.min()
            if let column { found.append(PieceOfEvidence(id, 1, String(column.prefix(40)))) }
        }
        guard !found.isEmpty else { return }
        pieces.withLock { if $0.count < Self.most { $0[path] = found } }
    }

    func pieces(at path: [UInt8]) -> [PieceOfEvidence] { pieces.withLock { $0[path] ?? [] } }

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
