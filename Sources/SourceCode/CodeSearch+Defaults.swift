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

    /// The files that use a type whose default name is that of the item.
    func knownWriters(of item: ItemPath, besides known: Set<Int>) -> [CodeEvidence] {
        let defaults = Set(
            CodeDefaults.all.indices.filter { CodeDefaults.all[$0].isUnnamed && CodeDefaults.all[$0].matches(item) })
        guard !defaults.isEmpty else { return [] }
        var results: [CodeEvidence] = []
        for (number, file) in index.files.enumerated() where !known.contains(number) {
            let mentions = file.mentions.filter { $0.meaning.knownDefault.map(defaults.contains) ?? false }
            guard let first = mentions.first else { continue }
            var evidence = CodeEvidence(file: number, line: Int(first.line))
            evidence[.isKnown] = 0.5
            addTraits(of: number, item, evidence: &evidence)
            results.append(evidence)
            if results.count >= Self.mostFiles { break }
        }
        return results
    }
}
