internal import TextOutput

/// Accepted findings, as text that git merges.
///
/// The first line names the format. Every further line is one entry: rule, container, directory and limit, separated by
/// single spaces and sorted by bytes. An entry covers all findings of its rule in its directory up to the limit, so a
/// cache that gains or loses a file stays covered. The text contains no clock, no path of the machine and no content.
package struct Baseline: Sendable {
    /// The number of items and bytes that the findings of an entry may have together; nil is no limit.
    package struct Limit: Sendable, Hashable {
        package let items: Int?
        package let bytes: UInt64?

        /// The last word of a line.
        var text: String {
            let parts = [items.map { "items=\($0)" }, bytes.map { "bytes=\($0)" }].compactMap(\.self)
            return "max:" + (parts.isEmpty ? "none" : parts.joined(separator: ","))
        }

        /// Returns the higher number of items and of bytes of two limits.
        fileprivate func merged(with other: Limit) -> Limit {
            Limit(items: Self.higher(items, other.items), bytes: Self.higher(bytes, other.bytes))
        }

        private static func higher<Number: Comparable>(_ left: Number?, _ right: Number?) -> Number? {
            guard let left, let right else { return nil }
            return max(left, right)
        }
    }

    /// One line of the file.
    package struct Entry: Sendable, Hashable {
        /// The rule's id.
        package let rule: String
        /// The container's identifier, percent-escaped; empty if unknown.
        package let container: String
        /// The directory relative to the container, percent-escaped and with a `/` at its end; `.` for the container
        /// itself, `**` for findings beyond the number that a report lists.
        package let path: String
        package let limit: Limit

        package var line: String { "\(rule) \(container.isEmpty ? "-" : container) \(path) \(limit.text)" }

        /// The path with its spaces, as reports show it.
        package var displayPath: String { path.replacing("%20", with: " ") }

        /// The path as bytes; empty for the container itself and for `**`.
        var bytes: [UInt8] {
            if path == "." || path == Baseline.anywhere { return [] }
            return ByteText.unescaped(String(path.hasSuffix("/") ? path.dropLast() : path[...]))
        }
    }

    /// The file that commands write if neither an option nor the configuration names one.
    package static let standardPath = "sandboxlint-baseline.txt"

    /// The version of the format.
    static let format = 2
    /// The first line without the version.
    static let name = "sandboxlint-baseline/"
    /// The first line.
    package static let header = "\(name)\(format)"
    /// The directory of findings that are beyond the number that a report lists.
    static let anywhere = "**"

    struct Key: Hashable {
        let rule: String
        let container: String
        let path: String
    }

    private var limits: [Key: Limit] = [:]

    /// The entries, sorted by their lines.
    package var entries: [Entry] {
        limits.map { Entry(rule: $0.rule, container: $0.container, path: $0.path, limit: $1) }
            .map { ($0.line, $0) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map(\.1)
    }

    /// A baseline of entries. Of two for one rule and directory, as a merge may leave them, the higher limits count.
    package init(_ entries: some Sequence<Entry>) {
        for entry in entries {
            let key = Key(rule: entry.rule, container: entry.container, path: entry.path)
            limits[key] = limits[key]?.merged(with: entry.limit) ?? entry.limit
        }
    }

    /// A baseline that covers the findings of a report twice over in items and bytes, except findings about suppressions
    /// and baselines. Limits of `old` that are not exceeded stay as they are.
    package init(_ report: LintReport, keepingLimitsOf old: Baseline = Baseline([])) {
        let directories = report.directories(ofInputs: Set(report.inputs.indices))
        self.init(
            directories.map { directory in
                let limit = old.limit(of: directory.rule, directory.container, directory.path)
                return Entry(
                    rule: Self.word(directory.rule.id), container: directory.container, path: directory.path,
                    limit: Limit(
                        items: Self.limit(for: directory.items, keeping: limit.map(\.items)),
                        bytes: Self.limit(for: directory.bytes, keeping: limit.map(\.bytes))))
            })
    }

    /// The limit for so many items or bytes: the old one, if there is an entry and it is not exceeded.
    private static func limit<Number: FixedWidthInteger>(for found: Number, keeping old: Number??) -> Number? {
        // Empty items say nothing about the size of the next one.
        guard let old else { return found == 0 ? nil : twice(found) }
        guard let old else { return nil }
        return found > old ? twice(found) : old
    }

    private static func twice<Number: FixedWidthInteger>(_ number: Number) -> Number {
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: 2)
        return isTooLarge ? .max : product
    }

    /// The limit of a rule's findings in a directory, also under a former name of the rule; nil if there is no entry.
    func limit(of rule: Rule, _ container: String, _ path: String) -> Limit? {
        guard !limits.isEmpty else { return nil }
        return rule.names.lazy.compactMap { limits[Key(rule: Self.word($0), container: container, path: path)] }.first
    }

    /// The entry with that limit.
    func entry(of rule: Rule, _ container: String, _ path: String) -> Entry? {
        rule.names.lazy.map { Key(rule: Self.word($0), container: container, path: path) }.compactMap { key in
            limits[key].map { Entry(rule: key.rule, container: container, path: path, limit: $0) }
        }.first
    }

    /// The limits of a rule's entries for a container, added up.
    func total(of rule: Rule, _ container: String) -> Limit {
        let names = Set(rule.names.map(Self.word))
        var total = Limit(items: 0, bytes: 0)
        func sum<Number: FixedWidthInteger>(_ left: Number?, _ right: Number?) -> Number? {
            guard let left, let right else { return nil }
            let (sum, isTooLarge) = left.addingReportingOverflow(right)
            return isTooLarge ? .max : sum
        }
        for (key, limit) in limits where key.container == container && names.contains(key.rule) {
            total = Limit(items: sum(total.items, limit.items), bytes: sum(total.bytes, limit.bytes))
        }
        return total
    }

    /// The file's text.
    package var text: String { ([Self.header] + entries.map(\.line)).map { $0 + "\n" }.joined() }
}

extension Baseline {
    /// A name as one word of a line.
    static func word(_ name: String) -> String { word(Array(name.utf8)) }

    /// A path as one word of a line.
    static func word(_ path: [UInt8]) -> String { ByteText.escaped(path).replacing(" ", with: "%20") }
}

extension Finding {
    /// The directory under which a baseline counts the finding, as a word of a line.
    var baselineDirectory: String {
        func word(_ path: some Sequence<UInt8>) -> String {
            let word = Baseline.word(Array(path))
            return word.isEmpty ? "." : word.hasSuffix("*") ? word : word + "/"
        }
        switch part {
        case .item: return word(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
        case .contents: return word(path)
        // What a budget is for; where all of it lies changes with each file.
        case .sum(let of): return word(of.utf8)
        case .rest: return Baseline.anywhere
        case .exception: return "."
        }
    }
}
