internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import StoragePolicy
internal import TextOutput

/// One condition on an item, without its negation.
enum ItemCondition: Sendable {
    /// A part of the name, or of the path.
    case word(TextNeedle, ofPath: Bool)
    /// A pattern for the name or the path.
    case pattern(ItemPatterns)
    case itemClass(ItemClass, isProven: Bool)
    case size(Comparison, UInt64)
    case age(Comparison, Int64)
    case backup(BackupState)
    case excluded
    case finding
    case severity(Severity)
    case rule(String)
    /// The word for a kind, as in JSON.
    case kind(String)

    /// A comparison of numbers.
    enum Comparison: String, CaseIterable, Sendable {
        // The longer ones are read first.
        case atLeast = ">="
        case atMost = "<="
        case more = ">"
        case less = "<"

        func holds<Number: Comparable>(_ left: Number, _ right: Number) -> Bool {
            switch self {
            case .atLeast: left >= right
            case .atMost: left <= right
            case .more: left > right
            case .less: left < right
            }
        }
    }

    private static let backupStates: KeyValuePairs<String, BackupState> = [
        "yes": .included, "no": .excluded, "unknown": .unknown,
    ]
    private static let kinds = ["file", "directory", "link", "pipe", "socket", "device"]
    private static let longest = 4096

    /// Reads a term without its `!`.
    ///
    /// - Throws: `usage`.
    init(_ term: String) throws(ExplorerError) {
        guard !term.isEmpty else {
            throw Self.error(term, "it is empty; use a part of a name, or a term such as size>10M")
        }
        guard term.utf8.count <= Self.longest else {
            throw Self.error(String(term.prefix(60)) + "…", "it has more than \(Self.longest) bytes; use a shorter one")
        }
        switch term {
        case "finding": self = .finding
        case "excluded": self = .excluded
        default:
            let key = term.prefix { $0.isASCII && $0.isLetter }
            let rest = String(term[key.endIndex...])
            guard !key.isEmpty, let sign = rest.first, ":<>".contains(sign) else {
                self = try Self.word(term)
                return
            }
            self =
                try sign == ":"
                ? Self.named(String(key), value: String(rest.dropFirst()), term: term)
                : Self.compared(String(key), rest: rest, term: term)
        }
    }

    // MARK: - Reading

    private static func error(_ term: String, _ problem: String) -> ExplorerError {
        ExplorerError(.usage, description: "the term “\(ByteText.escaped(Array(term.utf8)))” is wrong: \(problem).")
    }

    private static func unknown(_ term: String, key: String) -> ExplorerError {
        error(
            term,
            "“\(key)” is unknown; allowed are name:, path:, class:, size> and size<, age> and age<, backup:, kind:, "
                + "finding, finding:, excluded, or a part of a name (with a colon: name:*a:b*)")
    }

    private static func word(_ term: String) throws(ExplorerError) -> ItemCondition {
        let isPath = term.contains("/")
        guard term.contains(where: { "*?[".contains($0) }) else {
            return .word(TextNeedle(term), ofPath: isPath)
        }
        return try pattern(term, of: term)
    }

    private static func pattern(_ pattern: String, of term: String) throws(ExplorerError) -> ItemCondition {
        do throws(PathPattern.TooLong) { return .pattern(try ItemPatterns([pattern], ignoringCase: true)) } catch {
            throw Self.error(term, "\(error)")
        }
    }

