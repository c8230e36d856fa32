internal import YAMLFiles

/// The values of a file with known errors, which are replaced by wildcards or left out to find further errors.
final class ErrorMask {
    /// The values, by their offset in the tree of the file. A key among them is left out together with its value.
    package fileprivate(set) var values: Set<Int> = []
    /// The keys that mappings lack, by the offset of the mapping.
    fileprivate(set) var missingKeys: [Int: Set<String>] = [:]
}

/// Answers every question of a parser, so that it continues past a value with an error.
final class Wildcard: ValueRecorder {
    private let node: YAMLNode
    private let source: YAMLValue.Source
    package let text = "x"

    init(_ node: YAMLNode, source: YAMLValue.Source) { (self.node, self.source) = (node, source) }

    private var value: YAMLValue { YAMLValue(wildcardFor: node, source) }

    package func record(_ form: ValueForm) {}
    package func isShaped(_ shape: ValueShape) -> Bool { shape == .scalar }
    package func fields(_ known: Set<String>, summaries: [String: String]) -> [String: YAMLValue] { [:] }
    package func required(_ key: String) -> YAMLValue { value }
    package var openMember: (key: YAMLValue, value: YAMLValue) { (value, value) }
    package var element: YAMLValue { value }
}

extension YAMLValue {
    /// The most errors of a file that are found. Each of them costs a run of the parser.
    package static let mostErrors = 100

    /// Returns the errors that a parser finds in this value, the root of a file, by their position; at most `mostErrors`.
    ///
    /// The parser stops at the first error. The value with this error is then replaced by a wildcard, and the parser runs
    /// again. An error of a mapping in which a key or value is replaced may be a consequence, and is not returned.
    package func errors(_ parse: (YAMLValue) throws(SourceError) -> Void) -> [SourceError] {
        let mask = ErrorMask()
        var errors: [SourceError] = []
        // The keys that unknown keys were probably meant to be, by the offset of the mapping.
        var meant: [Int: Set<String>] = [:]
        // A consequence costs a run, too.
        for _ in 0..<Self.mostErrors * 2 where errors.count < Self.mostErrors {
            do throws(SourceError) {
                try parse(masked(by: mask))
                break
            } catch {
                guard let origin = error.origin else {
                    errors.append(error)
                    break
                }
                let parent = node.parent(ofNodeAt: origin.node)
                var isConsequence = mask.values.contains(origin.node)
                if let key = origin.missingKey, !isConsequence {
                    mask.missingKeys[origin.node, default: []].insert(key)
                    if meant[origin.node]?.contains(key) != true { errors.append(error) }
                    continue
                }
                if let parent, let suggestion = error.suggestion {
                    meant[parent.offset, default: []].insert(suggestion)
                }
                isConsequence = isConsequence || hasMaskedMember(origin.node, mask: mask)
                if !isConsequence { errors.append(error) }
                // A parser may reject the wildcard; then the value around it is replaced.
                var target = origin.node
                while mask.values.contains(target), let parent = node.parent(ofNodeAt: target) {
                    target = parent.offset
                }
                guard target != node.offset else { break }
                mask.values.insert(target)
            }
        }
        var known: Set<String> = []
        return errors.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
            // An alias repeats the errors of its anchor.
            .filter { known.insert("\($0.line):\($0.column):\($0.message)").inserted }
    }

    private func masked(by mask: ErrorMask) -> YAMLValue {
        var source = source
        source.mask = mask
        return YAMLValue(node, source: source)
    }

    /// Returns true if a mapping has a masked key or value.
    private func hasMaskedMember(_ offset: Int, mask: ErrorMask) -> Bool {
        let parent = node.parent(ofNodeAt: offset)
        let own = offset == node.offset ? node : parent?.members?.first { $0.offset == offset }
        guard let own, own.isMapping, let members = own.members else { return false }
        return members.contains { mask.values.contains($0.offset) }
    }
}
