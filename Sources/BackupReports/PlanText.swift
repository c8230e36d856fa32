internal import AppContainer
package import BackupPlan
internal import ContainerTree
internal import FileSystem
package import TextOutput

/// A plan as text: a tree down to the directories that are wholly included or excluded, then the sums.
package struct PlanText {
    private let plan: Plan
    private let style: Style
    /// The maximum number of included files that are listed in a partly included directory.
    private static let namedFiles = 10

    package init(_ plan: Plan, style: Style) {
        self.plan = plan
        self.style = style
    }

    package func write(to output: (String) -> Void) {
        let tree = PlanTree(plan)
        if let root = tree.root {
            if root.decision.isStored {
                writeItems(of: root, in: tree, indent: "", to: output)
            } else {
                output(line("-", node: root, name: "the container itself", indent: ""))
            }
        }
        output("\n")
        writeSums(to: output)
        for warning in plan.warnings {
            output("\n\(style.bold("warning")): \(shown(warning.path))\n  \(warning.message)\n")
        }
        if !plan.incidents.isEmpty { output("\n") }
        for incident in plan.incidents {
            output("\(style.bold("not analyzed")): \(shown(incident.path)): \(incident.reason)\n")
        }
    }

    private func writeItems(
        of directory: PlanTree.Node, in tree: PlanTree, indent: String, to output: (String) -> Void
    ) {
        var (named, others) = (0, ItemCount())
        for node in tree.children(of: directory) {
            let name = ByteText.escaped(node.name)
            if !node.decision.isStored {
                output(line("-", node: node, name: name, indent: indent))
            } else if node.kind != .directory {
                named += 1
                if named > Self.namedFiles {
                    others.add(bytes: node.bytes)
                } else {
                    let remark = node.kind == .symbolicLink ? "a link" : node.availability.phrase ?? ""
                    output(line("+", bytes: node.bytes, name: indent + name, note: remark))
                }
            } else {
                let (sum, isWhole) = (node.included, node.isWhole)
                let remark = Quantity.count(sum.items, "item") + (isWhole ? "" : " included")
                output(line(isWhole ? "+" : "~", bytes: sum.bytes, name: "\(indent)\(name)/", note: remark))
                if !isWhole { writeItems(of: node, in: tree, indent: indent + "  ", to: output) }
            }
        }
        if others.items > 0 {
            output(
                line(
                    "+", bytes: others.bytes,
                    name: "\(indent)and \(Quantity.grouped(others.items)) more included",
                    note: ""))
        }
    }

    private func line(_ sign: String, node: PlanTree.Node, name: String, indent: String) -> String {
        let slash = node.kind == .directory && !node.name.isEmpty ? "/" : ""
        return line(
            sign, bytes: node.bytes, name: indent + name + slash,
            note: "\(node.decision.reason.phrase), by \(node.decision.decider)")
    }

    private func line(_ sign: String, bytes: UInt64, name: String, note: String) -> String {
        "\(sign) \(padded(Quantity.bytes(bytes), width: 10))  \(name)\(note.isEmpty ? "" : style.dim("  \(note)"))\n"
    }

    private func writeSums(to output: (String) -> Void) {
        output(line(of: plan.sum(stored: true), style.bold("included")))
        for reason in BackupReason.allCases where reason.state == .unknown {
            if let sum = plan.sums[reason] { output("  " + line(of: sum, reason.phrase)) }
        }
        if plan.evicted.items > 0 {
            output("  " + line(of: plan.evicted, Availability.evicted.phrase ?? ""))
        }
        output(line(of: plan.sum(stored: false), style.bold("excluded")))
        for reason in BackupReason.allCases where !reason.isStored {
            if let sum = plan.sums[reason] { output("  " + line(of: sum, reason.phrase)) }
        }
    }

    private func line(of sum: ItemCount, _ title: String) -> String {
        "\(title): \(Quantity.count(sum.items, "item")), \(Quantity.bytes(sum.bytes))"
            + (sum.bytes < 1_000 ? "\n" : " (\(Quantity.grouped(Int(clamping: sum.bytes))) bytes)\n")
    }

    private func shown(_ path: [UInt8]) -> String { path.isEmpty ? "the container itself" : ByteText.escaped(path) }

    private func padded(_ text: String, width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
