internal import AppContainer
package import ContainerLifecycle
internal import FileSystem
internal import SystemPackage
package import TextOutput

/// The result of an event of a simulated device.
package struct EventReport: ExplorerOutput {
    private let result: EventResult

    package init(_ result: EventResult) { self.result = result }

    /// True if every item could be read.
    package var isComplete: Bool { result.isComplete }

    package func writeText(in style: Style, to output: (String) -> Void) {
        for item in result.items where item.action != .kept && item.action != .restored && item.action != .moved {
            output("\(Self.word(for: item.action)) \(ByteText.escaped(item.path.bytes)): \(item.reason)\n")
        }
        for reference in result.danglingReferences {
            let key = reference.key.map { " \(ByteText.printable($0))" } ?? ""
            output("dangling \(ByteText.escaped(reference.file.bytes))\(key): ")
            output("\(reference.isAbsolute ? "absolute path of " : "")\(ByteText.escaped(reference.target.bytes))\n")
        }
        let sums = ItemOutcome.Action.allCases.map { ($0, result.total($0)) }.filter { $0.1.items > 0 }.map {
            action, sum in
            "\(Quantity.count(sum.items, "item")) \(Self.word(for: action)) (\(Quantity.bytes(sum.bytes)))"
        }
        let references =
            result.danglingReferenceCount > 0
            ? ["\(Quantity.count(result.danglingReferenceCount, "reference")) dangling"] : []
        output("\(result.event.phrase): \((sums + references).joined(separator: ", "))\n")
        if result.event.movesContainer {
            output("the container is \(ByteText.escaped(result.container.location.bytes))\n")
        }
    }

    private static func word(for action: ItemOutcome.Action) -> String {
        action == .leftOut ? "left out" : action.rawValue
    }

    package func write(_ json: inout JSONWriter) {
        json.field("event", result.event.rawValue)
        json.field("container", ByteText.escaped(result.container.location.bytes))
        json.array("items") { json in
            for item in result.items {
                json.object { json in
                    json.field("path", ByteText.escaped(item.path.bytes))
                    json.field("action", item.action.rawValue)
                    json.field("bytes", item.bytes)
                    json.field("reason", item.reason)
                }
            }
        }
        json.array("danglingReferences") { json in
            for reference in result.danglingReferences {
                json.object { json in
                    json.field("file", ByteText.escaped(reference.file.bytes))
                    json.field("key", reference.key)
                    json.field("target", ByteText.escaped(reference.target.bytes))
                    json.field("isAbsolute", reference.isAbsolute)
                }
            }
        }
        json.field("danglingReferenceCount", result.danglingReferenceCount)
    }
}
