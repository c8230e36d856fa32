internal import FileSystem
internal import TextOutput

/// The patterns of a configuration that match an item of the linted containers.
///
/// A pattern with a mistake would silently match nothing, so each pattern is compared with the items until it matches one.
final class PatternUse: Sendable {
    /// A pattern of a configuration.
    struct Pattern: Sendable {
        let glob: PathGlob
        let parent: PathGlob?
        /// The note if no item matches.
        let note: Note
        let isUsed = SharedFlag()

        init(_ glob: PathGlob, key: String, at position: SourcePosition) {
            (self.glob, parent) = (glob, glob.parent)
            note = Note(key: key, pattern: glob.text, position: position)
        }
    }

    /// A pattern that matches nothing.
    struct Note: Sendable, Hashable {
        let key: String
        let pattern: String
        let file: String
        let line: Int

        fileprivate init(key: String, pattern: String, position: SourcePosition) {
            (self.key, self.pattern) = (key, pattern)
            (file, line) = (position.isOption ? position.file : position.shortName, position.line)
        }

        /// The pattern and its line, in one sentence.
        var text: String {
            ByteText.printable("\(file): the pattern “\(pattern)” of `\(key)` matches no item.")
        }
    }

    private let patterns: [Pattern]
    /// More are not compared.
    private static let most = 1_000

    init(_ patterns: [Pattern]) { self.patterns = Array(patterns.prefix(Self.most)) }

    /// Compares a directory, and returns the indices of the patterns that its items may match.
    func candidates(in directory: @autoclosure () -> [UInt8]) -> [Int] {
        guard !patterns.isEmpty, let first = patterns.firstIndex(where: { !$0.isUsed.value }) else { return [] }
        let path = directory()
        return patterns.indices[first...].filter { index in
            let pattern = patterns[index]
            guard !pattern.isUsed.value else { return false }
            if pattern.glob.matches(path) { pattern.isUsed.set() }
            return !pattern.isUsed.value && pattern.parent?.matches(path) ?? false
        }
    }

    /// Compares an item with the candidates of its directory.
    func compare(_ name: UnsafeRawBufferPointer, with candidates: [Int]) {
        for index in candidates where !patterns[index].isUsed.value {
            let composed = NameSpelling.composed(Array(name))
            if composed.withUnsafeBytes(patterns[index].glob.mayEnd) { patterns[index].isUsed.set() }
        }
    }

    /// The notes on all patterns, and on those that match an item.
    var notes: (all: Set<Note>, used: Set<Note>) {
        (Set(patterns.map(\.note)), Set(patterns.filter(\.isUsed.value).map(\.note)))
    }
}

/// A flag of several owners.
final class SharedFlag: Sendable {
    private let flag = AtomicFlag(false)
    var value: Bool { flag.value }
    func set() { flag.set(true) }
}
