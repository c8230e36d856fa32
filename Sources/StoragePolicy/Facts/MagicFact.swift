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

/// A file's first bytes, as many as the formats' headers need. Reads 112 bytes.
enum FirstBytesFact: Fact {
    static let name = "first bytes"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> [UInt8]? { facts.item.source.bytes(112, at: 0) }
}
