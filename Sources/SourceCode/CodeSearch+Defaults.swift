internal import Foundation

/// The files that types write under a default name.
extension CodeSearch {
    func isWrittenByDefault(_ item: ItemPath, match: Match) -> Bool {
        let file = index.files[match.literal.file]
        let literal = file.literals[match.literal.position]
        guard literal.call != 0 || literal.label != 0 else { return false }
        return CodeDefaults.all.indices.contains { index in
            let known = CodeDefaults.all[index]
            let hash = CodeDefaults.hashes[index]
            guard !known.isUnnamed, literal.call == hash || literal.label == hash else { return false }
            return known.matches(item, argument: file.text(of: literal))
        }
    }

    /// Returns true if a type that gives its files a name stands at the line that uses the constant.
    func isUsedByDefault(_ item: ItemPath, match: Match, in file: CodeFile) -> Bool {
        guard match.isUse else { return false }
        let text = index.files[match.literal.file].text(
            of: index.files[match.literal.file].literals[match.literal.position])
        return file.mentions[Self.range(file.mentions, around: match.line, by: 1)].contains { mention in
            guard let known = mention.meaning.knownDefault.map({ CodeDefaults.all[$0] }) else { return false }
            return !known.isUnnamed && known.matches(item, argument: text)
        }
    }

    /// Adds the files that use a type that gives the item its name: a default one, or one with a value that is no literal.
    func addKnownWriters(of item: ItemPath, to all: inout [CodeEvidence]) {
        var features: [Int: CodeModel.Feature] = [:]
        for (index, known) in CodeDefaults.all.enumerated() {
            if known.isUnnamed {
                if known.matches(item) { features[index] = .isKnown }
            } else if known.mayMatch(item) {
                features[index] = .isComputed
            }
        }
        guard !features.isEmpty else { return }
        let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.file, $0) })
        var added = 0
        for (number, file) in index.files.enumerated() {
            for mention in file.mentions {
                guard let feature = mention.meaning.knownDefault.flatMap({ features[$0] }) else { continue }
                let value = feature == .isKnown ? 0.5 : 1
                if let place = places[number] {
                    // The name is no value that is computed, if the file states it.
                    guard feature == .isKnown || all[place][.leaf] < 0.5 else { continue }
                    all[place][feature] = max(all[place][feature], value)
                } else if added < Self.mostFiles {
                    var evidence = CodeEvidence(file: number, line: Int(mention.line))
                    evidence[feature] = value
                    addTraits(of: number, item, evidence: &evidence)
                    all.append(evidence)
                    added += 1
                    break
                }
            }
        }
    }

    /// The labels of arguments that are names of files, and the names of constants and functions that many files have for
    /// different values.
    private static let names = hashes(
        """
        name named fileName filename path filePath directory directoryName dirName folder folderName dbName databaseName \
        storeName boxName containerName suiteName diskPath identifier subdirectory subpath withName
        """)
    static let commonNames = hashes(
        """
        filename fileName filePath filepath directory directoryName dirName folder folderName format prefix suffix string \
        result message parent identifier extension fileExtension baseName fileURL location source target output content \
        config version default response request description separator pattern placeholder options params
        """)

    private static func hashes(_ text: String) -> Set<UInt32> {
        Set(text.split(separator: " ").map { CodeHash.of($0.utf8) })
    }

    /// The innermost name of a path that any file matches well.
    struct Leaf {
        var component = 0
        /// The weight of its best match.
        var weight = 0.0

        init(_ matches: [Int: [Match]], of item: ItemPath) {
            var best = [Double](repeating: 0, count: item.components.count)
            for match in matches.values.joined() {
                best[match.component] = max(best[match.component], match.weight)
            }
            guard let component = best.lastIndex(where: { $0 >= 0.3 }) ?? best.indices.max(by: { best[$0] < best[$1] })
            else { return }
            (self.component, weight) = (component, best[component])
        }
    }

    private static let meanings = CodeMeaning.Table()

    /// Adds what the function does that has the literal as an argument.
    func addCall(of literal: CodeLiteral, _ match: Match, _ leaf: Leaf, evidence: inout CodeEvidence) {
        if Self.names.contains(literal.label) { evidence[.isNameArgument] = match.weight }
        for hash in [literal.call, literal.label] where hash != 0 {
            switch Self.meanings[hash] {
            case .writes, .buildsPath, .database:
                evidence[.argument] = match.weight
                if match.component == leaf.component { evidence[.leafArgument] = match.weight / max(leaf.weight, 0.01) }
            case .resource: evidence[.resourceArgument] = match.weight
            default: break
            }
        }
    }
}
