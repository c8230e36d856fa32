internal import AppContainer

/// The known files and directories of SDKs.
struct Registry: Sendable {
    let entries: [RegistryEntry]
    /// Paths that are the newer location of another entry.
    let successors: Set<String>

    init(entries: [RegistryEntry]) {
        self.entries = entries
        successors = Set(entries.compactMap(\.supersededBy))
    }
}

/// One path that an SDK writes, and what it holds.
struct RegistryEntry: Sendable {
    /// The effect of losing the item.
    enum Holds: String, CaseIterable, Sendable {
        case regenerable, diagnostics, companion
        case userData = "user-data"
        case deviceBound = "device-bound"
    }
    /// The SDK's own handling of the backup exclusion.
    enum Flagged: String, CaseIterable, Sendable {
        case never, option, unknown
        case bySDK = "by-sdk"
        case notNeeded = "not-needed"
    }
    /// The evidence for the path and for what it holds.
    enum Verified: String, CaseIterable, Sendable {
        /// The source or the documentation of the SDK names the path.
        case source
        /// A public report by users or maintainers of the SDK names the path.
        case thread
        /// The same path is in the containers of at least two different apps. No public source confirms it, so this is
        /// strong evidence but not proof.
        case layouts
        /// The source of a database engine names its files. What an app stores in them is another question, so that it is no proof,
        /// and their content is weighed.
        case format
    }

    let sdk: String
    private(set) var path: PathGlob
    let holds: Holds
    let flagged: Flagged
    let verified: Verified
    /// The expiry of the content, if the SDK defines one.
    let expiry: Expiry?
    /// The bytes to which the SDK keeps the whole of it, where it does.
    let limit: UInt64?
    /// The path, as another entry of the same SDK has it, at which newer versions keep the same.
    let supersededBy: String?

    /// `expires: modification-date`, where the SDK writes the end of a file's life as its date, or the time
    /// after its last change: `expires: 7d`.
    enum Expiry: Sendable, Hashable {
        case modificationDate
        case after(Int64)

        fileprivate init(_ value: YAMLValue) throws(SourceError) {
            self = try value.string() == "modification-date" ? .modificationDate : .after(value.duration())
        }
    }

    /// The same for an app of this identifier. Where that is not known, the directory may be that of other software, so that the
    /// rest of the path must be specific: nil for a name such as `cache.db`, which the system may not purge.
    func resolved(_ bundleIdentifier: String?) -> RegistryEntry? {
        guard path.namesBundleIdentifier else { return self }
        let isInCaches = path.text.hasPrefix(Location.caches.path + "/")
        guard bundleIdentifier != nil || isSpecific || isInCaches else { return nil }
        var entry = self
        entry.path = PathGlob(path.text, bundleIdentifier: bundleIdentifier)
        return entry
    }
}

extension RegistryEntry {
    /// Directories of every container, and names of logs that any app uses.
    private static let common: Set<String> = [
        "Documents", "Library", "Caches", "Application Support", "Preferences", "tmp", "Logs",
    ]

    /// The literal parts of the names in the path that are not directories of every container.
    var ownNames: [[UInt8]] {
        path.components.compactMap { component in
            guard case .name(let glob) = component, !Self.common.contains(glob.text) else { return nil }
            return glob.part
        }
    }

    /// True if a name in the path contains a word of the SDK's name, or is long.
    private var isSpecific: Bool {
        let words = sdk.lowercased().split { !$0.isLetter }.filter { $0.count >= 4 }
        return ownNames.contains { name in
            let text = String(decoding: name, as: UTF8.self).lowercased()
            return name.count >= 10 || words.contains { text.contains($0) }
        }
    }
}

extension Registry {
    /// The entries of one SDK's file, for an app of any identifier. Of a proven file, which is one of this build, the
    /// sources are not read: the tests of the build read them.
    ///
    /// - Throws: The first error, with its line and column.
    static func entries(_ top: YAMLValue, isProven: Bool = false) throws(SourceError) -> [RegistryEntry] {
        let fields = try top.fields(["sdk", "summary", "homepage", "sources", "entries"])
        let sdk = try top.required("sdk", of: fields).shownString()
        _ = try top.required("summary", of: fields).string()
        for source in isProven ? [] : try top.required("sources", of: fields).list() {
            let fields = try source.fields(["url", "shows"])
            _ = try source.required("url", of: fields).string()
        }
        var entries: [RegistryEntry] = []
        for value in try top.required("entries", of: fields).list() {
            let fields = try value.fields([
                "path", "holds", "flagged", "verified", "note", "expires", "limit", "superseded-by",
            ])
            entries.append(
                RegistryEntry(
                    sdk: sdk,
                    path: PathGlob(try value.required("path", of: fields).shownString()),
                    holds: try value.required("holds", of: fields).word(
                        "kind of content", type: RegistryEntry.Holds.self),
                    flagged: try value.required("flagged", of: fields).word("value", type: RegistryEntry.Flagged.self),
                    verified: try value.required("verified", of: fields).word(
                        "answer", type: RegistryEntry.Verified.self),
                    expiry: try fields["expires"].map { value throws(SourceError) in
                        try RegistryEntry.Expiry(value)
                    },
                    limit: try fields["limit"]?.size(),
                    supersededBy: try fields["superseded-by"]?.string()))
        }
        for entry in entries {
            guard let path = entry.supersededBy, !entries.contains(where: { $0.path.text == path }) else { continue }
            throw top.error("“\(entry.path.text)” is superseded by “\(path)”, which is not an entry of this file")
        }
        return entries
    }
}
