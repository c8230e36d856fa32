internal import FileSystem
package import TextOutput

/// A plan for a person: a tree that goes down to where all is kept or all is left out, then what that comes to.
package struct PlanText {
    private let plan: Plan
    private let style: Style
    /// So many files that are kept are named in a directory of which something is left out.
    private static let namedFiles = 10

    package init(_ plan: Plan, style: Style) {
        self.plan = plan
        self.style = style
    }

    package func write(to output: (String) -> Void) {
        let kept = KeptBelow(plan)
        if let root = plan.order.records.first {
            if plan.state.records[root].reason.decision == .include {
                writeItems(of: plan.state.records[root].directory, kept, indent: "", to: output)
            } else {
                output(line("-", plan.state.records[root], "the container itself", indent: ""))
            }
        }
        output("\n")
        writeSums(to: output)
        for warning in plan.warnings {
            output("\n\(style.bold("warning")): \(shown(warning.path))\n  \(warning.message)\n")
        }
        if !plan.incidents.isEmpty { output("\n") }
        for incident in plan.incidents {
            output("\(style.bold("not looked at")): \(shown(incident.path)): \(incident.reason)\n")
        }
    }

    private func writeItems(of directory: UInt32, _ kept: KeptBelow, indent: String, to output: (String) -> Void) {
        var (named, others) = (0, PlanSum())
        for number in plan.order.children(of: directory) {
            let record = plan.state.records[number]
            let name = ByteText.escaped(Array(plan.state.names.name(of: record)))
            if record.reason.decision == .exclude {
                output(line("-", record, name, indent: indent))
            } else if record.kind != .directory {
                named += 1
                if named > Self.namedFiles {
                    others.add(bytes: record.bytes)
                } else {
                    output(line("+", record.bytes, indent + name, record.kind == .symbolicLink ? "a link" : ""))
                }
            } else {
                let sum = kept.sums[Int(record.directory)]
                let isWhole = kept.isWhole[Int(record.directory)]
                let note = Quantity.count(sum.items, "item")
                output(line(isWhole ? "+" : "~", sum.bytes, "\(indent)\(name)/", isWhole ? note : "\(note) kept"))
                if !isWhole { writeItems(of: record.directory, kept, indent: indent + "  ", to: output) }
            }
        }
        if others.items > 0 {
            output(
                line(
                    "+", others.bytes,
                    "\(indent)and \(Quantity.grouped(others.items)) more that \(others.items == 1 ? "is" : "are") kept",
                    ""))
        }
    }

    private func line(_ sign: String, _ record: PlanRecord, _ name: String, indent: String) -> String {
        let slash = record.kind == .directory && record.nameLength > 0 ? "/" : ""
        return line(sign, record.bytes, indent + name + slash, "\(record.reason.phrase), by \(record.decider)")
    }

    private func line(_ sign: String, _ bytes: UInt64, _ name: String, _ note: String) -> String {
        "\(sign) \(padded(Quantity.bytes(bytes), 10))  \(name)\(note.isEmpty ? "" : style.dim("  \(note)"))\n"
    }

    private func writeSums(to output: (String) -> Void) {
        output(line(of: plan.sum(of: .include), style.bold("kept")))
        output(line(of: plan.sum(of: .exclude), style.bold("left out")))
        for reason in PlanReason.allCases where reason.decision == .exclude {
            if let sum = plan.sums[reason] { output("  " + line(of: sum, reason.phrase)) }
        }
    }

    private func line(of sum: PlanSum, _ title: String) -> String {
        "\(title): \(Quantity.count(sum.items, "item")), \(Quantity.bytes(sum.bytes))"
            + (sum.bytes < 1_000 ? "\n" : " (\(Quantity.grouped(Int(clamping: sum.bytes))) bytes)\n")
    }

    private func shown(_ path: [UInt8]) -> String { path.isEmpty ? "the container itself" : ByteText.escaped(path) }

    private func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

/// What is kept below each directory of a plan, and whether that is all there is.
private struct KeptBelow {
    private(set) var sums: [PlanSum]
    private(set) var isWhole: [Bool]

    init(_ plan: Plan) {
        sums = Array(repeating: PlanSum(), count: plan.order.recordOfDirectory.count)
        isWhole = Array(repeating: true, count: sums.count)
        // From the last to the first: what lies in a directory before the directory itself.
        for number in plan.order.records.reversed() {
            let record = plan.state.records[number]
            guard record.parent != PlanRecord.none else { continue }
            let parent = Int(record.parent)
            if record.reason.decision == .exclude {
                isWhole[parent] = false
            } else if record.directory == PlanRecord.none {
                sums[parent].add(bytes: record.bytes)
            } else {
                sums[parent].add(bytes: 0)
                sums[parent].add(sums[Int(record.directory)])
                if !isWhole[Int(record.directory)] { isWhole[parent] = false }
            }
        }
    }
}