    private static func named(_ key: String, value: String, term: String) throws(ExplorerError) -> ItemCondition {
        switch key {
        case "name":
            guard !value.isEmpty, !value.contains("/") else {
                throw error(term, "a name is not empty and has no slash; use path: for a path")
            }
            return try pattern(value, of: term)
        case "path":
            guard value.contains(where: { $0 != "/" }) else {
                throw error(term, "it has no path; use one such as path:Documents/**")
            }
            // With a slash in front it is compared with paths.
            return try pattern(value.hasPrefix("/") ? value : "/" + value, of: term)
        case "class":
            let isProven = value.hasSuffix("!")
            guard let itemClass = ItemClass(rawValue: isProven ? String(value.dropLast()) : value) else {
                throw error(
                    term,
                    "allowed classes are \(ItemClass.allCases.map(\.rawValue).joined(separator: ", ")), with ! if proven"
                )
            }
            return .itemClass(itemClass, isProven: isProven)
        case "backup":
            guard let state = backupStates.first(where: { $0.key == value })?.value else {
                throw error(term, "allowed are backup:yes, backup:no and backup:unknown")
            }
            return .backup(state)
        case "kind":
            guard kinds.contains(value) else {
                throw error(term, "allowed kinds are \(kinds.joined(separator: ", "))")
            }
            return .kind(value)
        case "finding":
            if let severity = Severity(rawValue: value) { return .severity(severity) }
            guard !value.isEmpty, value.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
                throw error(
                    term, "allowed are finding:error, finding:warning, finding:note and finding: with the id of a rule")
            }
            return .rule(value)
        case "size", "age":
            throw error(term, "compare it with > or <, such as \(key == "size" ? "size>10M" : "age>30d")")
        default: throw unknown(term, key: key)
        }
    }

    private static func compared(_ key: String, rest: String, term: String) throws(ExplorerError) -> ItemCondition {
        guard let comparison = Comparison.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
            throw unknown(term, key: key)
        }
        let value = String(rest.dropFirst(comparison.rawValue.count))
        switch key {
        case "size":
            guard let bytes = size(value) else {
                throw error(
                    term, "a size is a number with k, M, G, T, KiB, MiB or GiB, or of bytes: size>10M, size<512")
            }
            return .size(comparison, bytes)
        case "age":
            guard let seconds = age(value) else {
                throw error(term, "an age is a whole number with s, min, h, d, w or y: age>30d, age<2h")
            }
            return .age(comparison, seconds)
        default: throw unknown(term, key: key)
        }
    }

    private static let sizeUnits: [String: Double] = [
        "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12,
        "kib": 1_024, "mib": 1_048_576, "gib": 1_073_741_824, "tib": 1_099_511_627_776,
    ]

    private static func size(_ text: String) -> UInt64? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let unit = sizeUnits[text[digits.endIndex...].lowercased()] else { return nil }
        if unit == 1 { return UInt64(digits) }
        guard let number = Double(digits), number.isFinite else { return nil }
        return UInt64(exactly: (number * unit).rounded())
    }

    private static let ageUnits: [String: Int64] = [
        "s": 1, "min": 60, "h": 3_600, "d": 86_400, "w": 604_800, "y": 31_557_600,
    ]

    private static func age(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let unit = ageUnits[String(text[digits.endIndex...])], let number = Int64(digits) else { return nil }
        let (seconds, isOver) = number.multipliedReportingOverflow(by: unit)
        return isOver ? nil : seconds
    }

    // MARK: - Testing

    var isAboutFindings: Bool {
        switch self {
        case .finding, .severity, .rule: true
        default: false
        }
    }

    /// Returns true if the condition holds for an item; nil if that is unknown.
    func holds(
        for item: Int, in index: ContainerIndex, now: Int64, classes: ItemClasses?, findings: (Int) -> [Finding]
    ) -> Bool? {
        switch self {
        case .word(let needle, let isOfPath):
            let bytes = isOfPath ? index.path(of: item)[...] : index.name(of: item)
            if needle.isFound(in: bytes) { return true }
            // A name with control characters or bytes outside UTF-8, as it is printed.
            guard bytes.contains(where: { $0 < 0x20 || $0 >= 0x7f || $0 == UInt8(ascii: "%") }) else { return false }
            return needle.isFound(in: ByteText.escaped(Array(bytes)))
        case .pattern(let patterns):
            return patterns.matches(name: Array(index.name(of: item)), path: index.path(of: item))
        case .itemClass(let itemClass, let isProven):
            guard let verdict = classes?[index.path(of: item)] else { return nil }
            return verdict.itemClass == itemClass && (verdict.isProven || !isProven)
        case .size(let comparison, let bytes): return comparison.holds(index[item].total.logical, bytes)
        case .age(let comparison, let seconds):
            let modified = index[item].modified
            let (age, isOver) = now.subtractingReportingOverflow(modified)
            return comparison.holds(isOver ? (modified < now ? .max : .min) : age, seconds)
        case .backup(let state): return index.decision(for: item).state == state
        case .excluded: return index.exclusion(of: item) == .excluded
        case .finding: return !findings(item).isEmpty
        case .severity(let severity): return findings(item).contains { $0.severity == severity }
        case .rule(let id):
            return findings(item).contains { $0.rule.names.contains(id) || String($0.rule.number) == id }
        case .kind(let word): return ItemText.word(for: index.kind(of: item)) == word
        }
    }
}
