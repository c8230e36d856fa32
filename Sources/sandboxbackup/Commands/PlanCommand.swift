import AppContainer
import ArgumentParser
import BackupPlan
import BackupReports
import SystemPackage
import TextOutput

extension ColorChoice: ExpressibleByArgument {}
extension ListedTool: ExpressibleByArgument {}

/// `sandboxbackup plan CONTAINER`
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show what would be kept of a container, what not, and why.",
        discussion: """
            In the tree, + is kept, - is left out, and ~ is kept in part.

            With --for, standard output is the list that another tool takes, and that tool then keeps what the plan \
            keeps: what to leave out, but for tar, which is told what to take. restic and tmutil compare whole paths: \
            give them the container by the same path, and a relative one from the same directory.

            \(ListedTool.allCases.map { "  " + $0.usage }.joined(separator: "\n"))
            """)

    /// The form of a plan.
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, jsonl }

    @OptionGroup var planned: PlanOptions

    @Option(help: "How to show it: text, json (one object), or jsonl (a line an item, then the summary).")
    var format: Format = .text

    @Option(help: ArgumentHelp("Tell of this path only, under each view.", valueName: "path"))
    var explain: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "Print the list that another tool takes: restic, borg, rsync, tar or tmutil.", valueName: "tool"))
    var tool: ListedTool?

    @Option(help: "Colours: auto, always or never. NO_COLOR and FORCE_COLOR are heeded.")
    var color: ColorChoice = .auto

    func validate() throws {
        if tool != nil, explain != nil { throw ValidationError("--for and --explain exclude each other.") }
        if tool != nil, format != .text { throw ValidationError("--for prints a list of its own; leave --format out.") }
    }

    func run() throws {
        let container = try planned.open()
        let output = Output()
        if let explain { return try self.explain(explain, container, output) }
        let plan = try Plan(of: container, rules: planned.rules)
        if let tool {
            try list(plan, for: tool, output)
        } else {
            show(plan, output)
        }
        try output.end()
        if !plan.isComplete { throw Failure.incomplete }
    }

    private func show(_ plan: Plan, _ output: Output) {
        switch format {
        case .text: PlanText(plan, style: color.style).write(to: output.write)
        case .json: PlanJSON(plan).object(version: Sandboxbackup.version, to: output.write)
        case .jsonl: PlanJSON(plan).lines(to: output.write)
        }
    }

    private func list(_ plan: Plan, for tool: ListedTool, _ output: Output) throws {
        do throws(ToolListError) {
            try ToolList(plan, for: tool, at: FilePath(planned.container)).write { output.write($0) }
        } catch {
            Failure.say("sandboxbackup: \(error)")
            throw Failure.incomplete
        }
        for incident in plan.incidents {
            Failure.say("sandboxbackup: not looked at: \(ByteText.escaped(incident.path)): \(incident.reason)")
        }
    }

    private func explain(_ path: String, _ container: Container, _ output: Output) throws {
        guard let explanation = try PlanExplanation(path, in: container, rules: planned.rules) else {
            Failure.say("sandboxbackup: the container holds nothing of the path \(ByteText.escaped(Array(path.utf8)))")
            throw Failure.failed
        }
        switch format {
        case .text: output.write(explanation.text(style: color.style))
        case .json, .jsonl: explanation.json(to: output.write)
        }
        try output.end()
        if !explanation.isComplete { throw Failure.incomplete }
    }
}
