package import AppContainer
package import ContainerLifecycle
internal import ContainerTree
package import FileSystem
package import TextOutput

/// The items that an event of a device would remove or leave out, found on a model in memory.
package struct EventPreview: ExplorerOutput {
    private let event: LifecycleEvent
    /// The changes: a directory that disappears stands for its content.
    package let plan: ChangeReport
    /// The items that could not be read.
    package let failures: [WalkFailure]
    private let index: ContainerIndex

    /// Plays an event on a model of a container.
    ///
    /// - Throws: The error of a container that cannot be read.
    package init(of event: LifecycleEvent, on container: Container) throws(ContainerError) {
        let tree = DirectoryTree(container)
        let model = try EventModel([event], of: tree, threads: Host.processorCount)
        let (before, after) = (
            try ContainerIndex(of: tree), try ContainerIndex(of: TreeAfterEvents(tree, model: model))
        )
        var plan = ChangeReport(isPlan: true)
        // Both are in the order of paths, and the second one has a part of the items of the first.
        var (number, left) = (0, 0)
        while number < before.count {
            if left < after.count, before.depth(of: number) == after.depth(of: left),
                before.path(of: number) == after.path(of: left)
            {
                (number, left) = (number + 1, left + 1)
                continue
            }
            let item = before[number]
            plan.make(
                ChangeReport.Change(
                    .delete, path: ByteText.escaped(before.path(of: number)), items: item.items + 1,
                    bytes: item.total.logical)
            ) { nil }
            number = before.subtree(of: number).upperBound
        }
        self.event = event
        self.plan = plan
        failures = before.failures
        index = before
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        for change in plan.changes {
            let size = change.items > 1 ? " (\(Quantity.count(change.items, "item")))" : ""
            output("missing \(event.phrase): \(change.path)\(size), \(Quantity.bytes(change.bytes))\n")
        }
        let items = plan.changes.reduce(0) { $0 + $1.items }
        let bytes = plan.changes.reduce(UInt64(0)) { $0.addingReportingOverflow($1.bytes).partialValue }
        output("\(event.phrase): \(Quantity.count(items, "item")) missing (\(Quantity.bytes(bytes)))\n")
    }

    package func write(_ json: inout JSONWriter) {
        json.field("event", event.rawValue)
        json.field("dryRun", true)
        json.array("missing") { json in
            for change in plan.changes {
                json.object { json in
                    json.field("path", change.path)
                    json.field("items", change.items)
                    json.field("bytes", change.bytes)
                }
            }
        }
        json.failures(of: index)
    }
}
