internal import Foundation

/// The search for the places that write some items.
struct CodeSearch {
    /// A literal that matches a component of a path, at the line of the literal or of a use of its constant.
    struct Match {
        let component: Int
        var line: UInt32
        /// The share of the component that the literal explains, times its rarity.
        var weight: Double
        let isWhole: Bool
        let literal: (file: Int, position: Int)
        /// True at a use of the constant.
        var isUse = false
        /// True if the use is that of a function around the literal.
        var isFunction = false
    }

    /// A text that literals may equal, with the items to which it belongs.
    private struct Wanted {
        var text: [UInt8]
        var uses: [(item: Int, component: Int, kind: ItemPath.Variant.Kind)]
        /// Files with such a literal.
        var files = 0
        var lastFile = -1
    }

    let index: CodeIndex
    let items: [ItemPath]
    /// The weights that choose the line of a file.
    private let weights: [Double]
    /// The distinct names in the paths of the items.
    private let names: [Name]
    /// The properties of the files of the index that do not depend on the item.
    private let properties: FileProperties

    /// A name in the paths of some items.
    private struct Name {
        let text: [UInt8]
        /// The position of the extension.
        let dot: Int?
        var uses: [(item: Int, component: Int)]
    }

    init(index: CodeIndex, items: [ItemPath], weights: [Double] = CodeModel.weights) {
        (self.index, self.items, self.weights) = (index, items, weights)
        properties = FileProperties(index)
        var (names, positions): ([Name], [[UInt8]: Int]) = ([], [:])
        for (item, path) in items.enumerated() {
            for (component, text) in path.components.enumerated() {
                if let position = positions[text] {
                    names[position].uses.append((item, component))
                } else {
                    positions[text] = names.count
                    names.append(Name(text: text, dot: ItemPath.endOfStem(text), uses: [(item, component)]))
                }
            }
        }
        self.names = names
    }

    /// The most files with one literal that are kept: a text in more of them says nothing.
    static let mostFiles = 300
    static let mostMatches = 64

    /// Returns the evidence for each item, the files in the order of the index.
    func evidence() -> [[CodeEvidence]] {
        var (wanted, slots) = wantedTexts()
        // The matches of each item, by file.
        var found = [[Int: [Hit]]](repeating: [:], count: items.count)
        for (number, file) in index.files.enumerated() {
            for (position, literal) in file.literals.enumerated() {
                if literal.isPattern {
                    matchPattern(file, number: number, position: position, into: &found)
                    continue
                }
                guard let candidates = slots[literal.hash] else { continue }
                let text = file.text(of: literal)
                for candidate in candidates where Self.isEqual(text, wanted[candidate].text) {
                    if wanted[candidate].lastFile != number {
                        wanted[candidate].lastFile = number
                        wanted[candidate].files += 1
                    }
                    guard wanted[candidate].files <= Self.mostFiles else { continue }
                    let isExact = text.elementsEqual(wanted[candidate].text)
                    for use in wanted[candidate].uses {
                        let name = items[use.item].components[use.component]
                        let share = Double(text.count) / Double(name.count)
                        let hit = Hit(
                            component: use.component, literal: position, share: share, kind: use.kind,
                            wanted: candidate,
                            isExact: isExact)
                        if found[use.item][number, default: []].count < Self.mostMatches {
                            found[use.item][number, default: []].append(hit)
                        }
                    }
                }
            }
        }
        slots = [:]
        let count = max(2, index.files.count)
        var matches = items.indices.map { item in
            self.matches(found[item], of: items[item]) { Double(min(count, max(1, wanted[$0].files))) }
        }
        found = []
        let constants = uses(of: constants(of: matches))
        for item in items.indices { addUses(constants, to: &matches[item]) }
        let functions = uses(of: functions(of: matches))
        return items.indices.map { item in
            addUsesOfFunctions(functions, to: &matches[item])
            return evidence(for: items[item], matches[item])
        }
    }

