internal import AppContainer
package import ContainerTree
internal import FileSystem
internal import SourceCode
package import StoragePolicy
internal import TextOutput

/// The findings of a lint run, by the items of an index.
package struct BrowserFindings: Sendable {
    /// The numbers of findings by severity.
    package struct Counts: Sendable, Hashable {
        package var errors = 0
        package var warnings = 0
        package var notes = 0

        package var isEmpty: Bool { errors + warnings + notes == 0 }
        /// The highest severity, or nil without findings.
        package var worst: Severity? { errors > 0 ? .error : warnings > 0 ? .warning : notes > 0 ? .note : nil }
        /// A short text, such as `2E 1W`.
        package var abbreviation: String {
            [(errors, "E"), (warnings, "W"), (notes, "N")].filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }
                .joined(separator: " ")
        }

        /// A number that orders by errors, then warnings, then notes.
        var weight: UInt64 {
            UInt64(min(errors, 1 << 20)) << 42 | UInt64(min(warnings, 1 << 20)) << 21 | UInt64(min(notes, 1 << 20))
        }

        mutating func add(_ severity: Severity) {
            switch severity {
            case .error: errors += 1
            case .warning: warnings += 1
            case .note: notes += 1
            }
        }
    }

    /// The classes of the items, if they were asked for.
    package let classes: ItemClasses?
    /// All findings, in the order of the report.
    package let all: [Finding]
    /// True if a part of the container could not be linted.
    package let isIncomplete: Bool
    /// The positions of the findings of each item.
    private var own: [Int: [Int]] = [:]
    /// The lines of source code that write the item of a finding, with their texts, by the position of the finding.
    private var sources: [Int: [String]] = [:]
    /// The counts of each item, with those below it.
    private var sums: [Int: Counts] = [:]

    /// Assigns findings to items. A finding on an item that the index does not have belongs to the nearest directory.
    package init(_ report: LintReport, in index: ContainerIndex, classes: ItemClasses? = nil) {
        self.classes = classes
        all = report.findings
        isIncomplete = !report.isComplete
        var lookup = IndexLookup(index)
        for (position, finding) in all.enumerated() {
            let number = lookup.nearest(to: finding.path)
            own[number, default: []].append(position)
            var current: Int? = number
            while let item = current {
                sums[item, default: Counts()].add(finding.severity)
                current = index.parent(of: item)
            }
        }
    }

    /// Returns the numbers of findings of an item and everything below it.
    package func counts(of item: Int) -> Counts { sums[item] ?? Counts() }

    /// Returns the class of an item for a row, with `!` if it is proven. Empty for a directory, and where it is not known.
    func className(of item: Int, in index: ContainerIndex) -> String {
        guard index.kind(of: item) != .directory, let verdict = classes?[index.path(of: item)] else { return "" }
        return verdict.word
    }

    /// Returns the findings of an item itself.
    package func findings(of item: Int) -> [Finding] { (own[item] ?? []).map { all[$0] } }

    /// Returns the lines of source code that write an item with findings, each with its text.
    func sources(of item: Int) -> [String] { (own[item] ?? []).lazy.compactMap { sources[$0] }.first ?? [] }

    /// Adds the lines that items record, that the configuration declares, or that the source code probably has.
    mutating func addSources(_ configuration: Configuration, code: AppSource) {
        func path(_ finding: Finding) -> [UInt8] { finding.largest ?? finding.path }
        // One search for all paths of which no line is known.
        let open = all.filter { finding in
            finding.source == nil && configuration.source(of: path(finding)) == nil && !finding.path.isEmpty
                && finding.rule.group != .exceptions
        }
        code.search(for: open.map(path))
        for (position, finding) in all.enumerated() {
            let lines = CodeLines.lines(for: path(finding), recorded: finding.source, configuration, in: code)
            if !lines.isEmpty { sources[position] = lines }
        }
    }

    /// Returns at most `limit` findings below an item, in the order of the report.
    package func findings(below item: Int, in index: ContainerIndex, limit: Int) -> [Finding] {
        let range = index.subtree(of: item).dropFirst()
        let positions = own.filter { range.contains($0.key) }.flatMap(\.value).sorted()
        return positions.prefix(limit).map { all[$0] }
    }

    /// The items with findings of their own, in the order of their paths.
    package var items: [Int] { own.keys.sorted() }

    /// Returns true if a finding proves that a file is re-downloadable or regenerable.
    package func provesRegenerable(_ item: Int) -> Bool {
        (own[item] ?? []).contains { position in
            let finding = all[position]
            return finding.rule.measuresRegenerable && finding.confidence == nil && finding.items <= 1
        }
    }
}

/// A search for many paths in an index. The items of each directory are listed once.
struct IndexLookup {
    private let index: ContainerIndex
    private var children: [Int: [Int]] = [:]

    init(_ index: ContainerIndex) { self.index = index }

    /// Returns the item at a path, or nil.
    mutating func number(at path: [UInt8]) -> Int? {
        var number = ContainerIndex.root
        for component in path.split(separator: UInt8(ascii: "/")) {
            guard let child = child(component, of: number) else { return nil }
            number = child
        }
        return number
    }

    /// Returns the item at a path, or the deepest existing directory above it.
    mutating func nearest(to path: [UInt8]) -> Int {
        var number = ContainerIndex.root
        for component in path.split(separator: UInt8(ascii: "/")) {
            guard let child = child(component, of: number) else { return number }
            number = child
        }
        return number
    }

    private mutating func child(_ name: ArraySlice<UInt8>, of directory: Int) -> Int? {
        let items: [Int]
        if let known = children[directory] {
            items = known
        } else {
            items = index.children(of: directory)
            children[directory] = items
        }
        // The names ascend.
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if index.name(of: items[middle]).lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
        }
        return low < items.count && index.name(of: items[low]) == name ? items[low] : nil
    }
}
