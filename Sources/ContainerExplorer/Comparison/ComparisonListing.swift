internal import AppContainer
package import ContainerTree
internal import FileSystem
package import StoragePolicy
package import TextOutput

/// The list of the differences between two containers, with sums.
package struct ComparisonListing: ExplorerOutput {
    /// The classes of the items that differ.
    package struct Classes: Sendable {
        private let left: ItemClasses
        private let right: ItemClasses

        package init(left: ItemClasses, right: ItemClasses) { (self.left, self.right) = (left, right) }

        /// Returns the class of an item: in the right container if it has the item, else in the left one.
        fileprivate func verdict(of item: ContainerComparison.Difference, in comparison: ContainerComparison)
            -> ItemVerdict?
        {
            if let right = item.right { return self.right[comparison.right.path(of: right)] }
            return item.left.flatMap { left[comparison.left.path(of: $0)] }
        }
    }

    /// The sums of differences.
    private struct Sums {
        var onlyLeft = ContainerComparison.Sum()
        var onlyRight = ContainerComparison.Sum()
        var changed = ContainerComparison.Sum()

        mutating func add(_ item: ContainerComparison.Difference, of comparison: ContainerComparison) {
            if item.right == nil {
                comparison.add(item, to: &onlyLeft)
            } else if item.left == nil {
                comparison.add(item, to: &onlyRight)
            } else {
                comparison.add(item, to: &changed)
            }
        }
    }

    /// A difference with the sum of everything below it.
    private struct Row {
        let difference: ContainerComparison.Difference
        var sum = ContainerComparison.Sum()
        let verdict: ItemVerdict?
    }

    private let comparison: ContainerComparison
    private let names: (left: String, right: String)
    private let printsClasses: Bool
    private var rows: [Row] = []
    private var sums = Sums()
    private var classes: [String: Sums] = [:]

    /// Creates a list.
    ///
    /// - Parameters:
    ///   - comparison: The comparison.
    ///   - left: The name of the left container for messages.
    ///   - right: The name of the right container.
    ///   - classes: The classes of the items that differ; nil to print none.
    package init(_ comparison: ContainerComparison, left: String, right: String, classes: Classes? = nil) {
        self.comparison = comparison
        names = (left, right)
        printsClasses = classes != nil
        for difference in comparison.differences {
            var row = Row(difference: difference, verdict: classes?.verdict(of: difference, in: comparison))
            for item in comparison.items(of: difference) {
                comparison.add(item, to: &row.sum)
                sums.add(item, of: comparison)
                guard let classes else { continue }
                let name = classes.verdict(of: item, in: comparison)?.itemClass ?? .undecided
                self.classes[name.rawValue, default: Sums()].add(item, of: comparison)
            }
            rows.append(row)
        }
    }

    // MARK: - Text

    package func writeText(in style: Style, to output: (String) -> Void) {
        var columns: [TextTable.Column] = [
            .init(""), .init("BEFORE", isRightAligned: true, omission: 2),
            .init("AFTER", isRightAligned: true, omission: 2),
            .init("CHANGE", omission: 1), .init("PATH"),
        ]
        if printsClasses { columns.insert(.init("CLASS", omission: 3), at: 3) }
        var table = TextTable(columns)
        for row in rows {
            let difference = row.difference
            var cells = [
                Self.sign(of: difference), difference.left == nil ? "" : Quantity.bytes(row.sum.leftBytes),
                difference.right == nil ? "" : Quantity.bytes(row.sum.rightBytes), phrase(of: difference),
                path(of: row),
            ]
            if printsClasses { cells.insert(row.verdict?.word ?? "", at: 3) }
            table.add(cells)
        }
        if !rows.isEmpty { table.write(in: style, to: output) }
        output(text(of: sums) + "; same: " + Self.text(comparison.same.items, comparison.same.rightBytes) + "\n")
        for (name, sums) in classes.sorted(by: { $0.key < $1.key }) { output("  \(name): \(text(of: sums))\n") }
    }

    private static func sign(of difference: ContainerComparison.Difference) -> String {
        difference.left == nil ? "+" : difference.right == nil ? "-" : "~"
    }

    /// The path, with the number of items below a directory that only one container has, and the other path of a move.
    private func path(of row: Row) -> String {
        let (index, item) = side(of: row.difference)
        var text = ItemText.path(of: item, in: index)
        if row.sum.items > 1 { text += "  (\(Quantity.count(row.sum.items - 1, "item")))" }
        if let other = otherPath(of: row.difference) {
            text += "  (moved \(row.difference.left == nil ? "from" : "to") \(other))"
        }
        return text
    }

    private func side(of difference: ContainerComparison.Difference) -> (index: ContainerIndex, item: Int) {
        if let right = difference.right { return (comparison.right, right) }
        return (comparison.left, difference.left ?? ContainerIndex.root)
    }

    /// The path from which, or to which, a file or everything in a directory has moved.
    private func otherPath(of difference: ContainerComparison.Difference) -> String? {
        switch (difference.left, difference.right) {
        case (let left?, nil):
            let target = comparison.moves[left] ?? directory(left, in: comparison.left, comparison.destination)
            return target.map { ByteText.escaped(comparison.right.path(of: $0)) }
        case (nil, let right?):
            let source = comparison.origins[right] ?? directory(right, in: comparison.right, comparison.origin)
            return source.map { ByteText.escaped(comparison.left.path(of: $0)) }
        default: return nil
        }
    }

    private func directory(_ item: Int, in index: ContainerIndex, _ found: (Int) -> Int?) -> Int? {
        index.kind(of: item) == .directory ? found(item) : nil
    }

    /// The properties that differ, in a few words.
    private func phrase(of difference: ContainerComparison.Difference) -> String {
        guard let left = difference.left, let right = difference.right else { return "" }
        if difference.change.contains(.kind) {
            let kinds = [comparison.left.kind(of: left), comparison.right.kind(of: right)].map(ItemText.word)
            return "\(kinds[0]) -> \(kinds[1])"
        }
        return Self.words(of: difference.change).joined(separator: ", ")
    }

    private static func words(of change: ContainerComparison.Change) -> [String] {
        let words: [(ContainerComparison.Change, String)] = [
            (.kind, "kind"), (.size, "size"), (.content, "content"), (.target, "target"), (.unknown, "unknown"),
        ]
        return words.filter { change.contains($0.0) }.map(\.1)
    }

    private func text(of sums: Sums) -> String {
        let changed =
            "changed: \(Quantity.count(sums.changed.items, "item")), \(Quantity.bytes(sums.changed.leftBytes)) -> "
            + Quantity.bytes(sums.changed.rightBytes)
        return "only in A: \(Self.text(sums.onlyLeft.items, sums.onlyLeft.leftBytes)); only in B: "
            + "\(Self.text(sums.onlyRight.items, sums.onlyRight.rightBytes)); \(changed)"
    }

    private static func text(_ items: Int, _ bytes: UInt64) -> String {
        "\(Quantity.count(items, "item")), \(Quantity.bytes(bytes))"
    }

    // MARK: - JSON

    package func write(_ json: inout JSONWriter) {
        json.object("a") { json in
            json.field("container", names.left)
            json.failures(of: comparison.left)
        }
        json.object("b") { json in
            json.field("container", names.right)
            json.failures(of: comparison.right)
        }
        json.field("isEqual", comparison.isEqual)
        json.array("differences") { json in
            for row in rows { json.object { write(row, to: &$0) } }
        }
        json.object("sums") { json in
            write(sums, to: &json)
            json.object("same") { json in
                json.field("items", comparison.same.items)
                json.field("bytes", comparison.same.rightBytes)
            }
        }
        if printsClasses {
            json.object("classes") { json in
                for (name, sums) in classes.sorted(by: { $0.key < $1.key }) {
                    json.object(name) { write(sums, to: &$0) }
                }
            }
        }
        json.array("notCompared") { json in
            for item in comparison.uncompared {
                json.object { json in
                    json.field("path", ByteText.escaped(item.path))
                    json.field("reason", item.reason)
                }
            }
        }
    }

    private func write(_ row: Row, to json: inout JSONWriter) {
        let difference = row.difference
        let (index, item) = side(of: difference)
        json.field("status", difference.left == nil ? "onlyInB" : difference.right == nil ? "onlyInA" : "changed")
        json.field("path", ByteText.escaped(index.path(of: item)))
        json.field("kind", ItemText.word(for: index.kind(of: item)))
        if difference.change.contains(.kind), let left = difference.left {
            json.field("kindBefore", ItemText.word(for: comparison.left.kind(of: left)))
        }
        json.field("items", row.sum.items - 1)
        if difference.left != nil { json.field("bytesBefore", row.sum.leftBytes) }
        if difference.right != nil { json.field("bytesAfter", row.sum.rightBytes) }
        if !difference.change.isEmpty {
            json.array("differs") { json in for word in Self.words(of: difference.change) { json.element(word) } }
        }
        if let other = otherPath(of: difference) {
            json.field(difference.left == nil ? "movedFrom" : "movedTo", other)
        }
        if let verdict = row.verdict { json.object("class") { verdict.write(to: &$0) } }
    }

    private func write(_ sums: Sums, to json: inout JSONWriter) {
        json.object("onlyInA") { json in
            json.field("items", sums.onlyLeft.items)
            json.field("bytes", sums.onlyLeft.leftBytes)
        }
        json.object("onlyInB") { json in
            json.field("items", sums.onlyRight.items)
            json.field("bytes", sums.onlyRight.rightBytes)
        }
        json.object("changed") { json in
            json.field("items", sums.changed.items)
            json.field("bytesBefore", sums.changed.leftBytes)
            json.field("bytesAfter", sums.changed.rightBytes)
        }
    }
}