    struct Hit {
        let component: Int
        let literal: Int
        let share: Double
        let kind: ItemPath.Variant.Kind
        /// The text that matches; nil for a pattern.
        let wanted: Int?
        let isExact: Bool
    }

    private func wantedTexts() -> ([Wanted], [UInt32: [Int]]) {
        var wanted: [Wanted] = []
        var slots: [UInt32: [Int]] = [:]
        for (item, path) in items.enumerated() {
            for variant in path.variants where variant.text.count >= 2 {
                // The name of a file of preferences is that of the suite.
                if path.location == .preferences, variant.kind != .whole, variant.kind != .stem { continue }
                if variant.kind != .fileExtension, ItemPath.isOpaque(variant.text[...]) { continue }
                let hash = CodeHash.ofLowercased(variant.text)
                let use = (item: item, component: variant.component, kind: variant.kind)
                if let known = slots[hash]?.first(where: { wanted[$0].text == variant.text }) {
                    wanted[known].uses.append(use)
                } else {
                    slots[hash, default: []].append(wanted.count)
                    wanted.append(Wanted(text: variant.text, uses: [use]))
                }
            }
        }
        return (wanted, slots)
    }

    private static func isEqual(_ left: ArraySlice<UInt8>, _ right: [UInt8]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }

    private func matchPattern(_ file: CodeFile, number: Int, position: Int, into found: inout [[Int: [Hit]]]) {
        let pattern = ItemPath.Pattern(file.text(of: file.literals[position]))
        for name in names where pattern.mayMatch(name.text) {
            // The extension may be added elsewhere.
            guard
                let share = pattern.cover(in: name.text[...])
                    ?? name.dot.flatMap({ pattern.cover(in: name.text[..<$0]) })
            else { continue }
            let kind: ItemPath.Variant.Kind = pattern.hasName ? .whole : .fileExtension
            for (item, component) in name.uses where found[item][number, default: []].count < Self.mostMatches {
                found[item][number, default: []].append(
                    Hit(component: component, literal: position, share: share, kind: kind, wanted: nil, isExact: true)
                )
            }
        }
    }

    // MARK: - Evidence

    /// Returns the matches of an item, by file.
    private func matches(_ found: [Int: [Hit]], of item: ItemPath, files: (Int) -> Double) -> [Int: [Match]] {
        let total = Double(max(2, index.files.count))
        var matches: [Int: [Match]] = [:]
        for (number, hits) in found {
            let file = index.files[number]
            matches[number] = hits.map { hit in
                let literal = file.literals[hit.literal]
                let rarity = hit.wanted.map { 1 - log(files($0)) / log(total + 1) } ?? 0.85
                let length = min(1, Double(literal.length) / 8)
                let share = hit.wanted == nil ? 0.3 + 0.7 * hit.share : hit.share
                let kind =
                    switch hit.kind {
                    case .whole: 1.0
                    case .stem: 0.85
                    case .start, .end: 0.6
                    case .fileExtension: 0.5
                    }
                let certainty = (hit.isExact ? 1 : 0.6) * (isOfAnotherPath(hit, in: file, item) ? Self.otherPath : 1)
                let weight = kind * rarity * (0.3 + 0.7 * length) * (0.3 + 0.7 * share) * certainty
                return Match(
                    component: hit.component, line: literal.line, weight: weight,
                    isWhole: hit.kind == .whole && hit.wanted != nil, literal: (number, hit.literal))
            }
        }
        return matches
    }

    /// The share of the weight of a name that stands between other names than in the path of the item.
    private static let otherPath = 0.3

