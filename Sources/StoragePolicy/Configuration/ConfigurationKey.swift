/// The keys of a configuration: the table that the reader, the schema, `explain` and `init` share.
package enum ConfigurationKey: String, CaseIterable, Sendable {
    case extends, modules, now, rules, overrides, budgets, downloaded, synced, caches, temporary, ignore, suppressions,
        baseline, sources
    case bundleIdentifier = "bundle-id"
    case sharesDocuments = "shares-documents"
    case documentTypes = "document-types"
    case rulesFolder = "rules-folder"
    case sourceRoot = "source-root"
    case userData = "user-data"
    case appState = "app-state"
    case mustExclude = "must-exclude"
    case mustInclude = "must-include"

    static let names = Set(allCases.map(\.rawValue))
    static let summaries = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.summary) })

    /// The purpose, in one or two sentences.
    package var summary: String {
        switch self {
        case .extends:
            "Configuration files to extend, relative to this file. Values in this file replace theirs."
        case .bundleIdentifier: "The bundle identifier of the app, or the identifier of the app group."
        case .sharesDocuments:
            "True if Documents is visible in the Files app (UIFileSharingEnabled, LSSupportsOpeningDocumentsInPlace and "
                + "UISupportsDocumentBrowser of Info.plist)."
        case .documentTypes: "File extensions of the app's documents (CFBundleDocumentTypes)."
        case .modules: "Swift modules whose classes may be stored in keyed archives."
        case .now: "The date that ages are computed from, in UTC; --now takes precedence."
        case .rules:
            "Rule settings: a severity (error, warning, note or off), or a severity and thresholds."
        case .overrides:
            "Rule settings for some paths: a list of globs and rules. The last match takes precedence."
        case .budgets: "The limits of rules that have a budget, in bytes."
        case .rulesFolder: "Folders of additional rules, relative to this file."
        case .userData: "User data: files that the user created or imported, or that must not be lost."
        case .downloaded:
            "Re-downloadable files kept for offline use at the user's request; they may be excluded from backup, also in Documents."
        case .mustExclude: "Files that must be excluded from backup."
        case .mustInclude: "Files that must be included in backups."
        case .synced: "Databases that a server also stores, so that they may be excluded from backup."
        case .caches: "Caches: regenerable or re-downloadable files."
        case .appState:
            "State of the app that the user would notice, such as settings, credentials and queues; not re-downloadable."
        case .temporary: "Files without a use after the operation that wrote them, such as logs, exports and leftovers."
        case .ignore: "Paths that no rule reports."
        case .suppressions:
            "Suppressions of findings: path (globs), rule (ids, numbers or groups) and reason; optionally owner, and "
                + "until (the last day). Expired and unused suppressions are reported."
        case .sources:
            "The source code that writes items, by glob: a file relative to this file, and a line. Reports refer to it for "
                + "items that do not record their source."
        case .sourceRoot:
            "Directories of the app's source code, relative to this file, or none. Reports show the lines that probably write "
                + "an item. The default is the git work tree that contains this file."
        case .baseline:
            "The baseline of accepted findings, which do not fail a run; relative to this file. Create it with "
                + "`sandboxlint baseline write`."
        }
    }

    /// A use of it, as YAML.
    package var example: String {
        switch self {
        case .extends: "extends: ../shared/sandboxlint.yml"
        case .bundleIdentifier: "bundle-id: com.example.app"
        case .sharesDocuments: "shares-documents: true"
        case .documentTypes: "document-types: [sketch]"
        case .modules: "modules: [Reader]"
        case .now: "now: 2026-01-31"
        case .rules: "rules:\n  redundant-exclusion: off\n  stale-tmp: { severity: note, days: 14 }"
        case .overrides: "overrides:\n  - paths: [\"tmp/exports/**\"]\n    rules: { stale-tmp: { days: 30 } }"
        case .budgets: "budgets: { regenerable-budget: 4MiB }"
        case .rulesFolder: "rules-folder: lint-rules"
        case .userData: "user-data: [\"Documents/*.sqlite\"]"
        case .downloaded: "downloaded: [\"Documents/Offline/**\"]"
        case .mustExclude: "must-exclude: [\"Library/Application Support/com.example.app/Maps/**\"]"
        case .mustInclude: "must-include: [\"Library/Application Support/com.example.app/store.sqlite\"]"
        case .synced: "synced: [\"Library/Application Support/com.example.app/mirror.sqlite\"]"
        case .caches: "caches: [\"Library/Application Support/com.example.app/Thumbnails/**\"]"
        case .appState: "app-state: [\"Library/Application Support/com.example.app/session.json\"]"
        case .temporary: "temporary: [\"Documents/Exports/**\"]"
        case .ignore: "ignore: [\"Documents/Debug/**\"]"
        case .suppressions:
            "suppressions:\n  - path: \"tmp/exports/**\"\n    rule: stale-tmp\n"
                + "    reason: uploaded at the next launch\n    until: 2026-06-30"
        case .sources: "sources:\n  \"Library/Caches/Covers/**\": Sources/CoverStore.swift:42"
        case .sourceRoot: "source-root: [Sources, ../shared/Sources]"
        case .baseline: "baseline: sandboxlint-baseline.txt"
        }
    }
}
