/// Many globs compiled into one look-up: which of them a name matches costs about what its first and last byte leave
/// possible, and mostly nothing.
struct NameMatcher: Sendable {
    private struct Entry {
        let glob: Glob
        let trait: ItemTraits
    }

    /// A bucket's entries are those from its start to the next one's.
    private struct Table {
        private(set) var entries: [Entry] = []
        private var starts: [UInt16] = []

        init(_ keyed: [(key: UInt8, entry: Entry)]) {
            guard !keyed.isEmpty else { return }
            let sorted = keyed.sorted { $0.key < $1.key }
            entries = sorted.map(\.entry)
            var next = 0
            for key in 0...256 {
                while next < sorted.count, Int(sorted[next].key) < key { next += 1 }
                starts.append(UInt16(clamping: next))
            }
        }

        @inline(__always)
        func collect(_ key: UInt8, _ name: UnsafeRawBufferPointer, _ found: inout ItemTraits) {
            guard !entries.isEmpty else { return }
            var index = Int(starts[Int(key)])
            let end = Int(starts[Int(key) + 1])
            // Most buckets are empty.
            while index < end {
                if entries[index].glob.matches(name) { found.formUnion(entries[index].trait) }
                index += 1
            }
        }
    }

    /// Names without `*`, by a hash of their length and ends.
    private let exact: Table
    /// Globs that end in at least four literal bytes, by these four bytes.
    private let tails: Table
    /// Other globs that end in a literal byte, by that byte.
    private let suffixes: Table
    /// Other globs that begin with a literal byte, by that byte.
    private let prefixes: Table
    /// Globs that begin and end with a wildcard.
    private let others: [Entry]
    let isEmpty: Bool

    init(_ patterns: [(glob: Glob, trait: ItemTraits)]) {
        var exact: [(key: UInt8, entry: Entry)] = []
        var tails: [(key: UInt8, entry: Entry)] = []
        var suffixes: [(key: UInt8, entry: Entry)] = []
        var prefixes: [(key: UInt8, entry: Entry)] = []
        var others: [Entry] = []
        for (glob, trait) in patterns {
            let entry = Entry(glob: glob, trait: trait)
            let bytes = Array(glob.text.utf8)
            switch (Self.literal(bytes.first), Self.literal(bytes.last)) {
            case (let first?, let last?) where !bytes.contains(UInt8(ascii: "*")):
                exact.append((Self.key(bytes.count, first, last), entry))
            case (_, let last?):
                let tail = bytes.suffix(4)
                if tail.count == 4, tail.allSatisfy({ Self.literal($0) != nil }) {
                    tails.append((Self.tail(Array(tail)), entry))
                } else {
                    suffixes.append((last, entry))
                }
            case (let first?, _): prefixes.append((first, entry))
            default: others.append(entry)
            }
        }
        self.exact = Table(exact)
        self.tails = Table(tails)
        self.suffixes = Table(suffixes)
        self.prefixes = Table(prefixes)
        self.others = others
        isEmpty = patterns.isEmpty
    }

    /// The traits of all globs that match.
    @inline(__always)
    func traits(of name: UnsafeRawBufferPointer) -> ItemTraits {
        guard !isEmpty, let first = name.first, let last = name.last else { return [] }
        var found: ItemTraits = []
        exact.collect(Self.key(name.count, first, last), name, &found)
        if name.count >= 4 { tails.collect(Self.tail(name, name.count - 4), name, &found) }
        suffixes.collect(last, name, &found)
        prefixes.collect(first, name, &found)
        var index = 0
        while index < others.count {
            if others[index].glob.matches(name) { found.formUnion(others[index].trait) }
            index += 1
        }
        return found
    }

    private static func tail(_ bytes: [UInt8]) -> UInt8 { bytes.withUnsafeBytes { tail($0, 0) } }

    @inline(__always)
    private static func tail(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt8 {
        let word = bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
        return UInt8(truncatingIfNeeded: (word &* 0x9e37_79b1) >> 24)
    }

    private static func key(_ count: Int, _ first: UInt8, _ last: UInt8) -> UInt8 {
        UInt8(truncatingIfNeeded: count &* 31) &+ (first &* 7) ^ (last &* 13)
    }

    private static func literal(_ byte: UInt8?) -> UInt8? {
        byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") ? nil : byte
    }
}
