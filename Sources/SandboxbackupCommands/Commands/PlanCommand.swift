import AppContainer
import ArgumentParser
import BackupPlan
import BackupReports
import CommandLineSupport
import ContainerInputs
import SystemPackage
import TextOutput

extension ColorChoice: ExpressibleByArgument {}
extension ListedTool: ExpressibleByArgument {}

/// `sandboxbackup plan CONTAINER`
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show what a backup includes and excludes, with the reason for each item.",
        discussion: CommandHelp.discussion(
            """
            In the tree, + is included, - is excluded, and ~ is partly included.
            With --for, the output is an exclude list (for tar, an include list) with which another tool stores what the \
            plan includes. restic and tmutil compare whole paths: pass them the container by the same path, and a relative \
            path from the same directory.
            \(ListedTool.allCases.map { "  " + $0.usage }.joined(separator: "\n"))
            """,
            examples: [
                "sandboxbackup plan CONTAINER",
                "sandboxbackup plan CONTAINER --explain Library/Caches",
                "sandboxbackup plan container.zip",
                "sandboxbackup plan MobileSync/Backup/UDID --bundle-id com.example.app",
                "sandboxbackup plan CONTAINER --format html > plan.html",
            ],
            exits: [.done, .failed, .usage, .incomplete]))

    /// The format of a plan.
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, jsonl, html }

    @Argument(help: ContainerArgument.help, completion: .file()) var container: String?
    @OptionGroup(title: "Input") var selection: InputSelection
    @OptionGroup(title: "Input") var secret: BackupPasswordOptions
    @OptionGroup var planned: PlanOptions
    @Option(help: ArgumentHelp("Explain only this path, under each view.", valueName: "path"))
    var explain: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Print the list for another tool: restic, borg, rsync, tar or tmutil.", valueName: "tool"))
    var tool: ListedTool?
    @OptionGroup(title: "Output") var output: Output

    /// The options for the output of a plan.
    struct Output: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Print text, json (one object), jsonl (one object per item, then the summary) or html (a page with a map)."
            ))
        var format: Format = .text
        @Option(help: "Use colors: auto, always or never. NO_COLOR and FORCE_COLOR are respected.")
        var color: ColorChoice = .auto
    }

    func validate() throws {
        _ = try selection.source(container)
        if tool != nil, explain != nil { throw ValidationError("--for and --explain cannot be combined.") }
        if explain != nil, output.format == .html {
            throw ValidationError("--explain has no page; use --format text or json.")
        }
        if tool != nil, output.format != .text {
            throw ValidationError("--for has its own format; omit --format.")
        }
    }

    func run() throws {
        let reason = tool == nil ? nil : "--for lists paths of a directory"
        try selection.withContainer(at: container, inPlaceBecause: reason, password: secret.password) { found in
            found.noteAccessTimes()
            try run(found.container)
        }
    }

    private func run(_ container: Container) throws {
        let stream = CommandLineSupport.Output(fitted: output.color.style)
        if let explain { return try self.explain(explain, container: container, stream: stream) }
        var plan = try Plan(of: container, rules: planned.rules)
        try plan.considerClasses(in: container)
        if let tool {
            try printList(of: plan, for: tool, at: container.location, stream)
        } else {
            printPlan(plan, of: container, stream: stream)
        }
        try stream.end()
        if !plan.isComplete { throw Failure.incomplete }
    }

    private func printPlan(_ plan: Plan, of container: Container, stream: CommandLineSupport.Output) {
        switch output.format {
        case .text: PlanText(plan, style: output.color.style).write(to: stream.write)
        case .json: PlanJSON(plan).object(version: Sandboxbackup.version, to: stream.write)
        case .jsonl: PlanJSON(plan).lines(to: stream.write)
        case .html:
            PlanPage(plan, of: container.bundleIdentifier).write(
                tool: "sandboxbackup \(Sandboxbackup.version)", to: stream.write)
        }
    }

    private func printList(
        of plan: Plan, for tool: ListedTool, at location: FilePath, _ stream: CommandLineSupport.Output
    ) throws {
        do throws(ToolListError) {
            try ToolList(plan, for: tool, at: location).write { stream.write($0) }
        } catch {
            Failure.printNote("\(error)")
            throw Failure.incomplete
        }
        for incident in plan.incidents {
            Failure.printNote("not analyzed: \(ByteText.escaped(incident.path)): \(incident.reason)")
        }
    }

    private func explain(_ path: String, container: Container, stream: CommandLineSupport.Output) throws {
        guard let explanation = try PlanExplanation(path, in: container, rules: planned.rules) else {
            Failure.printNote("the container has no item “\(ByteText.escaped(Array(path.utf8)))”")
            throw Failure.failed
        }
        switch output.format {
        case .text: stream.write(explanation.text(style: output.color.style))
        case .json, .jsonl, .html: explanation.json(to: stream.write)
        }
        try stream.end()
        if !explanation.isComplete { throw Failure.incomplete }
    }
}
