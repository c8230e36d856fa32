internal import AppContainer
internal import ContainerLifecycle
internal import PolicyTexts
internal import StoragePolicy
internal import TextOutput

extension Cause {
    /// Returns the causes of the findings of a report: the most severe first, of these the most urgent, then the largest.
    static func all(of report: LintReport) -> [Cause] {
        CauseUnit.all(of: report).map { Cause($0, of: report) }.sorted { left, right in
            if left.severity != right.severity { return left.severity > right.severity }
            if left.urgency != right.urgency { return left.urgency > right.urgency }
            if left.bytes != right.bytes { return left.bytes > right.bytes }
            return left.positions[0] < right.positions[0]
        }
    }
}

extension Cause {
    /// The order of causes of equal severity: lost user data, then what has a certain remedy, then a sum of undecided files.
    fileprivate var urgency: Int { first.isAboutLoss ? 2 : isUndecided ? 0 : 1 }
    /// True for a sum of files of which some may be user data.
    private var isUndecided: Bool { first.rule.listedUndeclared != nil && severity < .error }
}

extension CauseUnit {
    /// Returns the findings of each cause of a report, in no particular order.
    static func all(of report: LintReport) -> [CauseUnit] {
        let roots = Roots(report.findings)
        var units: [CauseUnit] = []
        var known: [CauseKey: Int] = [:]
        for (position, finding) in report.findings.enumerated() {
            let unit = CauseUnit(finding, at: position, roots)
            if let index = known[unit.key] {
                units[index].add(unit)
            } else {
                known[unit.key] = units.count
                units.append(unit)
            }
        }
        units = joiningSameItems(units, report)
        units = joiningSimilarDirectories(units).sorted { $0.first < $1.first }
        // A sum is about the items of several directories.
        return joiningSameItems(units, report)
    }
}

/// The directories in which all findings with one remedy have one cause: those of SDKs, and those that a finding is about.
struct Roots {
    private var software: [CauseKey: String] = [:]
    private var directories: Set<CauseKey> = []

    init(_ findings: [Finding]) {
        let common = findings.filter { CauseRemedy(of: $0).isCommon }
        let reported = Set(common.map { Self.key(of: $0, $0.path) })
        for finding in common {
            if let entry = finding.registryEntry, let directory = entry.directory {
                software[Self.key(of: finding, directory)] = entry.software
            }
            for path in ItemPath.lineage(ItemPath.parent(finding.path)) {
                let key = Self.key(of: finding, path)
                if reported.contains(key) { directories.insert(key) }
            }
        }
    }

    /// Returns the highest of these directories that contains the item of a finding, or that is it.
    func root(of finding: Finding) -> (software: String?, directory: [UInt8])? {
        guard !software.isEmpty || !directories.isEmpty, CauseRemedy(of: finding).isCommon else { return nil }
        let keys = ItemPath.lineage(finding.path).reversed().map { Self.key(of: finding, $0) }
        if !software.isEmpty {
            for key in keys {
                if let name = software[key] { return (name, key.directory.bytes) }
            }
        }
        return directories.isEmpty ? nil : keys.first(where: directories.contains).map { (nil, $0.directory.bytes) }
    }

    private static func key(of finding: Finding, _ directory: [UInt8]) -> CauseKey {
        CauseKey(
            input: finding.input, after: finding.after, remedy: CauseRemedy(of: finding), severity: nil, software: nil,
            directory: PathKey(directory))
    }
}

/// The solution of a finding. Findings with equal solutions can have one cause.
enum CauseRemedy: Hashable {
    /// Excludes a directory from backup.
    case exclusion
    /// Deletes the items.
    case removal
    /// The help of the rule.
    case rule(String)

    init(of finding: Finding) {
        switch finding.rule.isItemized ? nil : finding.rule.fix?.action {
        case .setFlag: self = .exclusion
        case .remove: self = .removal
        default: self = .rule(finding.rule.id)
        }
    }

    /// True if several rules can have it.
    var isCommon: Bool { self == .exclusion || self == .removal }
}

struct CauseKey: Hashable {
    let input: Int
    let after: LifecycleEvent?
    let remedy: CauseRemedy
    /// Nil for a whole directory, which is one cause whatever the severity.
    var severity: Severity?
    let software: String?
    /// The directory; of several similar ones, that above them, with the rules in order.
    let directory: PathKey
    var rules: [String] = []
}

