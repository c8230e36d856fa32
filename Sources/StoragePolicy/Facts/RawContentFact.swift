internal import AppContainer

/// Stored paths and secrets in the raw bytes of a file of any format: databases, and files too damaged or too large to
/// parse. Reads the file once, up to 256 MiB; at most 200 of each.
enum RawContentFact: Fact {
    static let name = "bytes"
    static let cost = Cost.read
    private static let most = 200

    struct Value: Sendable {
        var paths: [StoredPath] = []
        var secrets: [SecretShape.Match] = []
    }

    static func value(of facts: ItemFacts) -> Value {
        var value = Value()
        facts.scan { bytes, starts in
            value.paths += StoredPath.paths(in: bytes, from: starts, most: most - value.paths.count)
            value.secrets += SecretShape.strong(in: bytes, from: starts, most: most - value.secrets.count)
            return value.paths.count < most || value.secrets.count < most
        }
        return value
    }
}
