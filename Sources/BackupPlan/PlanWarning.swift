internal import TextOutput

/// What a plan takes or leaves out that its reader may not want so.
package struct PlanWarning: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A database of a person's is left out by a mark.
        case databaseLeftOut = "database-left-out"
        /// A database is kept and its log is not, or the other way about.
        case storeSplit = "store-split"
        /// Much that can be had again is kept.
        case regenerableKept = "regenerable-kept"
        /// A link points into a container that is not this one.
        case linkToOldContainer = "link-to-old-container"
        /// The disk carries no attributes, so no flag can be seen.
        case flagsUnknown = "flags-unknown"
    }

    package let kind: Kind
    /// What it is about: an item, or a location.
    package let path: [UInt8]
    /// How many bytes it is about.
    package let bytes: UInt64
    /// How many items.
    package let items: Int
    /// The other item that belongs to the matter: a database's companion, the largest file of many.
    package let other: [UInt8]?

    init(_ kind: Kind, _ path: [UInt8], bytes: UInt64 = 0, items: Int = 1, other: [UInt8]? = nil) {
        self.kind = kind
        self.path = path
        self.bytes = bytes
        self.items = items
        self.other = other
    }

    /// What is wrong and what can be done, in one sentence or two.
    package var message: String {
        let shown = other.map(ByteText.escaped) ?? ""
        return switch kind {
        case .databaseLeftOut:
            "This database is left out by a mark and will be missing after a restore. If it is a person's, take the mark off."
        case .storeSplit:
            "One is kept and the other is not, so a restored database is damaged: \(shown). Treat both alike."
        case .regenerableKept:
            "\(Quantity.count(items, "file")) here can be had again and \(items == 1 ? "takes" : "take") "
                + "\(Quantity.bytes(bytes)) of every backup, the largest \(shown). Keep them in Library/Caches or flag them."
        case .linkToOldContainer:
            "This link points into another container, which is not there after a restore. Make it relative."
        case .flagsUnknown:
            "This disk carries no extended attributes, so no do-not-back-up flag can be seen; what one would leave out is kept."
        }
    }
}