/// The common properties of units that are joined.
private struct Alike<Property: Hashable>: Hashable {
    let key: CauseKey
    let property: Property
}

/// Findings on their way to a cause, by their positions in the report.
struct CauseUnit {
    let key: CauseKey
    private(set) var positions: [Int]
    private(set) var directory: [UInt8]
    private(set) var software: String?
    /// The paths of the items that the findings are about, without sums.
    private var items: Set<PathKey>
    private var rules: [String]
    /// True if no similar directory is joined.
    private let isWhole: Bool
    private let isItemized: Bool

    init(_ finding: Finding, at position: Int, _ roots: Roots) {
        let remedy = CauseRemedy(of: finding)
        let entry = remedy.isCommon ? finding.registryEntry : nil
        let root = roots.root(of: finding)
        positions = [position]
        rules = [finding.rule.id]
        items = finding.isSummary ? [] : [PathKey(finding.path)]
        software = root?.software ?? entry?.software
        directory = root?.directory ?? (finding.isDirectory ? finding.path : ItemPath.parent(finding.path))
        isItemized = finding.rule.isItemized
        isWhole = software != nil || root != nil || isItemized || finding.isSummary || directory.isEmpty
        key = CauseKey(
            input: finding.input, after: finding.after, remedy: remedy,
            severity: software == nil && root == nil ? finding.severity : nil, software: software,
            directory: PathKey(software == nil && !isItemized ? directory : []))
    }

    mutating func add(_ other: CauseUnit) {
        absorb(other)
        directory = ItemPath.shared(directory, other.directory)
    }

    private mutating func absorb(_ other: CauseUnit) {
        positions += other.positions
        for rule in other.rules where !rules.contains(rule) { rules.append(rule) }
        items.formUnion(other.items)
        software = software ?? other.software
    }

    /// Joins the units of one directory that are about the same items: those with one remedy, if one reports no other items than
    /// the one before; those with other remedies, if they report exactly the same; and a sum with its items.
    static func joiningSameItems(_ units: [CauseUnit], _ report: LintReport) -> [CauseUnit] {
        struct Place: Hashable {
            let input: Int
            let after: LifecycleEvent?
            let directory: PathKey
        }
        var joined: [CauseUnit] = []
        var known: [Place: [Int]] = [:]
        for unit in units {
            let place = Place(input: unit.key.input, after: unit.key.after, directory: PathKey(unit.directory))
            let index = known[place]?.first { joined[$0].covers(unit, report) }
            if let index {
                joined[index].absorb(unit)
            } else {
                known[place, default: []].append(joined.count)
                joined.append(unit)
            }
        }
        return joined
    }

    /// Returns true if another unit of the directory is about the same items.
    private func covers(_ other: CauseUnit, _ report: LintReport) -> Bool {
        if items.isEmpty || other.items.isEmpty {
            // A sum has no items of its own.
            func count(_ unit: CauseUnit) -> Int { Cause.extent(of: unit.positions.map { report.findings[$0] }).items }
            return !isItemized && !other.isItemized && count(self) == count(other)
        }
        guard !isItemized || positions.count == 1, !other.isItemized || other.positions.count == 1 else { return false }
        let isContained = key.remedy == other.key.remedy && key.remedy.isCommon
        return isContained ? other.items.isSubset(of: items) : other.items == items
    }

    /// Joins the units of the same rules in similar directories: those whose paths have one form, wherever they differ, as in
    /// `Projects/1/layers` and `Projects/2/layers`; several whose paths differ in one name, as in `A.mlmodelc/weights` and
    /// `B.mlmodelc/weights`; and several directories with one parent, the deepest first.
    static func joiningSimilarDirectories(_ units: [CauseUnit]) -> [CauseUnit] {
        var done = units.filter(\.isWhole)
        let forms = joined(units.filter { !$0.isWhole }) { unit in
            unit.directory.split(separator: UInt8(ascii: "/")).map(NameShape.init)
        }
        // Several forms can have one common directory.
        var units = joined(forms) { $0.directory }
        for level in stride(from: (units.map(\.depth).max() ?? 0) - 2, through: 1, by: -1) {
            let deep = units.filter { $0.depth > level + 1 }
            units = units.filter { $0.depth <= level + 1 }
            units += joined(deep, atLeast: fewestDirectories) { $0.directory(withoutName: level) }
        }
        var byDepth = Dictionary(grouping: units, by: \.depth)
        for depth in stride(from: byDepth.keys.max() ?? 0, through: 1, by: -1) {
            let families = Dictionary(grouping: byDepth[depth] ?? [], by: \.keyOfParent)
            for (key, members) in families {
                guard members.count >= fewestDirectories, !key.directory.bytes.isEmpty else {
                    done += members
                    continue
                }
                byDepth[depth - 1, default: []].append(joined(members, in: key.directory.bytes))
            }
        }
        return done
    }

