internal import TextOutput

/// A rule with its settings for some paths: those of its file or of a configuration.
package struct RuleForm: Sendable {
    package let rule: Rule
    /// The paths to which it applies; nil for all.
    let paths: RulePaths?
}

/// The form of a rule that an item meets, if overrides of a configuration name the rule.
struct RulePaths: Sendable {
    /// The paths of each override, in order; the last that matches decides.
    let overrides: [[PathGlob]]
    /// The override whose form this is; nil for the form of all other paths.
    let own: Int?

    func applies(_ path: [UInt8]) -> Bool { overrides.lastIndex { $0.contains { $0.matches(path) } } == own }
}

extension Configuration {
    /// The rules of a catalogue in every form that this configuration asks for; none where it turns one off, or where
    /// nothing asks for an optional one.
    ///
    /// - Throws: A setting of an unknown rule, or an invalid setting.
    func forms(of catalogue: Catalogue) throws(SourceError) -> [RuleForm] {
        try check(catalogue)
        var forms: [RuleForm] = []
        for rule in catalogue.rules {
            let common = setting(of: rule, in: rules)
            let named = overrides.compactMap { override in
                setting(of: rule, in: override.rules).map { (paths: override.paths.value, setting: $0) }
            }
            let paths = named.map(\.paths)
            func add(_ setting: RuleSetting?, own: Int?) throws(SourceError) {
                guard setting?.isOff != true else { return }
                let limits = paths.isEmpty ? nil : RulePaths(overrides: paths, own: own)
                forms.append(RuleForm(rule: try rule.with(setting), paths: limits))
            }
            if !rule.isOptional || catalogue.requests(for: rule) || common != nil { try add(common, own: nil) }
            for (index, (_, setting)) in named.enumerated() {
                var whole = common ?? setting
                whole.add(setting)
                try add(whole, own: index)
            }
        }
        return forms
    }

    /// Returns true if the configuration says `off` for a rule at a path.
    func turnsOff(_ rule: Rule, at path: [UInt8]) -> Bool {
        let own = overrides.last { override in
            setting(of: rule, in: override.rules) != nil && override.paths.value.contains { $0.matches(path) }
        }
        return (own.flatMap { setting(of: rule, in: $0.rules) } ?? setting(of: rule, in: rules))?.isOff ?? false
    }

    private func setting(of rule: Rule, in settings: [String: RuleSetting]) -> RuleSetting? {
        settings.isEmpty ? nil : rule.names.compactMap { settings[$0] }.first
    }

    /// Returns true if every rule that is named is there, and every budget a rule's with one.
    private func check(_ catalogue: Catalogue) throws(SourceError) {
        let settings = ([rules] + overrides.map(\.rules)).flatMap { $0 }
        let named = settings.map { ($0.key, $0.value.position) } + budgetPositions.map { ($0.rule, $0.position) }
        let known = named.isEmpty ? [] : catalogue.names
        for (name, position) in named.sorted(by: { ($0.1.line, $0.0) < ($1.1.line, $1.0) }) where !known.contains(name)
        {
            throw position.error("there is no rule “\(name)”", suggestion: NearestName.of(name, among: known))
        }
        for suppression in suppressions {
            for word in suppression.value.rules where catalogue.loaded(named: word).isEmpty {
                throw suppression.position.error(
                    "there is no rule or group “\(word)”", suggestion: NearestName.of(word, among: catalogue.words))
            }
        }
        for (name, position) in budgetPositions {
            let rule = catalogue.rules.first { $0.names.contains(name) }
            if let rule, rule.aggregate == nil { throw position.error("the rule “\(name)” has no budget") }
        }
    }
}

extension Configuration {
    /// Bytes that a rule with a budget allows instead of its own.
    func budget(of rule: Rule) -> UInt64? { allowed.isEmpty ? nil : rule.names.compactMap { allowed[$0]?.value }.first }
}
