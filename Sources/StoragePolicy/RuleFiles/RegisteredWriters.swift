/// The SDKs that write files, by the embedded registry of the rules.
package enum RegisteredWriters {
    /// Read at the first question: most runs ask none.
    private static let entries =
        (try? Catalogue.embedded())?.registry(bundleIdentifier: nil).entries.filter(\.namesWriter) ?? []

    /// Returns the name of the SDK that writes a file, by its path relative to the container; nil if none is known.
    package static func name(of path: [UInt8]) -> String? { entries.first { $0.path.matches(path) }?.sdk }
}

extension RegistryEntry {
    /// True if the path has a name that only this SDK uses. Files of a database engine, such as `*.realm`, have names of the
    /// app.
    fileprivate var namesWriter: Bool {
        guard verified == .source || verified == .thread else { return false }
        return ownNames.contains { $0.count >= 4 && $0.first != UInt8(ascii: ".") }
    }
}