    /// Joins the units of one key whose property is equal, unless they have no directory in common.
    private static func joined<Property: Hashable>(
        _ units: [CauseUnit], atLeast fewest: Int = 2, by property: (CauseUnit) -> Property
    ) -> [CauseUnit] {
        let groups = Dictionary(grouping: units) { unit in
            Alike(key: unit.key(in: [], rules: unit.rules), property: property(unit))
        }
        return groups.values.flatMap { members in
            let shared = members.dropFirst().reduce(members[0].directory) { ItemPath.shared($0, $1.directory) }
            return shared.isEmpty || members.count < fewest ? members : [joined(members, in: shared)]
        }
    }

    private static func joined(_ members: [CauseUnit], in directory: [UInt8]) -> CauseUnit {
        var whole = members[0]
        for unit in members.dropFirst() { whole.absorb(unit) }
        whole.directory = directory
        return whole
    }

    /// So many directories are one block, whatever their names.
    private static let fewestDirectories = 3

    /// The position of the first finding in the report.
    fileprivate var first: Int { positions.min() ?? 0 }

    /// The directory without the name at a level, the location at its beginning being level 0.
    private func directory(withoutName level: Int) -> [[UInt8]] {
        let names = directory.split(separator: UInt8(ascii: "/"), maxSplits: level + 1)
        return [
            names[..<level].joined(separator: [UInt8(ascii: "/")]).map(\.self),
            names[(level + 1)...].joined().map(\.self),
        ]
    }

    private var depth: Int { directory.count { $0 == UInt8(ascii: "/") } + 1 }

    private var keyOfParent: CauseKey { key(in: ItemPath.parent(directory), rules: rules) }

    private func key(in directory: [UInt8], rules: [String]) -> CauseKey {
        CauseKey(
            input: key.input, after: key.after, remedy: key.remedy, severity: key.severity, software: nil,
            directory: PathKey(directory), rules: rules)
    }
}

extension Rule {
    /// True if its findings are looked at one by one: secrets, and user data that may be lost.
    var isItemized: Bool { group == .privacy || group == .loss }
}

extension Finding {
    /// The entry of the registry that the finding rests on: the SDK, and the directory that contains all its files, if the
    /// entry has one below a location.
    fileprivate var registryEntry: (software: String, directory: [UInt8]?)? {
        guard let (software, glob) = evidence.lazy.compactMap(\.registered).first else { return nil }
        let parts = glob.split(separator: "/", omittingEmptySubsequences: false)
        let fixed = parts.prefix { part in !part.contains(where: { "*?{[".contains($0) }) }
        let directory = Array(fixed.joined(separator: "/").utf8)
        let isOwn =
            fixed.count < parts.count && directory.count > location.path.utf8.count && path.starts(with: directory)
        return (software, isOwn ? directory : nil)
    }

    /// True if the finding is about a directory, or about several items in it.
    fileprivate var isDirectory: Bool { items > 1 || part != .item || largest != nil }

    /// True for a finding about a sum of the container.
    var isSummary: Bool { rule.aggregate != nil }
}

/// The form of a name, in which numbers and identifiers are equal: `pack_1` and `pack_22`.
private struct NameShape: Hashable {
    private let shape: [UInt8]

    init(_ name: ArraySlice<UInt8>) {
        let isHexadecimal =
            name.count >= 8 && name.contains { (0x30...0x39).contains($0) }
            && name.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        guard !isHexadecimal else {
            shape = []
            return
        }
        var shape: [UInt8] = []
        for byte in name {
            let isDigit = (0x30...0x39).contains(byte)
            if !isDigit || shape.last != 0x30 { shape.append(isDigit ? 0x30 : byte) }
        }
        self.shape = shape
    }
}
