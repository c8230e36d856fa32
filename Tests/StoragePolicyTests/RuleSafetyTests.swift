@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("A rule that only guesses") struct RuleSafetyTests {
    private static let rules = (try? Catalogue.embedded())?.rules ?? []

    /// Predicates that rest on proof: a source, an attribute, the configuration or the content.
    private static let proofs: Set<String> = [
        "archive", "attribute", "attributes", "contains", "content", "cookie", "damaged", "dangling", "data-value",
        "declared",
        "domain", "duplicate", "empty", "entropy", "expired", "external-data", "fetched-by", "flag-value",
        "foreign-mark",
        "free-pages", "identity", "link", "magic", "marked", "origin", "private-key", "property-list", "protection",
        "registry", "shared-documents", "stated-source", "store", "stored-path", "system-directory", "url-cache",
        "exception",
    ]

    /// Returns true if the condition cannot match without one of those predicates.
    private func isProven(_ condition: Condition) -> Bool {
        guard let use = condition.use else {
            return switch condition.form {
            case .all: condition.parts.contains(where: isProven)
            case .any: condition.parts.allSatisfy(isProven)
            case .not: false
            }
        }
        return Self.proofs.contains(type(of: use.predicate).key) && use.text != "secret: by-name"
            || use.text.hasPrefix("secret: any")
            || use.text.hasPrefix("companion") && use.text.contains("magic")
            || use.text.hasPrefix("size: ") || use.text == "referenced: by-store"
    }

    @Test("is never an error")
    func errors() throws {
        for rule in Self.rules where rule.severity == .error {
            let lowered = rule.levels.contains { level in
                level.condition.form == .not && level.severity != .error && isProven(level.condition.parts[0])
            }
            #expect(isProven(rule.condition) || lowered, "\(rule.id)")
        }
        #expect(Self.rules.count > 80)
    }

    @Test("has no safe fix, except an exclusion or a removal, of which `FixPermission` decides for each item")
    func fixes() throws {
        for rule in Self.rules where rule.fix?.safety == .safe && rule.fix?.isMechanical == true {
            let isNarrowed = rule.fix?.condition.map(isProven) ?? false
            let isDecidedLater =
                switch rule.fix?.action {
                case .remove, .setFlag: rule.fix?.isProvenByCondition == false
                default: false
                }
            #expect(isProven(rule.condition) || isNarrowed || isDecidedLater, "\(rule.id)")
        }
    }
}
