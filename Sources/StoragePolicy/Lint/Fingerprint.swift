internal import PolicyTexts
internal import Secrets

extension Finding {
    /// The subject of a finding at its path. One rule may report several findings at one directory.
    package enum Part: Sendable, Hashable {
        /// The item.
        case item
        /// The items of the directory, too many to be named.
        case contents
        /// The total of a budget, identified by the budget. Its common directory changes with each file.
        case sum(String)
        /// The findings beyond the limit of a rule, below a directory.
        case rest
        /// A suppression or a baseline entry, by its identifier.
        case exception(String)

        package var word: String {
            switch self {
            case .item: ""
            case .contents: "contents"
            case .sum(let of): "sum \(of)"
            case .rest: "rest"
            case .exception(let name): "exception \(name)"
            }
        }

        /// Reads a word; nil for one that is not `word` of any part.
        package init?(word: String) {
            let name = word.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
            switch (word.prefix { $0 != " " }, name.map(String.init)) {
            case ("", nil): self = .item
            case ("contents", nil): self = .contents
            case ("rest", nil): self = .rest
            case ("sum", let name?): self = .sum(name)
            case ("exception", let name?): self = .exception(name)
            default: return nil
            }
        }

        /// True if the path is no part of what the problem is.
        var isAnywhere: Bool {
            switch self {
            case .sum: true
            case .item, .contents, .rest, .exception: false
            }
        }
    }

    /// Sixteen hexadecimal digits that stay the same for the same problem, whatever the container is kept in, and are
    /// others for another: they are of the rule, the path in the container, and whose container it is.
    public var fingerprint: String { recorded?.fingerprint ?? fingerprint(as: rule.id, path: path, part) }

    /// The fingerprints that the finding may have in another run: also those under former names of the rule, and that of
    /// the directory's items together, which are one finding if they are many.
    var knownFingerprints: [String] {
        rule.names.flatMap { name in
            let own = fingerprint(as: name, path: path, part)
            guard part == .item, let end = path.lastIndex(of: UInt8(ascii: "/")) else { return [own] }
            return [own, fingerprint(as: name, path: Array(path[..<end]), .contents)]
        }
    }

    private func fingerprint(as name: String, path: [UInt8], _ part: Part) -> String {
        Digest.text(hash(as: name, path, part: part, ordinal: ordinal))
    }

    private func hash(as name: String, _ path: [UInt8], part: Part, ordinal: UInt64) -> UInt64 {
        var hash = Digest()
        hash.add(name.utf8)
        // A short hash of a name with a secret would let others test guesses.
        hash.add(part.isAnywhere ? [] : path.withoutSecrets)
        hash.add(part.word.utf8)
        hash.add(container.utf8)
        return ordinal == 0 ? hash.value : (hash.value ^ ordinal) &* Digest.prime
    }

    /// Numbers otherwise equal findings, such as those of two settings of one rule in one directory.
    static func number(_ findings: inout [Finding]) {
        var seen: [UInt64: UInt64] = [:]
        for index in findings.indices {
            let finding = findings[index]
            let hash = finding.hash(as: finding.rule.id, finding.path, part: finding.part, ordinal: 0)
            let earlier = seen[hash, default: 0]
            if earlier > 0 { findings[index] = finding.numbered(earlier) }
            seen[hash] = earlier + 1
        }
    }
}
