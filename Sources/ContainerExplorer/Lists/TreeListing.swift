internal import AppContainer
package import ContainerTree
internal import FileSystem
package import TextOutput

/// Items as an indented tree with their sizes. Treatments by backups are shown where they differ from the directory's.
package struct TreeListing: ExplorerOutput {
    private let roots: [Int]
    private let index: ContainerIndex
    private let depth: Int
    private let now: Int64

    /// Creates a tree.
    ///
    /// - Parameters:
    ///   - roots: The numbers of the topmost items.
    ///   - index: The index of the items.
    ///   - depth: The maximum number of levels below the topmost items.
    ///   - now: The date from which ages are computed, in seconds since 1970.
    package init(_ roots: [Int], of index: ContainerIndex, depth: Int, now: Int64) {
        self.roots = roots
        self.index = index
        self.depth = max(0, depth)
        self.now = now
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        for root in roots {
            output(line("", number: root, name: ItemText.path(of: root, in: index), above: nil, style: style))
            visit(root) { number, level, isLast in
                let prefix = level.map { $0 ? "   " : "│  " }.joined() + (isLast ? "└─ " : "├─ ")
                let name = ItemText.name(of: number, in: index)
                output(line(prefix, number: number, name: name, above: index.parent(of: number), style: style))
            }
        }
    }

    package func write(_ json: inout JSONWriter) {
        json.array("items") { json in
            for root in roots {
                json.object { json in
                    json.fields(of: root, in: index, now: now)
                    json.field("depth", 0)
                }
                visit(root) { number, level, _ in
                    json.object { json in
                        json.fields(of: number, in: index, now: now)
                        json.field("depth", level.count + 1)
                    }
                }
            }
        }
        json.failures(of: index)
    }

    /// Visits the items below a root in the order of paths. `level` has an element for each directory between the root
    /// and the item, true for the last one of its directory.
    private func visit(_ root: Int, _ body: (_ number: Int, _ level: [Bool], _ isLast: Bool) -> Void) {
        guard depth > 0 else { return }
        var level: [Bool] = []
        var open: [(rest: ArraySlice<Int>, isLast: Bool)] = [(index.children(of: root)[...], true)]
        while let (rest, _) = open.last {
            guard let number = rest.first else {
                open.removeLast()
                if !level.isEmpty { level.removeLast() }
                continue
            }
            open[open.count - 1].rest = rest.dropFirst()
            let isLast = rest.count == 1
            body(number, level, isLast)
            if index[number].kind == .directory, open.count < depth {
                open.append((index.children(of: number)[...], isLast))
                level.append(isLast)
            }
        }
    }

    private func line(_ prefix: String, number: Int, name: String, above: Int?, style: Style) -> String {
        var details = [Quantity.bytes(index[number].total.logical)]
        let backup = index.decision(for: number)
        if above.map({ index.decision(for: $0) != backup }) ?? true {
            let treatment =
                switch backup.state {
                case .included: "backed up"
                case .excluded: "not backed up: " + ItemText.decider(of: number, in: index)
                case .unknown: "backup unknown: " + ItemText.decider(of: number, in: index)
                }
            details.append(treatment)
        }
        guard let columns = style.columns else { return "\(prefix)\(name)  \(details.joined(separator: ", "))\n" }
        // The end of the lines of a deep level is shown.
        let most = columns / 2
        let shown = Columns.width(prefix) <= most ? prefix : "…" + String(prefix.suffix(most - 1))
        let room = columns - Columns.width(shown)
        for count in stride(from: details.count, through: 1, by: -1) {
            let detail = details.prefix(count).joined(separator: ", ")
            guard Columns.width(name) + 2 + Columns.width(detail) <= room else { continue }
            return "\(shown)\(name)  \(style.dim(detail))\n"
        }
        return shown + Columns.cut(name, to: room) + "\n"
    }
}