    /// Returns true if the literal has slashes, and the name before or after the matching part is another one than in the path.
    private func isOfAnotherPath(_ hit: Hit, in file: CodeFile, _ item: ItemPath) -> Bool {
        let part = file.literals[hit.literal]
        guard part.isPart else { return false }
        return [-1, 1].contains { step in
            let (position, component) = (hit.literal + step, hit.component + step)
            guard file.literals.indices.contains(position) else { return false }
            let other = file.literals[position]
            let (first, second) = step < 0 ? (other, part) : (part, other)
            // The parts of one literal follow one another.
            guard other.isPart, !other.isPattern, first.start + UInt32(first.length) == second.start else {
                return false
            }
            let text = file.text(of: other)
            if component < 0 { return !ItemPath.isStandardDirectory(text) }
            // A directory contains what the rest of the literal names.
            guard component < item.components.count else { return false }
            return !Self.isEqual(text, Array(item.components[component].prefix(text.count)))
        }
    }

    /// The lowest weight of a whole name with which files without it are compared.
    private static let leastExact = 0.4

    /// Returns the evidence on each file with a match, and on those that use a known type.
    private func evidence(for item: ItemPath, _ matches: [Int: [Match]]) -> [CodeEvidence] {
        let leaf = Leaf(matches, of: item)
        var all = matches.sorted { $0.key < $1.key }.map {
            evidence(for: item, $0.key, matches: $0.value, leaf: leaf)
        }
        addKnownWriters(of: item, to: &all)
        let best = all.map(\.names).max() ?? 0
        let exact = all.map { $0[.exactName] }.max() ?? 0
        for number in all.indices {
            if exact >= Self.leastExact { all[number][.leadsExact] = all[number][.exactName] / exact }
            all[number].weakenContext(comparedWith: best)
        }
        return all
    }

    /// Returns the evidence of a file from the best of its matches, those near them, and the mentions around.
    private func evidence(for item: ItemPath, _ number: Int, matches: [Match], leaf: Leaf) -> CodeEvidence {
        let file = index.files[number]
        let last = item.components.count - 1
        var best: (score: Double, evidence: CodeEvidence)?
        let exact = matches.lazy.filter { $0.component == last && $0.isWhole }.map(\.weight).max() ?? 0
        for match in matches {
            var evidence = CodeEvidence(file: number, line: Int(match.line))
            var parts = [Double](repeating: 0, count: item.components.count)
            for other in matches {
                let distance = Self.distance(other.line, match.line)
                let near = distance <= 3 ? 1 : distance <= 30 ? 0.9 : 0.6
                parts[other.component] = max(parts[other.component], other.weight * near)
            }
            evidence[.name] = parts[last]
            evidence.names = parts[last] + (last > 0 ? parts[last - 1] : 0)
            evidence[.best] = match.weight
            evidence[.exactName] = exact
            evidence[.leaf] = leaf.weight > 0 ? parts[leaf.component] / leaf.weight : 0
            evidence[.nearNames] = parts.reduce(0, +)
            let literal = index.files[match.literal.file].literals[match.literal.position]
            if match.isUse {
                evidence[match.isFunction ? .isFunctionUse : match.literal.file == number ? .isLocalUse : .isUse] = 1
                evidence.declaration = (match.literal.file, Int(literal.line))
            } else {
                if Self.labels.contains(literal.label) { evidence[.isNameArgument] = match.weight }
                evidence[.isConstant] = literal.binding != 0 ? 1 : 0
            }
            // A constant of a directory beside an inner name contains the item only if an outer name is near.
            let isOutermost =
                match.component == 0
                || matches.contains { $0.component < match.component && Self.distance($0.line, match.line) <= 3 }
            addContext(of: file, at: match.line, item, isOutermost: isOutermost, evidence: &evidence)
            evidence[.isKnown] =
                isWrittenByDefault(item, match: match) || isUsedByDefault(item, match: match, in: file) ? 1 : 0
            addPurposes(of: literal, match, in: number, evidence: &evidence)
            // If two lines are alike, the one with the name is the place, not that with a directory.
            let score =
                CodeModel.score(evidence, weights: weights)
                + (match.component == leaf.component ? 0.8 : match.component == last ? 0.4 : 0)
            if best.map({ score > $0.score }) ?? true { best = (score, evidence) }
        }
        guard var evidence = best?.evidence else { return CodeEvidence(file: number) }
        addTraits(of: number, item, evidence: &evidence)
        return evidence
    }

