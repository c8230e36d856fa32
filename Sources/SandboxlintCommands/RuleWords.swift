import ArgumentParser
import StoragePolicy

/// The shell completions for rule ids and groups.
enum RuleWords {
    /// A comma-separated list whose last word is completed.
    static let list = CompletionKind.custom { _, _, typed in
        let said = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
        return (ids + RuleGroup.allCases.map(\.rawValue)).map { said + $0 }
    }

    /// One rule or group.
    static let one = CompletionKind.custom { _, _, _ in ids + RuleGroup.allCases.map(\.rawValue) }

    /// The ids of all rules; empty if the rules cannot be read, because a completion must not print errors.
    private static var ids: [String] { (try? Catalogue.embedded().rules.map(\.id)) ?? [] }
}
