internal import FileSystem
internal import PolicyTexts

/// Finds the globs that a name matches, in one pass over the name.
///
/// An Aho–Corasick automaton that recognizes the longest literal part of each glob. For most globs, the position of that
/// part in the name decides; the others are compared with the name when their part is found. Source: Aho and Corasick,
/// "Efficient string matching", CACM 18 (1975).
final class NameMatcher: Sendable {
    /// A glob, and the positions in a name at which its literal part can be.
    private struct Pattern: Sendable {
        let trait: ItemTraits
        /// The position at which the part must end; -1 if a wildcard before it leaves that open.
        let end: Int
        /// The number of bytes that must follow the part; -1 if a wildcard after it leaves that open.
        let rest: Int
        /// True if the glob must be compared with the name.
        let isCompared: Bool
    }

    /// The state after each state and class of bytes; the top bit marks a state that recognizes a part.
    private let next: [UInt16]
    /// The binary logarithm of the number of classes.
    private let shift: Int
    /// The class of each byte in the low half, and its `NameScan` in the high half.
    private let classes: [UInt16]
    /// The first of the patterns of each state in `recognized`, and the end of the last.
    private let starts: [UInt32]
    private let recognized: [UInt32]
    /// The state of the longest proper ending of each state that recognizes a part as well; 0 for none.
    private let links: [UInt16]
    private let patterns: [Pattern]
    private let globs: [Glob]
    /// The patterns without a literal part, or beyond the capacity.
    private let others: [Int]
    let isEmpty: Bool

    private static let mark: UInt16 = 0x8000

    init(_ patterns: [(glob: Glob, trait: ItemTraits)]) {
        isEmpty = patterns.isEmpty
        globs = patterns.map(\.glob)
        let parts = patterns.map { LiteralPart($0.glob) }
        self.patterns = zip(patterns, parts).map { pattern, part in
            Pattern(
                trait: pattern.trait, end: part.end ?? -1, rest: part.rest ?? -1, isCompared: !part.decides)
        }
        var builder = TrieBuilder(classesOf: parts.map(\.bytes))
        others = parts.indices.filter { parts[$0].bytes.isEmpty || !builder.add(parts[$0].bytes, pattern: UInt32($0)) }
        builder.link()
        (next, shift, links) = (builder.next, builder.shift, builder.links)
        classes = (0..<256).map { UInt16(builder.classes[$0]) | UInt16(NameScan.ofByte[$0]) << 8 }
        starts = builder.recognized.reduce(into: [0]) { $0.append($0[$0.count - 1] + UInt32($1.count)) }
        recognized = builder.recognized.flatMap(\.self)
    }

    /// Returns the traits of all globs that a name matches, and the kinds of its bytes. An empty name is that of the
    /// container, and matches none.
    func scan(_ name: UnsafeRawBufferPointer) -> (traits: ItemTraits, scan: NameScan) {
        var found: ItemTraits = []
        // The states are a local variable of one closure, so that they are in registers.
        let bytes = next.withUnsafeBufferPointer { next in
            classes.withUnsafeBufferPointer { classes in
                let shift = shift
                var (bytes, state) = (UInt16(0), UInt16(0))
                var position = 0
                while position < name.count {
                    let byte = classes[Int(name[position])]
                    bytes |= byte
                    position &+= 1
                    state = next[Int(state & ~Self.mark) &<< shift | Int(byte & 0xff)]
                    if state & Self.mark != 0 {
                        collect(state & ~Self.mark, endingAt: position, name: name, into: &found)
                    }
                }
                return bytes
            }
        }
        if !name.isEmpty {
            for index in others where globs[index].matches(name) { found.formUnion(patterns[index].trait) }
        }
        return (found, NameScan(rawValue: UInt8(bytes >> 8)))
    }

    /// Returns the traits of all globs that a name matches.
    func traits(of name: UnsafeRawBufferPointer) -> ItemTraits { isEmpty ? [] : scan(name).traits }

    private func collect(
        _ state: UInt16, endingAt end: Int, name: UnsafeRawBufferPointer, into found: inout ItemTraits
    ) {
        var state = Int(state)
        while state != 0 {
            for place in Int(starts[state])..<Int(starts[state + 1]) {
                let index = Int(recognized[place])
                guard patterns[index].end < 0 || patterns[index].end == end,
                    patterns[index].rest < 0 || patterns[index].rest == name.count - end,
                    !patterns[index].isCompared || globs[index].matches(name)
                else { continue }
                found.formUnion(patterns[index].trait)
            }
            state = Int(links[state])
        }
    }

