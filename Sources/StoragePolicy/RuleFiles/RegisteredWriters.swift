/// The SDKs that write files, by the embedded registry of the rules.
package enum RegisteredWriters {
    /// Read at the first question: most runs ask none.
    private static let entries =
        (try? Catalogue.embedded())?.registry(bundleIdentifier: nil).entries.filter(\.namesWriter) ?? []

    /// Returns the name of the SDK that writes a file, by its path relative to the container; nil if none is known.
    package static func name(of path: [UInt8]) -> String? { entries.first { $0.path.matches(path) }?.sdk }
}

extension RegistryEntry {
    /// Directories of every container, and names of logs that any app uses.
    private static let common: Set<String> = [
        "Documents", "Library", "Caches", "Application Support", "Preferences", "tmp", "Logs",
    ]

    /// True if the path has a name that only this SDK uses. Files of a database engine, such as `*.realm`, have names of the
    /// app.
    fileprivate var namesWriter: Bool {
        guard verified == .source || verified == .thread else { return false }
        return path.components.contains { component in
            guard case .name(let glob) = component, !Self.common.contains(glob.text) else { return false }
            return glob.part.count >= 4 && glob.part.first != UInt8(ascii: ".")
        }
    }
}
