import AppContainer
import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import ContainerInputs
import ContainerLifecycle
import Foundation
import SystemPackage
import TextOutput

/// A state of the app on the command line.
struct StateArgument: ExpressibleByArgument {
    let state: AppState

    init?(argument: String) {
        guard let state = AppState(rawValue: argument) else { return nil }
        self.state = state
    }

    static var allValueStrings: [String] { AppState.allCases.map(\.rawValue) }
}

/// `sandboxfm purge CONTAINER`
struct Purge: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete the content of Library/Caches and tmp, as the system does.",
        discussion: CommandHelp.discussion(
            """
            Items that are excluded from backup are kept. The app must not be running (see state). Without options all \
            other items are deleted; with --free, the oldest first. Asks on a terminal.
            """,
            examples: [
                "sandboxfm purge CONTAINER --dry-run", "sandboxfm purge CONTAINER --older-than 30 --yes",
            ],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @Option(help: ArgumentHelp("Only delete items that are older than this.", valueName: "days")) var olderThan: Int?
    @Option(help: ArgumentHelp("Delete items until this many bytes are free.", valueName: "bytes")) var free: UInt64?
    @OptionGroup var date: DateOptions
    @OptionGroup var confirmation: Confirmation
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if let olderThan, olderThan < 0 { throw ValidationError("--older-than must not be negative.") }
        if let olderThan, olderThan > 100_000 { throw ValidationError("--older-than must be at most 100000 days.") }
        if confirmation.isPlan, olderThan != nil || free != nil {
            throw ValidationError("--dry-run shows a complete purge; omit --older-than and --free.")
        }
    }

    func run() throws { try container.change(isPlan: confirmation.isPlan, purge) }

    private func purge(_ container: Container) throws {
        if confirmation.isPlan { return try output.printPreview(of: .purge, on: container) }
        if !confirmation.yes {
            let plan = try EventPreview(of: .purge, on: container).plan
            let items = plan.changes.reduce(0) { $0 + $1.items }
            let most = olderThan == nil && free == nil ? "" : "at most "
            try confirmation.confirm(
                plan, question: "Delete \(most)\(Quantity.count(items, "item")) from Library/Caches and tmp")
        }
        try output.printEvent(
            SimulatedDevice(container).purge(
                olderThan: olderThan.map { .seconds($0 * 86_400) }, freeing: free,
                now: Date(timeIntervalSince1970: Double(date.seconds))))
    }
}

/// `sandboxfm update CONTAINER`
struct Update: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move the container to a new UUID, as an update of the app does.",
        discussion: CommandHelp.discussion(
            """
            The output lists absolute paths in property lists and links that are no longer valid. A container whose \
            directory is not named by a UUID keeps its path. Asks on a terminal.
            """,
            examples: ["sandboxfm update CONTAINER --yes", "sandboxfm update CONTAINER --dry-run"],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @OptionGroup var confirmation: Confirmation
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws { try container.open(inPlaceBecause: "only a directory can be changed", update) }

    private func update(_ found: InputContainer) throws {
        let container = found.container
        let isMoved = UUID(uuidString: container.location.lastComponent?.string ?? "") != nil
        var plan = ChangeReport(isPlan: true)
        let path = ByteText.escaped(Array(self.container.shownPath(of: found).utf8))
        if isMoved { plan.make(ChangeReport.Change(.move, path: path, to: "a directory with a new UUID")) { nil } }
        if confirmation.isPlan { return try output.printChanges(plan) }
        try confirmation.confirm(plan, question: "Move the container \(path) to a new path")
        try output.printEvent(SimulatedDevice(container).update())
    }
}

/// `sandboxfm restore CONTAINER TARGET`
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Create the container that a backup and restore to a new device results in.",
        discussion: CommandHelp.discussion(
            """
            The new container has the items that a backup includes. The output lists the others, with the reason, and \
            references that are invalid there. The container itself does not change.
            """,
            examples: ["sandboxfm restore CONTAINER NEW", "sandboxfm restore CONTAINER NEW --dry-run --json"],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "A directory outside the container that does not exist or is empty.", completion: .directory)
    var target: String?
    @OptionGroup var plan: PlanOption
    @OptionGroup(title: "Output") var output: OutputOptions

    private var arguments: [String] { get throws { try container.required(["target"], arguments: [target]) } }

    func validate() throws { _ = try arguments }

    func run() throws {
        let target = try FilePath(arguments[0])
        // Reads the container, which may be in an archive.
        try container.open {
            if plan.dryRun { return try output.printPreview(of: .restore, on: $0.container) }
            try output.printEvent(SimulatedDevice($0.container).restore(to: target))
        }
    }
}

/// `sandboxfm state CONTAINER [STATE]`
struct State: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show or change the simulated state of the app.",
        discussion: CommandHelp.discussion(
            """
            The state is recorded on the container. It changes to one that may follow directly; a running app is not \
            purged, updated or restored.
            """,
            examples: ["sandboxfm state CONTAINER", "sandboxfm state CONTAINER not-running"],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "The new state: not-running, inactive, active, background or suspended.") var state: StateArgument?
    @OptionGroup(title: "Output") var output: OutputOptions

    /// The new state. The parser takes the first argument for the container; if an option names an app, it is the state.
    private var newState: AppState? {
        get throws {
            let words = container.following([])
            guard let word = words.first else { return state?.state }
            guard let first = StateArgument(argument: word), state == nil else {
                throw ValidationError("Unexpected argument '\(word)'")
            }
            return first.state
        }
    }

    func validate() throws { _ = try newState }

    func run() throws {
        guard let state = try newState else {
            return try container.open { try output.print(StateReport(SimulatedDevice($0.container), before: nil)) }
        }
        try container.change(isPlan: false) {
            let device = try SimulatedDevice($0)
            let before = device.state
            try device.transition(to: state)
            try output.print(StateReport(device, before: before))
        }
    }
}

extension OutputOptions {
    fileprivate func printEvent(_ result: EventResult) throws {
        let report = EventReport(result)
        try print(report)
        if !report.isComplete { throw Failure.incomplete }
    }

    fileprivate func printPreview(of event: LifecycleEvent, on container: Container) throws {
        let preview = try EventPreview(of: event, on: container)
        try print(preview)
        if let code = Failure.reportFailures(preview.failures) { throw code }
    }
}
