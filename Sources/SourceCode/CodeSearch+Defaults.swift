internal import Foundation

/// The files that types write under a default name.
extension CodeSearch {
    func isWrittenByDefault(_ item: ItemPath, match: Match) -> Bool {
        let file = index.files[match.literal.file]
        let literal = file.literals[match.literal.position]
        if !match.isUse, isNamed(by: file, at: match.line, reach: Self.longestCall, item, text: file.text(of: literal))
        {
            return true
        }
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
        return isNamed(by: file, at: match.line, reach: 1, item, text: text)
    }

    /// The lines of a call between the type and the name, as in `Isar.open` with a list of schemas.
    private static let longestCall: UInt32 = 32

    /// Returns true if a type that gives its files a name stands near a line, and the text as its argument gives the item.
    private func isNamed(
        by file: CodeFile, at line: UInt32, reach: UInt32, _ item: ItemPath, text: ArraySlice<UInt8>
    ) -> Bool {
        file.mentions[Self.range(file.mentions, around: line, by: reach)].contains { mention in
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
    static let labels = hashes(
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
            guard
                let component = best.lastIndex(where: { $0 >= 0.3 })
                    ?? best.indices.max(by: { best[$0] < best[$1] })
            else { return }
            (self.component, weight) = (component, best[component])
        }
    }

    /// Adds what the code does with the value of a literal, and what the function around it is for.
    func addPurposes(of literal: CodeLiteral, _ match: Match, in file: Int, evidence: inout CodeEvidence) {
        // A value that is written is read and deleted, too.
        if match.literal.file == file, !literal.fate.contains(.writes) {
            evidence[literal.fate.contains(.upkeep) ? .fateUpkeep : .fateReads] =
                literal.fate.isDisjoint(with: [.upkeep, .reads]) ? 0 : 1
        }
        if literal.fate.contains(.compares) { evidence[.isCompared] = match.weight }
        guard let function = index.files[file].function(at: match.line) else { return }
        if function.purpose.contains(.writes) { evidence[.inWriter] = 1 }
        if function.purpose.contains(.reads) { evidence[.inReader] = 1 }
        if function.purpose.contains(.upkeep) { evidence[.inUpkeep] = 1 }
    }
}