    /// Adds the mentions around a literal.
    private func addContext(
        of file: CodeFile, at line: UInt32, _ item: ItemPath, isOutermost: Bool, evidence: inout CodeEvidence
    ) {
        for mention in file.mentions[Self.range(file.mentions, around: line, by: 20)] {
            let distance = Double(Self.distance(mention.line, line))
            let near = 1 / (1 + distance / 5)
            let feature: CodeModel.Feature? =
                switch mention.meaning {
                case .writes: .writes
                case .buildsPath: .buildsPath
                case .reads: .reads
                case .database: .database
                case .resource: distance <= 1 ? .resource : nil
                default: nil
                }
            if let feature { evidence[feature] = max(evidence[feature], near) }
            if !isOutermost, distance <= 1 { continue }
            if mention.meaning.isDirectory || item.location == .preferences && mention.meaning == .preferences {
                let feature =
                    Self.agrees(mention.meaning, location: item.location) ? CodeModel.Feature.agrees : .disagrees
                evidence[feature] = max(evidence[feature], near)
            }
        }
    }

    private static func distance(_ first: UInt32, _ second: UInt32) -> UInt32 {
        first > second ? first - second : second - first
    }

    /// The mentions at most `distance` lines away.
    static func range(_ mentions: [CodeMention], around line: UInt32, by distance: UInt32) -> Range<Int> {
        func first(_ line: UInt32) -> Int {
            var (low, high) = (0, mentions.count)
            while low < high {
                let middle = (low + high) / 2
                if mentions[middle].line < line { low = middle + 1 } else { high = middle }
            }
            return low
        }
        let start = first(line > distance ? line - distance : 0)
        // A line of thousands of mentions is a generated one.
        return start..<min(first(line + distance + 1), start + 400)
    }

    private static func agrees(_ meaning: CodeMeaning, location: ItemPath.Location) -> Bool {
        switch location {
        case .documents: meaning == .documents
        case .support: meaning == .support
        case .caches: meaning == .caches
        case .temporary: meaning == .temporary
        case .library: meaning == .library
        case .preferences: meaning == .preferences
        case .root: meaning == .group
        }
    }

    /// Adds the properties of a file, and those that it shares with the item.
    func addTraits(of number: Int, _ item: ItemPath, evidence: inout CodeEvidence) {
        let file = properties[number]
        for (feature, value) in file.features { evidence[feature] = value }
        evidence[.fileAgrees] = file.directories.contains { Self.agrees($0, location: item.location) } ? 1 : 0
        let namesake = item.names.lastIndex { !$0.isEmpty && file.names.contains($0) }
        if let namesake {
            evidence[.isNamedAfter] = file.names.first.map(item.names.contains) ?? false ? 1 : 0.7
            evidence[.isNamedAfterLeaf] = namesake == item.names.lastIndex { !$0.isEmpty } ? 1 : 0
        }
        // A file does not only keep up what it is about.
        if !file.upkeep.isEmpty, file.upkeep.isSubset(of: item.words) {
            (evidence[.isUpkeep], evidence[.isMigration]) = (0, 0)
        }
        evidence[.folderName] = file.folder.isDisjoint(with: item.words) ? 0 : 1
        // The system writes preferences: no file API is near.
        if item.location != .preferences {
            evidence[.isSettings] = 0
        } else {
            for feature in [.writes, .buildsPath, .database, .apis] as [CodeModel.Feature] { evidence[feature] = 0 }
        }
        evidence[.rareWord] =
            file.words.lazy.filter { item.words.contains($0) }.map(properties.rarity).max() ?? 0
        evidence[.fileName] =
            file.words.isEmpty
            ? 0 : Double(file.words.count { item.words.contains($0) }) / Double(file.words.count)
    }
}
