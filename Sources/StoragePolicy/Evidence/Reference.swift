/// A store of the app that names a file.
struct Reference: Sendable, Hashable {
    /// The store for reports, with the table and column of a database: `Documents/history.sqlite, recordings.path`.
    let store: String
    /// True if a value names this file, by its name alone or after that of its directory. False if only the bytes of its
    /// name occur, which may belong to another file, or to a row that was deleted.
    let isExact: Bool

    /// An exact one first, then in the order of the stores.
    func precedes(_ other: Reference) -> Bool {
        isExact != other.isExact ? isExact : store < other.store
    }
}
