internal import TextOutput

/// A value of a rule that a configuration may set: `thresholds: { days: 7d }`, used in the rule as `$days`.
package struct Threshold: Sendable, Hashable {
    /// The name in configurations.
    package let name: String
    /// As the rule's file has it.
    package let standard: String
    /// As it is set.
    package let value: String

    /// The thresholds of a rule's file, with what a configuration sets of them.
    ///
    /// - Throws: A setting that is not a threshold of the rule, or a value of another kind than the default.
    static func all(
        _ own: YAMLValue?, setting: RuleSetting?
    ) throws(SourceError) -> [(threshold: Threshold, value: YAMLValue)] {
        var all: [(threshold: Threshold, value: YAMLValue)] = []
        for (key, value) in try own?.pairs() ?? [] {
            let (name, standard) = (try key.string(), try value.string())
            guard let located = setting?.thresholds[name] else {
                all.append((Threshold(name: name, standard: standard, value: standard), value))
                continue
            }
            let text = try Form(standard).text(of: located, name)
            let set = YAMLValue(text, at: located.position)
            all.append((Threshold(name: name, standard: standard, value: text), set))
        }
        for (name, located) in setting?.thresholds ?? [:] where !all.contains(where: { $0.threshold.name == name }) {
            let names = all.map(\.threshold.name) + ["severity"]
            throw located.position.error(
                "the rule has no threshold “\(name)”; known: \(names.sorted().joined(separator: ", "))",
                suggestion: NearestName.of(name, among: names))
        }
        return all
    }

    /// The kind of a value, derived from the default.
    private enum Form {
        case span, number, size, text

        init(_ standard: String) {
            let value = YAMLValue(standard, at: SourcePosition(file: "", text: "", line: 1, column: 1, width: 1))
            if (try? value.duration()) != nil {
                self = .span
            } else if Double(standard) != nil {
                self = .number
            } else if (try? value.size()) != nil {
                self = .size
            } else {
                self = .text
            }
        }

        /// A set value in this form. A plain number is a span where the threshold is named for the unit: `days: 14`.
        func text(of located: Located<String>, _ name: String) throws(SourceError) -> String {
            var text = located.value
            let units = ["days": "d", "hours": "h", "minutes": "m", "seconds": "s"]
            if self == .span, Int(text) != nil, let unit = units[name] { text += unit }
            let value = YAMLValue(text, at: located.position)
            switch self {
            case .span: _ = try value.duration()
            case .size: _ = try value.size()
            case .number where Double(text) == nil: throw located.position.error("expected a number")
            case .number, .text: break
            }
            return text
        }
    }
}
