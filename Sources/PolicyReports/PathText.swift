internal import AppContainer
public import StoragePolicy
public import TextOutput

/// What there is to know of one path of a container: its passport, and every rule's verdict.
public struct PathText {
    private let explanation: PathExplanation
    /// The line of the app's source that wrote it, as a report's finding shows it.
    private let source: String?

    /// The text of an explanation of an input.
    public init(_ explanation: PathExplanation, of input: String) {
        self.explanation = explanation
        source = explanation.passport.source.map { source in
            let names = Set([SourceName(source)].compactMap(\.self))
            let anchor = Anchor(source, in: Repository.current.paths(of: names, besides: [input]))
            return anchor.map { "\($0.shown):\($0.line)" } ?? ByteText.escaped(Array(source.description.utf8))
        }
    }

    /// For a person: the passport a line each, then the rules: those that report it, those whose condition does not
    /// hold, and those that are about other things.
    public func text(style: Style) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        var text = style.bold(shownPath) + "\n\n"
        for (label, value) in rows {
            text += "  \(label)\(String(repeating: " ", count: width - label.count))  \(value)\n"
        }
        let sections: [(PathExplanation.Verdict.Outcome, String)] = [
            (.found, "Reported by"), (.passed, "Let be by, for what does not hold of it"),
            (.off, "Not judged by"), (.outside, "No matter of, for where they apply"),
        ]
        for (outcome, title) in sections {
            let verdicts = explanation.verdicts.filter { $0.outcome == outcome }
            if verdicts.isEmpty { continue }
            text += "\n\(style.bold(title))\n"
            for verdict in verdicts { text += "  \(verdict.rule.id)  \(style.dim(verdict.reason))\n" }
        }
        return explanation.isComplete ? text : text + "\nNot everything of the container could be looked at.\n"
    }

    /// An object: the passport and an array of verdicts.
    public func json(to output: @escaping (String) -> Void) {
        let passport = explanation.passport
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("path", passport.path)
            json.field("kind", passport.kind)
            json.field("bytes", passport.bytes)
            json.field("location", passport.location.path)
            json.object("exclusion") { json in
                json.field("state", passport.exclusion.state.rawValue)
                json.field("decidedBy", passport.exclusion.mark?.rawValue ?? "none")
                json.field("at", passport.exclusion.carrier.map { ByteText.escaped(Array($0.utf8)) })
            }
            json.field("backedUp", Self.word(passport.isBackedUp))
            json.field("purged", passport.location.purge.rawValue)
            json.field("visibleInFiles", passport.location.visibility.rawValue)
            json.field("restored", Self.word(passport.isBackedUp))
            json.field("maker", passport.maker)
            json.field("origin", passport.origin)
            json.field("source", passport.source.map { ByteText.escaped(Array($0.description.utf8)) })
            json.array("registry") { json in
                for match in passport.registry {
                    json.object { json in
                        json.field("sdk", match.sdk)
                        json.field("pattern", match.pattern)
                        json.field("holds", match.holds)
                    }
                }
            }
            json.array("rules") { json in
                for verdict in explanation.verdicts {
                    json.object { json in
                        json.field("rule", verdict.rule.id)
                        json.field("outcome", verdict.outcome.rawValue)
                        json.field("reason", verdict.reason)
                    }
                }
            }
            json.field("complete", explanation.isComplete)
        }
        output("\n")
    }

    private var shownPath: String {
        explanation.passport.path.isEmpty ? "the container itself" : explanation.passport.path
    }

    private var rows: [(String, String)] {
        let passport = explanation.passport
        var rows = [
            ("kind", passport.kind == "file" ? "file, \(Quantity.bytes(passport.bytes))" : passport.kind),
            ("location", "\(passport.location): \(passport.location.purpose)"),
            ("do-not-back-up", flag), ("backed up", Self.word(passport.isBackedUp) + backupReason),
            ("purged by the system", passport.location.purge.rawValue),
            ("visible in Files", passport.location.visibility.rawValue),
            ("there after a restore", restored),
        ]
        if let maker = passport.maker {
            rows.append(("made by", maker + (passport.origin.map { ", from \($0)" } ?? "")))
        }
        if let source { rows.append(("written by", source)) }
        for match in passport.registry { rows.append(("known as", "\(match.sdk), \(match.holds) (\(match.pattern))")) }
        return rows
    }

    private var flag: String {
        let exclusion = explanation.passport.exclusion
        switch exclusion.state {
        case .included: return "no"
        case .unknown: return "unknown: the file system cannot carry it"
        case .excluded:
            let carrier =
                exclusion.carrier.map { $0.isEmpty ? "the root" : ByteText.escaped(Array($0.utf8)) } ?? "its own"
            return "yes, by \(exclusion.mark?.rawValue ?? "a mark") on \(carrier)"
        }
    }

    private var backupReason: String {
        let passport = explanation.passport
        if passport.exclusion.state == .excluded, passport.location.backup == .backedUp { return ", the flag decides" }
        return passport.exclusion.state == .unknown ? "" : ", by its location"
    }

    private var restored: String {
        switch explanation.passport.isBackedUp {
        case true: "yes"
        case false: "no, it is in no backup"
        default: "unknown"
        }
    }

    private static func word(_ value: Bool?) -> String { value.map { $0 ? "yes" : "no" } ?? "unknown" }
}
