import ArgumentParser
import StoragePolicy

/// The words by which rules are chosen, for a shell that completes them.
enum RuleWords {
    /// A list with commas, of which the last word is completed.
    static let list = CompletionKind.custom { _, _, typed in
        let said = typed.lastIndex(of: ",").map { typed[...$0] } ?? ""
        return (ids + RuleGroup.allCases.map(\.rawValue)).map { said + $0 }
    }

    /// One rule or group.
    static let one = CompletionKind.custom { _, _, _ in ids + RuleGroup.allCases.map(\.rawValue) }

    /// None where the rules cannot be read, which is no time to say so.
    private static var ids: [String] { (try? Catalogue.embedded().rules.map(\.id)) ?? [] }
}
