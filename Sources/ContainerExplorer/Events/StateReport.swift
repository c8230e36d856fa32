package import ContainerLifecycle
package import TextOutput

/// The state of the app of a simulated device.
package struct StateReport: ExplorerOutput {
    private let state: AppState
    private let isInstalled: Bool
    /// The state before, if it was changed.
    private let before: AppState?

    /// Creates a report of the current state.
    ///
    /// - Parameters:
    ///   - device: The device.
    ///   - before: The state before a transition, if there was one.
    package init(_ device: SimulatedDevice, before: AppState? = nil) {
        state = device.state
        isInstalled = device.isInstalled
        self.before = before
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        let change = before.map { "\($0) -> " } ?? ""
        output("\(change)\(state)\(isInstalled ? "" : ", offloaded")\n")
    }

    package func write(_ json: inout JSONWriter) {
        json.field("state", state.rawValue)
        if let before { json.field("before", before.rawValue) }
        json.field("isInstalled", isInstalled)
        json.array("successors") { json in for next in state.successors { json.element(next.rawValue) } }
    }
}
