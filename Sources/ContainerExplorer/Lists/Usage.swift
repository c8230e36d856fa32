internal import AppContainer
package import ContainerTree
internal import FileSystem
package import TextOutput

/// The number and size of items by a property, with bars.
package struct Usage: ExplorerOutput {
    /// The property by which items are grouped.
    package enum Grouping: String, CaseIterable, Sendable {
        /// The items of each directory, with everything below them.
        case item
        /// The nearest location of the table.
        case location
        /// The treatment by backups, with what decided.
        case backup
        /// The state of the backup exclusion.
        case exclusion
        /// The kind of the item, for files by the extension of the name.
        case kind
        /// The recorded provenance.
        case provenance
        /// The availability of the content on this disk.
        case availability
    }

    /// A group of items.
    package struct Group: Sendable, Hashable {
        package let name: String
        package var size = ItemSize.zero
        package var items = 0
    }

    package let grouping: Grouping
    /// The groups, the largest first.
    package let groups: [Group]
    /// The sum. A file with several hard links counts once.
    package let total: Group
    /// The index of the items; nil for those of another list.
    private let index: ContainerIndex?

    /// Adds up items.
    ///
    /// - Parameters:
    ///   - roots: The numbers of the items to add up, with everything below them.
    ///   - index: The index of the items.
    ///   - grouping: The property. For `item`, the groups are the items of a single directory, else the roots.
    package init(of roots: [Int], in index: ContainerIndex, by grouping: Grouping) {
        self.grouping = grouping
        self.index = index
        // An item below another one would count twice.
        var tops: [Range<Int>] = []
        for root in roots.sorted() where tops.last.map({ !$0.contains(root) }) ?? true {
            tops.append(index.subtree(of: root))
        }
        var total = Group(name: "total")
        var groups: [String: Group] = [:]
        for number in tops.joined() {
            let item = index[number]
            // A path that is counted under an earlier name.
            var earlier = index.previousLink(of: number)
            while let link = earlier, !tops.contains(where: { $0.contains(link) }) {
                earlier = index.previousLink(of: link)
            }
            let size = earlier == nil ? item.own : .zero
            total.size += size
            total.items += 1
            guard grouping != .item else { continue }
            let name = Self.name(of: number, in: index, by: grouping)
            groups[name, default: Group(name: name)].size += size
            groups[name, default: Group(name: name)].items += 1
        }
        if grouping == .item {
            let isDirectory = tops.count == 1 && index[tops[0].lowerBound].kind == .directory
            for number in isDirectory ? index.children(of: tops[0].lowerBound) : tops.map(\.lowerBound) {
                let (name, item) = (ItemText.path(of: number, in: index), index[number])
                groups[name] = Group(name: name, size: item.total, items: item.items + 1)
            }
        }
        self.total = total
        self.groups = groups.values.sorted {
            ($1.size.allocated, $1.size.logical, $0.name) < ($0.size.allocated, $0.size.logical, $1.name)
        }
    }

    /// Creates the sums of items that are not those of an index, the largest first.
    init(items groups: [Group], total: Group) {
        (grouping, index, self.total) = (.item, nil, total)
        self.groups = groups.sorted {
            ($1.size.allocated, $1.size.logical, $0.name) < ($0.size.allocated, $0.size.logical, $1.name)
        }
    }

    private static func name(of number: Int, in index: ContainerIndex, by grouping: Grouping) -> String {
        switch grouping {
        case .item, .location: return index.location(of: number).description
        case .backup:
            let decision = index.decision(for: number)
            switch decision.decider.origin {
            case .location(let location): return "\(decision.state.rawValue): \(location)"
            case .mark: return "\(decision.state.rawValue): exclusion"
            case .kind(let kind): return "\(decision.state.rawValue): \(ItemText.word(for: kind))"
            case .temporaryFile, .fileSystem, .option: return "\(decision.state.rawValue): \(decision.decider)"
            }
        case .exclusion: return index.exclusion(of: number).rawValue
        case .kind:
            let kind = index[number].kind
            return kind == .file ? FileType(name: index.name(of: number)).rawValue : ItemText.word(for: kind)
        case .provenance: return index[number].maker?.rawValue ?? "none"
        case .availability: return "\(index.availability(of: number))"
        }
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        var table = TextTable([
            .init("SIZE", isRightAligned: true, omission: 4), .init("ON DISK", isRightAligned: true),
            .init("ITEMS", isRightAligned: true, omission: 2), .init("", omission: 1),
            .init("SHARE", isRightAligned: true, omission: 3), .init(grouping.rawValue.uppercased()),
        ])
        for group in groups + [total] {
            let share = share(of: group)
            let filled = Int((share * 10).rounded())
            let bar = "[" + String(repeating: "#", count: filled) + String(repeating: " ", count: 10 - filled) + "]"
            table.add([
                Quantity.bytes(group.size.logical), Quantity.bytes(group.size.allocated),
                Quantity.grouped(group.items), bar, "\(Int((share * 100).rounded())) %", group.name,
            ])
        }
        table.write(in: style, to: output)
    }

    private func share(of group: Group) -> Double {
        guard total.size.allocated > 0 else { return 0 }
        return min(1, Double(group.size.allocated) / Double(total.size.allocated))
    }

    package func write(_ json: inout JSONWriter) {
        json.field("by", grouping.rawValue)
        json.array("groups") { json in for group in groups { json.object { write(group, into: &$0) } } }
        json.object("total") { write(total, into: &$0) }
        if let index { json.failures(of: index) }
    }

    private func write(_ group: Group, into json: inout JSONWriter) {
        json.field("name", group.name)
        json.field("bytes", group.size.logical)
        json.field("allocatedBytes", group.size.allocated)
        json.field("items", group.items)
        json.number("share", share(of: group))
    }
}
