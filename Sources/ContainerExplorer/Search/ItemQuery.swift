internal import AppContainer
package import ContainerTree
internal import FileSystem
package import StoragePolicy
internal import TextOutput

/// Conditions on items, all of which must hold: `*.jpg size>10M !excluded`.
///
/// - A word is a part of a name, in any case of letters; with `*`, `?` or `[` it is a pattern for the name, and with a slash
///   one for the path. `name:` and `path:` take patterns only.
/// - `class:user-data` is the class of the linter; `class:user-data!` takes proven classes only.
/// - `size>10M` compares the bytes of content, of a directory those below it. Units are powers of a thousand (`k`, `M`, `G`,
///   `T`), or of 1,024 (`KiB`, …).
/// - `age>30d` compares the time since the modification. Units are `s`, `min`, `h`, `d`, `w`, `y`.
/// - `backup:yes`, `backup:no`, `backup:unknown`, and `excluded` for an exclusion of the item or a directory above it.
/// - `finding`, `finding:error`, `finding:stale-tmp`: a finding of the linter on the item itself.
/// - `kind:file`, `kind:directory`, `kind:link`.
/// - `!` before a term negates it.
package struct ItemQuery: Sendable {
    struct Term: Sendable {
        let test: ItemCondition
        let isNegated: Bool
    }

    let terms: [Term]
    private static let mostTerms = 64

    /// Creates the conditions of one text, whose terms are separated by spaces. Quotation marks (`"`) keep a space.
    ///
    /// - Throws: `usage`, which names the term and what is allowed.
    package init(_ text: String) throws(ExplorerError) { try self.init(terms: Self.split(text)) }

    /// Creates the conditions of terms. Without terms, every item matches.
    ///
    /// - Throws: `usage`, which names the term and what is allowed.
    package init(terms texts: [String]) throws(ExplorerError) {
        guard texts.count <= Self.mostTerms else {
            throw ExplorerError(
                .usage, description: "a search has at most \(Self.mostTerms) terms, and this one has \(texts.count).")
        }
        var terms: [Term] = []
        for text in texts {
            let isNegated = text.hasPrefix("!")
            terms.append(
                Term(test: try ItemCondition(isNegated ? String(text.dropFirst()) : text), isNegated: isNegated))
        }
        self.terms = terms
    }

    /// True if every item matches.
    package var isEmpty: Bool { terms.isEmpty }
    /// True if a term is about classes, which a lint run yields.
    package var needsClasses: Bool { terms.contains { if case .itemClass = $0.test { true } else { false } } }
    /// True if a term is about findings, which a lint run yields.
    package var needsFindings: Bool { terms.contains { $0.test.isAboutFindings } }
    /// The identifiers of rules that terms name.
    package var ruleIDs: [String] { terms.compactMap { if case .rule(let id) = $0.test { id } else { nil } } }

    /// Returns true if all terms hold for an item.
    ///
    /// A term about what is unknown, such as the class of an item that was not linted, does not hold, also if it is negated.
    ///
    /// - Parameters:
    ///   - item: The number of the item.
    ///   - index: The index.
    ///   - now: The date from which ages are computed, in seconds since 1970.
    ///   - classes: The classes; nil before a lint run.
    ///   - findings: Returns the findings of an item itself.
    /// - Returns: True if the item is selected.
    package func matches(
        _ item: Int, in index: ContainerIndex, now: Int64, classes: ItemClasses?, findings: (Int) -> [Finding]
    ) -> Bool {
        terms.allSatisfy { term in
            term.test.holds(for: item, in: index, now: now, classes: classes, findings: findings)
                .map { $0 != term.isNegated } ?? false
        }
    }

    /// Returns the items below some others, and these, for which all terms hold, in the order of paths. The container itself
    /// is not among them.
    ///
    /// - Parameters:
    ///   - roots: The items to search.
    ///   - index: The index.
    ///   - now: The date from which ages are computed, in seconds since 1970.
    ///   - classes: The classes; nil before a lint run.
    ///   - findings: Returns the findings of an item itself.
    ///   - isCancelled: Returns true to end the search.
    /// - Returns: The numbers of the items.
    package func items(
        below roots: [Int] = [ContainerIndex.root], in index: ContainerIndex, now: Int64, classes: ItemClasses? = nil,
        findings: (Int) -> [Finding] = { _ in [] }, isCancelled: () -> Bool = { false }
    ) -> [Int] {
        var found: [Int] = []
        var next = ContainerIndex.root + 1
        for root in roots.sorted() {
            let range = index.subtree(of: root)
            guard range.upperBound > next else { continue }
            for item in max(next, range.lowerBound)..<range.upperBound {
                if item & 0x3ff == 0, isCancelled() { return found }
                if matches(item, in: index, now: now, classes: classes, findings: findings) { found.append(item) }
            }
            next = range.upperBound
        }
        return found
    }

    private static func split(_ text: String) -> [String] {
        var terms: [String] = []
        var (term, isTerm, isQuoted) = ("", false, false)
        for character in text {
            if character == "\"" {
                isQuoted.toggle()
                isTerm = true
            } else if character == " ", !isQuoted {
                if isTerm { terms.append(term) }
                (term, isTerm) = ("", false)
            } else {
                term.append(character)
                isTerm = true
            }
        }
        return isTerm ? terms + [term] : terms
    }
}
