internal import SourceCode
internal import StoragePolicy
internal import SystemPackage
internal import TextOutput

/// The lines of source code that probably write an item, or the system or the SDK that writes it.
struct Writers {
    /// A line that probably writes an item.
    struct Line {
        let anchor: Anchor
        /// The probability, from 0.5 to 1.
        let confidence: Double
        /// The text of the line without secrets; nil if it was not read.
        let text: String?
        /// The line that declares the name of the item, if it is another.
        let declaration: Anchor?
        /// The place in the source code that was searched; nil for a line of an earlier report.
        var found: CodePlace?
        /// The items that the line probably writes.
        var items: [[UInt8]] = []

        /// The file and the line.
        var place: String { "\(anchor.shown):\(anchor.line)" }
        /// The place with the probability: `Sources/Store.swift:22  (91 %)`.
        var shown: String { "\(place)  (\(percent))" }
        var percent: String { "\(min(99, Int((confidence * 100).rounded()))) %" }
    }

    /// The likeliest lines, at most three.
    var lines: [Line] = []
    /// The system or the SDK. Then there are no lines.
    var writer: String?

    /// The confidence from which a report points at a line instead of the item.
    static let anchored = 0.8
    private static let mostLines = 3

    init() {}

    /// Creates the writers of an item from the answer of its app's source code.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - item: The path of the item in its container.
    ///   - source: The source code.
    init(_ answer: CodeAnswer, of item: [UInt8], in source: AppSource) {
        func anchor(_ path: [UInt8], root: Int, line: Int) -> Anchor {
            Anchor(
                kind: .source, path: source.name(of: path, in: root),
                at: Array(source.absolutePath(of: path, in: root).string.utf8), line: line)
        }
        writer = answer.writer
        lines = answer.places.map { place in
            Line(
                anchor: anchor(place.path, root: place.root, line: place.line), confidence: place.confidence,
                text: source.text(of: place),
                declaration: place.declaration.map { anchor($0.path, root: $0.root, line: $0.line) }, found: place,
                items: [item])
        }
    }

    /// Creates the writers that an earlier report records.
    init(_ recorded: Finding.Recorded) {
        writer = recorded.writer
        lines = recorded.writtenBy.prefix(Self.mostLines).compactMap { line in
            Anchor(line.anchor).map { Line(anchor: $0, confidence: line.confidence, text: nil, declaration: nil) }
        }
    }

    /// Creates the writers of several items: the lines that write most of them first. A line has the lowest of its
    /// confidences, so that none is overstated.
    init(_ all: [Writers]) {
        guard all.count > 1 else {
            self = all.first ?? Writers()
            return
        }
        let names = Set(all.map(\.writer))
        if names.count == 1, let name = names.first { writer = name }
        var sums: [(line: Line, sum: Double)] = []
        var positions: [Anchor: Int] = [:]
        for line in all.flatMap(\.lines) {
            guard let position = positions[line.anchor] else {
                positions[line.anchor] = sums.count
                sums.append((line, line.confidence))
                continue
            }
            let known = sums[position].line
            var merged = line.confidence < known.confidence ? line : known
            merged.items = known.items + line.items
            sums[position] = (merged, sums[position].sum + line.confidence)
        }
        // Equal sums keep the order of the items.
        lines = sums.enumerated().sorted { ($0.element.sum, $1.offset) > ($1.element.sum, $0.offset) }
            .prefix(Self.mostLines).map(\.element.line)
    }
}

extension Rule {
    /// The effects that its remedies have in Swift, the preferred one first.
    var effects: [CodeChange.Effect] {
        var effects: [CodeChange.Effect] = []
        let words: KeyValuePairs<String, CodeChange.Effect> = [
            ".cachesDirectory": .caches, "isExcludedFromBackup = true": .excluded,
            "isExcludedFromBackup = false": .included,
        ]
        for text in swift.compactMap({ $0.codes.first?.text }) {
            for (word, effect) in words where text.contains(word) && !effects.contains(effect) {
                effects.append(effect)
            }
        }
        return effects
    }
}

extension Writers.Line {
    /// Returns the lines of a change of the code for a rule, as a difference, below the place; empty without one.
    func change(for rule: Rule, in code: AppSource) -> [String] {
        guard let found, let change = code.change(at: found, for: rule.effects) else { return [] }
        let place = "\(anchor.shown):\(change.line)"
        guard change.new.first == change.old else {
            return [place, "- \(change.old)"] + change.new.map { "+ \($0)" }
        }
        return [place, "  \(change.old)"] + change.new.dropFirst().map { "+ \($0)" }
    }
}

extension Writers.Line {
    /// Returns a sentence with the line that writes an item and the line that excludes its URL from backup, for an item that is
    /// not excluded; nil if the code does not exclude it.
    func lostExclusion(in code: AppSource) -> String? {
        guard let found, let line = code.exclusion(near: found) else { return nil }
        return "\(anchor.shown):\(line) excludes what \(place) writes, and the item is not excluded"
    }
}

extension LintRun {
    /// A sentence for a report that points at a line of source code without proof that it writes the item; nil for others.
    func doubt(of finding: Finding) -> String? {
        anchors.writingLine(of: finding).map { "This line probably writes the item (\($0.percent))" }
    }
}
