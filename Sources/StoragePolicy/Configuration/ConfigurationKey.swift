/// What a configuration can say: the one table that its reader, its schema, `explain` and `init` go by.
package enum ConfigurationKey: String, CaseIterable, Sendable {
    case extends, modules, now, rules, overrides, budgets, downloaded, synced, caches, ignore, suppressions, baseline
    case bundleIdentifier = "bundle-id"
    case sharesDocuments = "shares-documents"
    case documentTypes = "document-types"
    case rulesFolder = "rules-folder"
    case userData = "user-data"
    case mustExclude = "must-exclude"
    case mustInclude = "must-include"

    static let names = Set(allCases.map(\.rawValue))
    static let summaries = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0.summary) })

    /// What it is for, in a sentence or two.
    package var summary: String {
        switch self {
        case .extends:
            "Other configurations to build on: files, relative to this one. What is said here replaces what they say."
        case .bundleIdentifier: "The identifier of the app or group whose containers are linted."
        case .sharesDocuments:
            "Whether people see Documents in the Files app (UIFileSharingEnabled, LSSupportsOpeningDocumentsInPlace and "
                + "UISupportsDocumentBrowser of Info.plist)."
        case .documentTypes: "Extensions of the documents that people make with the app (CFBundleDocumentTypes)."
        case .modules: "The Swift modules whose classes may come in archives."
        case .now: "The moment that ages are counted back from, in universal time; --now comes first."
        case .rules:
            "Rules, each with a severity (error, warning, note or off) or with a severity and thresholds of its own."
        case .overrides:
            "The same for some paths only: a list of paths (globs) and rules. The last that matches decides."
        case .budgets: "How many bytes a rule with a budget allows."
        case .rulesFolder: "Folders with rules of your own, relative to this file."
        case .userData: "What a person made, imported or would miss, whatever it looks like."
        case .downloaded:
            "What is kept for use without a network on a person's wish; it may be flagged, also in Documents."
        case .mustExclude: "What must be kept out of backups."
        case .mustInclude: "What must go into backups."
        case .synced: "Stores that a server has as well, so that leaving them out of backups loses nothing."
        case .caches: "What can be made or fetched again, whatever it looks like."
        case .ignore: "What no rule reports."
        case .suppressions:
            "Findings that are right where they are: path (globs), rule (ids, numbers or groups) and reason; if wanted "
                + "owner, and until, the last day. One that is over, or that nothing comes under, is a finding."
        case .baseline:
            "A file of findings that are known and do not fail a run, relative to this one; `sandboxlint baseline write` "
                + "makes it."
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
        case .ignore: "ignore: [\"Documents/Debug/**\"]"
        case .suppressions:
            "suppressions:\n  - path: \"tmp/exports/**\"\n    rule: stale-tmp\n"
                + "    reason: sent with the next launch\n    until: 2026-06-30"
        case .baseline: "baseline: sandboxlint-baseline.txt"
        }
    }
}
