internal import PropertyLists

/// What an archive says of one object, by field.
struct ArchiveFields {
    private let values: [String: PropertyListValue]

    init(_ value: PropertyListValue) {
        values = Dictionary((value.pairs ?? []).map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// A field as it stands in the file; the archiver's own (`$class`) have a name that no app can ask for.
    subscript(key: String) -> PropertyListValue? {
        // How NSKeyedArchiver keeps an app's keys apart from its own.
        values[key.hasPrefix("$") ? "$" + key : key]
    }
}
