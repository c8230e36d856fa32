internal import AppContainer
internal import ChangeHistory
internal import FileSystem
internal import Foundation
internal import PolicyTexts
internal import StoragePolicy
internal import SystemPackage
internal import TextOutput

/// A planner of fixes: the automatic changes, the unsafe ones, and the findings that must be fixed by hand.
struct FixPlanner {
    /// The action of a rule for one finding.
    private struct Wish {
        let finding: Finding
        let action: RuleFix.Action
        var key: FindingKey { FindingKey(finding) }
    }

    private let folder: Folder
    private let bundleIdentifier: String?
    private let allowsUnsafe: Bool
    /// The user data that rules about loss report, and all directories above it.
    private let dear: Set<[UInt8]>

    /// Creates a planner for all findings.
    init(_ container: Container, bundleIdentifier: String?, allowsUnsafe: Bool, found: [Finding]) {
        folder = container.folder
        dear = Set(found.filter { $0.rule.group == .loss }.flatMap { ItemPath.lineage($0.path) })
        self.bundleIdentifier = bundleIdentifier
        self.allowsUnsafe = allowsUnsafe
    }

    /// Returns the units by path: planned ones, and unsafe ones that need `--unsafe`.
    func units(for findings: [Finding]) throws(FileSystemError) -> [FixUnit] {
        let wishes = findings.compactMap { finding in
            finding.isFixable ? finding.rule.fix?.action.map { Wish(finding: finding, action: $0) } : nil
        }
        var units = try units(of: wishes.filter { allowsUnsafe || isSafe($0) })
        if !allowsUnsafe {
            units += try self.units(of: wishes.filter { !isSafe($0) }).map { unit in
                var unit = unit
                if unit.outcome == .planned { unit.outcome = .asks }
                return unit
            }
        }
        return units.sorted(by: FixUnit.precedes)
    }

    /// Returns true if the change needs nobody's consent. A directory above user data that rules about loss report is not
    /// removed.
    private func isSafe(_ wish: Wish) -> Bool {
        wish.finding.fixSafety == .safe && !(wish.action.movesItem && dear.contains(wish.finding.path))
    }

    private func units(of wishes: [Wish]) throws(FileSystemError) -> [FixUnit] {
        var units: [FixUnit] = []
        var byPath: [[UInt8]: Int] = [:]
        // Removals and moves come first, so that their content needs no further action.
        let empty = try DirectoryCover.empty(
            of: wishes.filter { $0.action == .removeEmpty }.map(\.finding), in: folder,
            bundleIdentifier: bundleIdentifier)
        let going = wishes.filter { $0.action.movesItem }.map { wish in
            (wish, wish.action == .removeEmpty ? empty.target(of: wish.finding) : wish.finding.path)
        }
        for (wish, path) in going.sorted(by: { $0.1.lexicographicallyPrecedes($1.1) }) {
            try add(wish, at: path, to: &units, byPath: &byPath)
        }
        let staying = wishes.filter { wish in
            guard !wish.action.movesItem else { return false }
            guard let index = Self.unit(over: wish.finding.path, byPath) else { return true }
            units[index].add(wish.finding)
            return false
        }
        let cover = try DirectoryCover.flags(
            of: staying.filter { $0.action == .setFlag(ofDirectory: true) }.map(\.finding), in: folder,
            bundleIdentifier: bundleIdentifier)
        let placed = staying.map { wish in
            (wish, wish.action == .setFlag(ofDirectory: true) ? cover.target(of: wish.finding) : wish.finding.path)
        }
        // A directory's flag before those of what is in it, which then need none.
        var flagged: [[UInt8]: Int] = [:]
        for (wish, path) in placed.sorted(by: { $0.1.lexicographicallyPrecedes($1.1) }) {
            if wish.action.setsFlag, let index = Self.unit(over: path, flagged) {
                units[index].add(wish.finding)
                continue
            }
            let count = units.count
            try add(wish, at: path, to: &units, byPath: &byPath)
            if wish.action.setsFlag, units.count > count { flagged[path] = count }
        }
        return units
    }

    /// Returns the unit for a path or for a directory above it.
    private static func unit(over path: [UInt8], _ units: [[UInt8]: Int]) -> Int? {
        guard !units.isEmpty else { return nil }
        return ItemPath.lineage(path).lazy.compactMap { units[$0] }.first
    }

    private func add(
        _ wish: Wish, at path: [UInt8], to units: inout [FixUnit], byPath: inout [[UInt8]: Int]
    ) throws(FileSystemError) {
        if wish.action.movesItem, let index = Self.unit(over: path, byPath) {
            units[index].add(wish.finding)
            return
        }
        var unit = FixUnit(
            verb: wish.action.verb, path: path, target: target(of: wish, at: path), rules: [wish.finding.rule],
            outcome: .planned, keys: [wish.key], steps: [])
        do throws(FileSystemError) {
            (unit.steps, unit.outcome) = try steps(wish, at: path, to: unit.target)
        } catch {
            unit.outcome = .refused("\(error.errno)")
        }
        if wish.action.movesItem { byPath[path] = units.count }
        units.append(unit)
    }

