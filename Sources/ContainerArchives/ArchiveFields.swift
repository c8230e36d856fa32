internal import PropertyLists

/// The fields of an object in an archive.
struct ArchiveFields {
    private let values: [String: PropertyListValue]

    init(_ value: PropertyListValue) {
        values = Dictionary((value.pairs ?? []).map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// Returns a field. The archiver's own fields (`$class`) are not accessible.
    subscript(key: String) -> PropertyListValue? {
        // NSKeyedArchiver adds a second `$` to an app's key that begins with one.
        values[key.hasPrefix("$") ? "$" + key : key]
    }
}
