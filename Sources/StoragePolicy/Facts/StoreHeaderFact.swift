internal import DatabaseInspection

/// What an SQLite database's first bytes say of it. Reads no more than those.
enum StoreHeaderFact: Fact {
    static let name = "store header"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> DatabaseHeader? {
        facts[FirstBytesFact.self].flatMap { DatabaseHeader($0) }
    }
}