    private func target(of wish: Wish, at path: [UInt8]) -> [UInt8]? {
        guard case .move(let to, _) = wish.action else { return nil }
        let directory = to.replacing("{bundle-id}", with: bundleIdentifier ?? "")
        return ItemPath.joined(Array(directory.utf8), name: ItemPath.name(path))
    }

    // MARK: - The steps of one unit

    private func steps(
        _ wish: Wish, at path: [UInt8], to target: [UInt8]?
    ) throws(FileSystemError) -> ([ChangeStep], FixUnit.Outcome) {
        switch wish.action {
        case .remove(let companions):
            let paths = [path] + (try beside(path, forms: companions))
            return (paths.map { .putAside(path: Data($0), number: 0) }, .planned)
        case .removeEmpty:
            // Items added since the lint are only put aside with it.
            return ([.putAside(path: Data(path), number: 0)], .planned)
        case .move(let to, let companions):
            guard let target, bundleIdentifier != nil || !to.contains("{bundle-id}") else {
                return ([], .refused("the bundle identifier of the container is unknown; set bundle-id"))
            }
            var steps: [ChangeStep] = []
            for from in [path] + (try beside(path, forms: companions)) {
                let new = ItemPath.joined(ItemPath.parent(target), name: ItemPath.name(from))
                guard try !isThere(new) else {
                    return ([], .refused("the destination exists: \(ByteText.escaped(new))"))
                }
                steps.append(.move(path: Data(from), to: Data(new)))
            }
            return (steps, .planned)
        default: return try attributeSteps(wish.action, at: path)
        }
    }

    private func attributeSteps(
        _ action: RuleFix.Action, at path: [UInt8]
    ) throws(FileSystemError) -> ([ChangeStep], FixUnit.Outcome) {
        let item = try folder.open(FilePath(bytes: path).orSelf, followingLinks: false)
        let status = try item.status()
        guard status.kind == .file || status.kind == .directory else {
            return ([], .refused("a special file cannot have extended attributes"))
        }
        guard status.kind == .directory || status.links == 1 else {
            return ([], .refused("the file has other hard links, which would change as well"))
        }
        let names = try item.attributes()
        let marks = names.filter { ExclusionMark(attribute: $0)?.isApple == true }
        var changes: [(String, [UInt8]?)] = []
        switch action {
        case .setFlag: changes = [(ExclusionMark.modern.rawValue, ExclusionMark.value)]
        case .turnFlag where marks.isEmpty: changes = [(ExclusionMark.modern.rawValue, ExclusionMark.value)]
        case .clearFlag, .turnFlag: changes = marks.map { ($0, nil) }
        case .normaliseFlag:
            for name in marks {
                guard let mark = ExclusionMark(attribute: name), mark.isModern else { continue }
                changes.append((name, ExclusionMark.value + (mark == .dosStream ? [0] : [])))
            }
        case .clearAttributes(let unwanted): changes = names.filter(unwanted.contains).map { ($0, nil) }
        case .remove, .removeEmpty, .move: break
        }
        var steps: [ChangeStep] = []
        for (name, new) in changes {
            let old = try item.attribute(name)
            guard old != new else { continue }
            steps.append(.attribute(path: Data(path), name: name, old: old.map { Data($0) }, new: new.map { Data($0) }))
        }
        return (steps, steps.isEmpty ? .refused("the item itself needs no change") : .planned)
    }

    /// Returns the companions of an item, by patterns such as `{name}-wal`.
    private func beside(_ path: [UInt8], forms: [String]) throws(FileSystemError) -> [[UInt8]] {
        let name = ItemPath.name(path)
        var found: [[UInt8]] = []
        for form in forms {
            let parts = form.split(separator: "{name}", omittingEmptySubsequences: false).map { Array($0.utf8) }
            let other = ItemPath.joined(ItemPath.parent(path), name: Array(parts.joined(separator: name)))
            if other != path, try isThere(other) { found.append(other) }
        }
        return found
    }

    private func isThere(_ path: [UInt8]) throws(FileSystemError) -> Bool {
        try folder.statusIfPresent(FilePath(bytes: path)) != nil
    }
}

extension FixUnit {
    /// Adds a finding that the same steps fix.
    mutating func add(_ finding: Finding) {
        keys.insert(FindingKey(finding))
        if !rules.contains(where: { $0.id == finding.rule.id }) { rules.append(finding.rule) }
    }
}

extension RuleFix.Action {
    /// True if the step moves the item.
    fileprivate var movesItem: Bool {
        switch self {
        case .remove, .removeEmpty, .move: true
        default: false
        }
    }

    fileprivate var setsFlag: Bool {
        if case .setFlag = self { return true }
        return false
    }

    fileprivate var verb: FixUnit.Verb {
        switch self {
        case .setFlag, .turnFlag: .flag
        case .clearFlag: .unflag
        case .normaliseFlag: .normalise
        case .clearAttributes: .strip
        case .remove, .removeEmpty: .remove
        case .move: .move
        }
    }
}
