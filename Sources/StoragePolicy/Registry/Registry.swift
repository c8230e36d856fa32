/// What is known of what SDKs leave on disk.
struct Registry: Sendable {
    let entries: [RegistryEntry]
}

/// One path that an SDK writes, and what it holds.
struct RegistryEntry: Sendable {
    /// What losing it would mean.
    enum Holds: String, CaseIterable, Sendable {
        case regenerable, diagnostics, companion
        case userData = "user-data"
        case deviceBound = "device-bound"
    }
    /// What the SDK itself does about the flag.
    enum Flagged: String, CaseIterable, Sendable {
        case never, option, unknown
        case bySDK = "by-sdk"
        case notNeeded = "not-needed"
    }
    /// How it is known.
    enum Verified: String, CaseIterable, Sendable { case source, thread }

    let sdk: String
    let path: PathGlob
    let holds: Holds
    let flagged: Flagged
    let verified: Verified

    /// The same for an app of this identifier.
    func resolved(_ bundleIdentifier: String?) -> RegistryEntry {
        RegistryEntry(
            sdk: sdk, path: PathGlob(path.text, bundleIdentifier: bundleIdentifier), holds: holds, flagged: flagged,
            verified: verified)
    }
}

extension Registry {
    /// The entries of one SDK's file.
    ///
    /// - Throws: What is wrong, at its line and column.
    static func entries(
        file: String, text: String, bundleIdentifier: String?
    ) throws(SourceError) -> [RegistryEntry] {
        let top = try YAMLValue(file: file, text: text)
        let fields = try top.fields(["sdk", "summary", "homepage", "sources", "entries"])
        let sdk = try top.required("sdk", of: fields).string()
        _ = try top.required("summary", of: fields).string()
        let sources = try top.required("sources", of: fields).list()
        for source in sources {
            let fields = try source.fields(["url", "shows"])
            _ = try source.required("url", of: fields).string()
        }
        var entries: [RegistryEntry] = []
        for value in try top.required("entries", of: fields).list() {
            let fields = try value.fields(["path", "holds", "flagged", "verified", "note"])
            entries.append(
                RegistryEntry(
                    sdk: sdk,
                    path: PathGlob(
                        try value.required("path", of: fields).string(), bundleIdentifier: bundleIdentifier),
                    holds: try value.required("holds", of: fields).word("kind of content", RegistryEntry.Holds.self),
                    flagged: try value.required("flagged", of: fields).word("answer", RegistryEntry.Flagged.self),
                    verified: try value.required("verified", of: fields).word(
                        "answer", RegistryEntry.Verified.self)))
        }
        return entries
    }
}
