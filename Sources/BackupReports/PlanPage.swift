internal import AppContainer
package import BackupPlan
internal import ContainerTree
internal import FileSystem
internal import HTMLReports
internal import TextOutput

/// A plan as a page with a map.
package struct PlanPage {
    private let plan: Plan
    private let title: String
    /// The maximum number of listed warnings and incidents.
    private static let mostRows = 200

    /// Creates a page with the bundle identifier of the container.
    package init(_ plan: Plan, of bundleIdentifier: String?) {
        self.plan = plan
        title = bundleIdentifier ?? "Container"
    }

    /// Writes the page, piece by piece. `tool` is the name of the tool with its version.
    package func write(tool: String, to output: @escaping (String) -> Void) {
        let (included, excluded) = (plan.sum(stored: true), plan.sum(stored: false))
        var page = HTMLPage(tool: tool, title: title, subtitle: "Backup plan, \(plan.rules.view.rawValue)")
        page.figures = [
            .init(Quantity.bytes(included.bytes), label: "included, \(Quantity.count(included.items, "item"))"),
            .init(Quantity.bytes(excluded.bytes), label: "excluded, \(Quantity.count(excluded.items, "item"))"),
            .init(
                Quantity.grouped(plan.warnings.count), label: plan.warnings.count == 1 ? "warning" : "warnings",
                severity: .warning),
        ]
        if plan.evicted.items > 0 {
            page.figures.append(
                .init(
                    Quantity.bytes(plan.evicted.bytes),
                    label: "\(Availability.evicted.phrase ?? ""), \(Quantity.count(plan.evicted.items, "file"))",
                    severity: .warning))
        }
        page.maps = [.init("Map", map: map.limited(to: HTMLPage.mostItems))]
        if !plan.isComplete { page.notices = ["Some items could not be analyzed. The backup misses them."] }
        page.tables = tables
        page.write(to: output)
    }

    /// The sizes of the items. An excluded directory stands for its content.
    private var map: StorageMap {
        let builder = StorageMapBuilder(limit: HTMLPage.mostItems)
        // Items are in the order of their paths, so only the directories above the current item are open.
        var open: [(path: [UInt8], storage: StorageClass, contents: StorageMapBuilder.Contents)] = []
        func close() {
            let directory = open.removeLast()
            builder.add(directory.contents, at: directory.path, storage: directory.storage)
        }
        for entry in plan {
            let storage = StorageClass(entry.decision, availability: entry.availability, maker: entry.maker)
            let (parent, name, _) = PathOrder.split(entry.path)
            while let last = open.last, last.path != parent || entry.path.isEmpty { close() }
            let isOpened = entry.kind == .directory && (entry.isStored || entry.path.isEmpty)
            if let last = open.indices.last {
                if isOpened {
                    open[last].contents.addSubdirectory()
                } else {
                    open[last].contents.add(
                        name, storage: storage, items: entry.items, bytes: entry.bytes,
                        isWholeDirectory: entry.kind == .directory)
                }
            }
            if isOpened { open.append((entry.path, storage, builder.contents())) }
        }
        while !open.isEmpty { close() }
        return builder.map()
    }

    private var tables: [HTMLPage.Table] {
        let reasons = BackupReason.allCases.compactMap { reason in
            plan.sums[reason].map { sum in
                [
                    reason.phrase, reason.state.rawValue, Quantity.grouped(sum.items),
                    Quantity.bytes(sum.bytes),
                ]
            }
        }
        let numbers: [HTMLPage.Table.Column] = [.init("Items", isNumber: true), .init("Size", isNumber: true)]
        var tables = [
            HTMLPage.Table("Decisions", columns: [.init("Reason"), .init("Decision")] + numbers, rows: reasons)
        ]
        if !plan.warnings.isEmpty {
            tables.append(
                .init(
                    "Warnings", columns: [.init("Path"), .init("Warning")],
                    rows: plan.warnings.map { [shown($0.path), $0.message] }, atMost: Self.mostRows))
        }
        if !plan.incidents.isEmpty {
            tables.append(
                .init(
                    "Not analyzed", columns: [.init("Path"), .init("Reason")],
                    rows: plan.incidents.map { [shown($0.path), $0.reason] }, atMost: Self.mostRows))
        }
        return tables
    }

    private func shown(_ path: [UInt8]) -> String { path.isEmpty ? "the container itself" : ByteText.escaped(path) }
}
