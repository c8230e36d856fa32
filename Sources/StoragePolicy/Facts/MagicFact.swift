internal import ContainerTree
internal import FileSystem

/// The format that a file's first bytes show. Reads 64 bytes.
enum MagicFact: Fact {
    static let name = "magic"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> Magic? {
        guard facts.item.status.kind == .file, facts.item.status.size >= Magic.shortest else { return nil }
        return facts[FirstBytesFact.self].flatMap { Magic($0) }
    }
}

/// A file's first bytes: at least as many as the formats' headers need, and all of a small file. Reads 4 KiB.
enum FirstBytesFact: Fact {
    static let name = "first bytes"
    static let cost = Cost.read
    static let limit = 4 << 10

    static func value(of facts: ItemFacts) -> [UInt8]? {
        guard facts.item.status.kind == .file else { return nil }
        return facts.item.entry.bytes(Int(min(facts.item.status.size, UInt64(limit))), at: 0)
    }
}
