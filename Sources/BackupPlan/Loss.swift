/// A property that a run does not keep, with the items that have it. It is reported once per run.
package struct Loss: Sendable, Hashable {
    /// A property of items.
    package enum Property: String, Sendable, CaseIterable {
        /// The access control lists of an item. The mode has the mask of the list as the rights of the group.
        case accessList = "access-list"
        /// The owner or group of an item, which only root can set.
        case owner
        /// Bits of the mode, which would grant other rights under another owner.
        case mode
    }

    package let property: Property
    /// The number of items.
    package private(set) var items = 0
    /// The first item in the order of the paths.
    package private(set) var example: [UInt8] = []

    package init(_ property: Property) { self.property = property }

    /// Adds an item.
    package mutating func add(_ path: [UInt8]) {
        if items == 0 || PathOrder.precedes(path, example) { example = path }
        items += 1
    }

    /// Adds the items of the same loss.
    package mutating func add(_ other: Loss) {
        guard other.items > 0 else { return }
        let items = items + other.items
        add(other.example)
        self.items = items
    }
}