    /// The longest literal part of a glob.
    private struct LiteralPart {
        private(set) var bytes: [UInt8] = []
        /// The position of its end in every name that matches; nil if that differs.
        private(set) var end: Int?
        /// The number of bytes after it in every name that matches; nil if that differs.
        private(set) var rest: Int?
        /// True if every name with the part at these positions matches.
        private(set) var decides = false

        init(_ glob: Glob) {
            let star = UInt8(ascii: "*")
            let text = Array(glob.text.utf8)
            let parts = text.split { $0 == star || $0 == UInt8(ascii: "?") }
            guard let part = parts.max(by: { $0.count < $1.count }) else { return }
            let (before, after) = (text[..<part.startIndex], text[part.endIndex...])
            bytes = Array(part)
            end = before.contains(star) ? nil : part.endIndex
            rest = after.contains(star) ? nil : after.count
            decides = (before + after).allSatisfy { $0 == star }
        }
    }

    /// Builds the automaton from literal parts.
    private struct TrieBuilder {
        private(set) var next: [UInt16] = []
        private(set) var links: [UInt16] = [0]
        private(set) var recognized: [[UInt32]] = [[]]
        private(set) var classes = [UInt8](repeating: 0, count: 256)
        let shift: Int
        /// The states that parts go on to from each state, by the class of the byte.
        private var children: [[(byteClass: Int, state: Int)]] = [[]]

        /// Bytes that no part contains share the class 0.
        init(classesOf parts: [[UInt8]]) {
            var count = 1
            for byte in parts.joined() where classes[Int(byte)] == 0 && count < 256 {
                classes[Int(byte)] = UInt8(count)
                count += 1
            }
            shift = max(0, Int.bitWidth - (count - 1).leadingZeroBitCount)
        }

        /// Adds a part. Returns false if the automaton has no room for it.
        mutating func add(_ part: [UInt8], pattern: UInt32) -> Bool {
            guard recognized.count + part.count < Int(NameMatcher.mark),
                !part.contains(where: { classes[Int($0)] == 0 })
            else { return false }
            var state = 0
            for byte in part {
                let byteClass = Int(classes[Int(byte)])
                if let child = children[state].first(where: { $0.byteClass == byteClass }) {
                    state = child.state
                    continue
                }
                children[state].append((byteClass, recognized.count))
                state = recognized.count
                children.append([])
                recognized.append([])
                links.append(0)
            }
            recognized[state].append(pattern)
            return true
        }

        /// Makes the transitions: where no part goes on, that of the longest proper ending of the state is taken.
        mutating func link() {
            let width = 1 << shift
            next = [UInt16](repeating: 0, count: recognized.count * width)
            var endings = [Int](repeating: 0, count: recognized.count)
            var queue = [0]
            var head = 0
            while head < queue.count {
                let state = queue[head]
                head += 1
                // A shorter state is done before a longer one, so that the whole row of the ending can be taken.
                let (row, ending) = (state * width, endings[state] * width)
                if state != 0 {
                    next.withUnsafeMutableBufferPointer { next in
                        _ = next[row..<(row + width)].update(fromContentsOf: next[ending..<(ending + width)])
                    }
                }
                for (byteClass, child) in children[state] {
                    let fallback = Int(next[row + byteClass] & ~NameMatcher.mark)
                    endings[child] = fallback
                    links[child] = recognized[fallback].isEmpty ? links[fallback] : UInt16(fallback)
                    let isRecognizing = !recognized[child].isEmpty || links[child] != 0
                    next[row + byteClass] = UInt16(child) | (isRecognizing ? NameMatcher.mark : 0)
                    queue.append(child)
                }
            }
        }
    }
}

/// The name of an item, with what is found in it once for all rules.
struct ScannedName {
    let bytes: UnsafeRawBufferPointer
    /// The traits of the rules' globs that it matches.
    let traits: ItemTraits
    let scan: NameScan
    /// Its extension, as `PathExtension.word`; of a file whose name says nothing, that of its content.
    var pathExtension: UInt64

    init(_ name: UnsafeRawBufferPointer, names: NameMatcher) {
        bytes = name
        (traits, scan) = names.scan(name)
        pathExtension = PathExtension.word(of: name)
    }
}
