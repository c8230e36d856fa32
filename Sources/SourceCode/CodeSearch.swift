internal import Foundation

/// The search for the places that write some items.
struct CodeSearch {
    /// A literal that matches a component of a path, at the line of the literal or of a use of its constant.
    struct Match {
        let component: Int
        let line: UInt32
        /// The share of the component that the literal explains, times its rarity.
        var weight: Double
        let isWhole: Bool
        let isPattern: Bool
        let literal: (file: Int, position: Int)
        /// True at a use of the constant.
        var isUse = false
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
    /// The share of the literals of the index that are in files with an extension.
    private let languages: [String: Double]

    init(index: CodeIndex, items: [ItemPath]) {
        (self.index, self.items) = (index, items)
        var counts: [String: Int] = [:]
        for file in index.files {
            counts[
                String(decoding: file.path.split(separator: UInt8(ascii: ".")).last ?? [], as: UTF8.self), default: 0] +=
                file.literals.count
        }
        let total = Double(max(1, counts.values.reduce(0, +)))
        languages = counts.mapValues { Double($0) / total }
    }

    /// The most files with one literal that are kept: a text in more of them says nothing.
    static let mostFiles = 300
    private static let mostMatches = 64

    /// Returns the evidence for each item, the files in the order of the index.
    func evidence() -> [[CodeEvidence]] {
        var (wanted, slots) = wantedTexts()
        // The matches of each item, by file.
        var found = [[Int: [Hit]]](repeating: [:], count: items.count)
        for (number, file) in index.files.enumerated() {
            for (position, literal) in file.literals.enumerated() {
                if literal.isPattern {
                    matchPattern(file, number, position, &found)
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
        return items.indices.map { item in
            evidence(for: items[item], found[item]) { Double(min(count, max(1, wanted[$0].files))) }
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

    /// The most files that use one constant. More of them use different constants of this name.
    private static let mostUses = 12

    private func wantedTexts() -> ([Wanted], [UInt32: [Int]]) {
        var wanted: [Wanted] = []
        var slots: [UInt32: [Int]] = [:]
        for (item, path) in items.enumerated() {
            for variant in path.variants where variant.text.count >= 2 {
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

    private func matchPattern(_ file: CodeFile, _ number: Int, _ position: Int, _ found: inout [[Int: [Hit]]]) {
        let text = file.text(of: file.literals[position])
        for (item, path) in items.enumerated() {
            for (component, name) in path.components.enumerated() {
                let dot = ItemPath.endOfStem(name)
                let last = text.last ?? 0
                var share: Double?
                if last == CodeLiteral.hole || last.asciiLowercased == name[name.count - 1].asciiLowercased {
                    share = ItemPath.cover(of: text, in: name[...])
                }
                // The extension may be added elsewhere.
                if share == nil, let dot { share = ItemPath.cover(of: text, in: name[..<dot]) }
                guard let share, found[item][number, default: []].count < Self.mostMatches else { continue }
                found[item][number, default: []].append(
                    Hit(component: component, literal: position, share: share, kind: .whole, wanted: nil, isExact: true)
                )
            }
        }
    }

    // MARK: - Evidence

    private func evidence(
        for item: ItemPath, _ found: [Int: [Hit]], files: (Int) -> Double
    ) -> [CodeEvidence] {
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
                let weight = kind * rarity * (0.3 + 0.7 * length) * (0.3 + 0.7 * share) * (hit.isExact ? 1 : 0.6)
                return Match(
                    component: hit.component, line: literal.line, weight: weight,
                    isWhole: hit.kind == .whole && hit.wanted != nil, isPattern: hit.wanted == nil,
                    literal: (number, hit.literal))
            }
        }
        let used = addUses(to: &matches)
        var all = matches.sorted { $0.key < $1.key }.map { evidence(for: item, $0.key, $0.value, used) }
        all += knownWriters(of: item, besides: Set(matches.keys))
        let best = all.map { $0[.name] + $0[.parent] }.max() ?? 0
        if best > 0 {
            for number in all.indices { all[number][.leads] = (all[number][.name] + all[number][.parent]) / best }
        }
        return all
    }

    /// Adds the matches of constants at the lines that use them near a file API.
    private func addUses(to matches: inout [Int: [Match]]) -> Set<UInt32> {
        var used: Set<UInt32> = []
        var constants: [UInt32: [Match]] = [:]
        for match in matches.values.joined() where match.weight > 0.1 {
            let literal = index.files[match.literal.file].literals[match.literal.position]
            guard literal.binding != 0 else { continue }
            for hash in Set([literal.binding, literal.member]) where hash != 0 {
                if constants[hash, default: []].count < 4 { constants[hash, default: []].append(match) }
            }
        }
        guard !constants.isEmpty else { return used }
        var uses: [UInt32: [(file: Int, line: UInt32)]] = [:]
        for (number, file) in index.files.enumerated() {
            for use in file.uses where constants[use.hash] != nil {
                if uses[use.hash, default: []].count <= Self.mostUses {
                    uses[use.hash, default: []].append((number, use.line))
                }
            }
        }
        for (hash, places) in uses where places.count <= Self.mostUses {
            for match in constants[hash] ?? [] {
                let literal = index.files[match.literal.file].literals[match.literal.position]
                let isMember = literal.member == hash
                for place in places where (place.file, place.line) != (match.literal.file, literal.line) {
                    guard matches[place.file, default: []].count < 2 * Self.mostMatches else { continue }
                    if place.file != match.literal.file { used.insert(literal.binding) }
                    var use = match
                    use.weight *= (isMember ? 0.95 : 0.85) * (places.count > 4 ? 0.8 : 1)
                    matches[place.file, default: []].append(
                        Match(
                            component: use.component, line: place.line, weight: use.weight, isWhole: use.isWhole,
                            isPattern: use.isPattern, literal: use.literal, isUse: true))
                }
            }
        }
        return used
    }

    /// Returns the evidence of a file from the best of its matches, those near them, and the mentions around.
    private func evidence(
        for item: ItemPath, _ number: Int, _ matches: [Match], _ used: Set<UInt32>
    ) -> CodeEvidence {
        let file = index.files[number]
        let last = item.components.count - 1
        var best: (score: Double, evidence: CodeEvidence)?
        let named = Set(matches.lazy.filter { $0.weight > 0.1 }.map(\.component)).count
        let coverage = Double(named) / Double(max(1, item.components.count))
        for match in matches {
            var evidence = CodeEvidence(file: number, line: Int(match.line))
            var parts = [Double](repeating: 0, count: item.components.count)
            for other in matches {
                let distance = other.line > match.line ? other.line - match.line : match.line - other.line
                let near = distance <= 3 ? 1 : distance <= 30 ? 0.9 : 0.6
                parts[other.component] = max(parts[other.component], other.weight * near)
            }
            evidence[.name] = parts[last]
            evidence[.parent] = last > 0 ? parts[last - 1] : 0
            evidence[.upper] = last > 1 ? parts[..<(last - 1)].max() ?? 0 : 0
            evidence[.best] = match.weight
            evidence[.isWhole] = match.isWhole ? match.weight : 0
            evidence[.isPattern] = match.isPattern ? match.weight : 0
            let literal = index.files[match.literal.file].literals[match.literal.position]
            addContext(of: file, at: match.line, item, &evidence)
            evidence[.isConstant] = literal.binding != 0 && !match.isUse ? 1 : 0
            if match.isUse {
                evidence[match.literal.file == number ? .isLocalUse : .isUse] = 1
                evidence.declaration = (match.literal.file, Int(literal.line))
            }
            evidence[.isKnown] = isWrittenByDefault(item, match) ? 1 : 0
            evidence[.coverage] = coverage
            evidence[.matchCount] = log(Double(matches.count)) / 3
            evidence[.isUsedElsewhere] = !match.isUse && used.contains(literal.binding) ? 1 : 0
            evidence[.nearNames] = parts.reduce(0, +)
            evidence[.namedAndWritten] =
                match.weight * max(evidence[.writes], evidence[.database], evidence[.buildsPath])
            // Of two lines that are alike, the one with the name is the place, not that with a directory.
            let score = CodeModel.score(evidence) + (match.component == last ? 0.4 : 0)
            if best.map({ score > $0.score }) ?? true { best = (score, evidence) }
        }
        guard var evidence = best?.evidence else { return CodeEvidence(file: number) }
        addTraits(of: file, item, &evidence)
        return evidence
    }

    /// Adds the mentions around a literal.
    private func addContext(
        of file: CodeFile, at line: UInt32, _ item: ItemPath, _ evidence: inout CodeEvidence
    ) {
        for mention in file.mentions[Self.range(file.mentions, around: line, by: 20)] {
            let distance = Double(mention.line > line ? mention.line - line : line - mention.line)
            let near = 1 / (1 + distance / 5)
            let feature: CodeModel.Feature? =
                switch mention.meaning {
                case .writes: .writes
                case .buildsPath: .buildsPath
                case .reads: .reads
                case .removes: .removes
                case .database: .database
                case .preferences: .preferences
                case .excludes: .excludes
                case .resource: distance <= 1 ? .resource : nil
                default: nil
                }
            if let feature { evidence[feature] = max(evidence[feature], near) }
            if mention.meaning.isDirectory {
                let feature = Self.agrees(mention.meaning, item.location) ? CodeModel.Feature.agrees : .disagrees
                evidence[feature] = max(evidence[feature], near)
            }
        }
    }

    /// The mentions at most `distance` lines away.
    private static func range(_ mentions: [CodeMention], around line: UInt32, by distance: UInt32) -> Range<Int> {
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

    private static func agrees(_ meaning: CodeMeaning, _ location: ItemPath.Location) -> Bool {
        switch location {
        case .documents: meaning == .documents
        case .support: meaning == .support
        case .caches: meaning == .caches
        case .temporary: meaning == .temporary
        case .library: meaning == .library
        case .preferences: meaning == .group
        case .root: meaning == .group
        }
    }

    func addTraits(of file: CodeFile, _ item: ItemPath, _ evidence: inout CodeEvidence) {
        evidence[.test] = file.traits.contains(.test) ? 1 : 0
        evidence[.vendored] = file.traits.contains(.vendored) ? 1 : 0
        evidence[.generated] = file.traits.contains(.generated) ? 1 : 0
        evidence[.otherPlatform] = file.traits.contains(.otherPlatform) ? 1 : 0
        var (apis, agrees) = (0.0, 0.0)
        for mention in file.mentions {
            if mention.meaning == .writes || mention.meaning == .buildsPath { apis += 1 }
            if mention.meaning.isDirectory, Self.agrees(mention.meaning, item.location) { agrees = 1 }
        }
        evidence[.apis] = log(1 + apis) / 3
        evidence[.fileAgrees] = agrees
        evidence[.fileName] = Self.sharedWords(of: file.path, item)
        evidence[.language] =
            languages[String(decoding: file.path.split(separator: UInt8(ascii: ".")).last ?? [], as: UTF8.self)] ?? 0
        let path = String(decoding: file.path, as: UTF8.self).lowercased()
        let name = path[(path.lastIndex(of: "/") ?? path.startIndex)...]
        func has(_ words: [String], in text: Substring) -> Double { words.contains(where: text.contains) ? 1 : 0 }
        evidence[.isView] = has(
            [
                "view", "screen", "page", "cell", "sheet", "row", "dialog", "widget", "coordinator", "settings",
                "preview",
            ], in: name)
        evidence[.isMigration] = has(["migrat", "legacy", "debug", "import", "constants", "deprecated"], in: name)
        evidence[.isStorage] = has(
            [
                "stor", "cache", "file", "database", "persist", "repository", "manager", "logg", "download", "director",
                "path",
            ],
            in: name)
        evidence[.isExtension] = has(
            ["extension/", "extension service", "widget/", "widgets/", "intents/", "watch", "shareextension"],
            in: path[...])
    }

    /// The share of words in the name of a source file that are also in the path of an item.
    private static func sharedWords(of path: [UInt8], _ item: ItemPath) -> Double {
        let name = path.lastIndex(of: UInt8(ascii: "/")).map { path[($0 + 1)...] } ?? path[...]
        let words = words(of: name.prefix { $0 != UInt8(ascii: ".") })
        guard !words.isEmpty else { return 0 }
        var known: Set<[UInt8]> = []
        for component in item.components { known.formUnion(Self.words(of: component[...])) }
        return Double(words.filter(known.contains).count) / Double(words.count)
    }

    /// The words of a name with at least three letters, in lower case, without the ending of the plural.
    static func words(of name: ArraySlice<UInt8>) -> Set<[UInt8]> {
        var (words, word): (Set<[UInt8]>, [UInt8]) = ([], [])
        func finish() {
            if word.last == UInt8(ascii: "s") { word.removeLast() }
            if word.count >= 3 { words.insert(word) }
            word = []
        }
        var previous: UInt8 = 0
        for byte in name {
            let isUpper = byte.isLetter && byte != byte.asciiLowercased
            if !byte.isLetter || isUpper && previous.isLetter && previous == previous.asciiLowercased { finish() }
            if byte.isLetter { word.append(byte.asciiLowercased) }
            previous = byte
        }
        finish()
        return words
    }
}
