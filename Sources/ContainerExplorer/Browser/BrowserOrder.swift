internal import AppContainer
package import ContainerTree

/// The order of the items of a directory.
package struct BrowserOrder: Sendable, Hashable {
    /// The property that determines the order.
    package enum Property: String, Sendable, CaseIterable { case name, size, items, date, findings }

    package private(set) var property = Property.size
    /// True for the opposite of the usual direction. Names usually ascend; large, many and new items usually come first.
    package private(set) var isReversed = false

    package init() {}

    /// Selects a property; the same one again reverses the order.
    package mutating func select(_ property: Property) {
        isReversed = self.property == property ? !isReversed : false
        self.property = property
    }

    /// Returns the items of one directory, given in ascending order of their numbers, in this order. Equal items are in
    /// the order of their names.
    package func sorted(_ items: [Int], in index: ContainerIndex, by findings: BrowserFindings? = nil) -> [Int] {
        let keys: [UInt64]
        switch property {
        case .name: return isReversed ? items.reversed() : items
        // The number of errors counts before that of warnings, and that before notes.
        case .findings: keys = items.map { findings?.counts(of: $0).weight ?? 0 }
        case .size: keys = items.map { index[$0].total.logical }
        case .items: keys = items.map { UInt64(index[$0].items) }
        // Ordered as unsigned numbers, also before 1970.
        case .date: keys = items.map { UInt64(bitPattern: index[$0].modified) ^ (1 << 63) }
        }
        var positions = Array(items.indices)
        keys.withUnsafeBufferPointer { keys in
            if isReversed {
                positions.sort { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] < keys[$1] }
            } else {
                positions.sort { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] > keys[$1] }
            }
        }
        return positions.map { items[$0] }
    }
}

/// A filter of names: a part of the name, or a pattern for the whole name if it contains `*` or `?`. ASCII letters match
/// in either case.
package struct BrowserFilter: Sendable, Hashable {
    package let text: String
    private let part: [UInt8]
    private let isPattern: Bool

    package init(_ text: String) {
        self.text = text
        part = text.utf8.map(Self.lowercased)
        isPattern = part.contains(UInt8(ascii: "*")) || part.contains(UInt8(ascii: "?"))
    }

    package func matches(_ name: ArraySlice<UInt8>) -> Bool {
        guard !part.isEmpty else { return true }
        let name = name.map(Self.lowercased)
        if isPattern { return NamePattern(part).matches(name) }
        guard name.count >= part.count else { return false }
        return (0...(name.count - part.count)).contains { start in
            for offset in part.indices where name[start + offset] != part[offset] { return false }
            return true
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
}
