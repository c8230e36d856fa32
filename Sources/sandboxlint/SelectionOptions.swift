import ArgumentParser
import ContainerLifecycle
import StoragePolicy

/// The options of every command that lints: rules, configuration, date and threads.
struct SelectionOptions: ParsableArguments {
    @OptionGroup(title: "Rule Selection") var choice: ChoiceOptions

    @Option(
        help: ArgumentHelp(
            "Compute ages relative to this date (2026-01-31 or 2026-01-31T12:00:00Z). (default: now)", valueName: "date"
        ))
    var now: DateArgument?

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @OptionGroup(title: "Configuration") var itemSuppressions: ItemSuppressionOptions

    @OptionGroup(title: "Rule Selection") var own: RuleOptions

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp("Number of threads; 0 uses one per processor.", valueName: "n"))
    var jobs: Int = 0

    func validate() throws {
        guard (0...256).contains(jobs) else { throw ValidationError("-j must be between 0 and 256.") }
    }

    /// Returns the linter for an input, with the input's configuration; without a path, that of the working directory.
    func linter(for input: String?, besides inputs: [String] = []) throws -> Linter {
        var rules: [String: Rule] = [:]
        return try linter(for: input, besides: inputs, Timings(isOn: false), &rules)
    }

    /// Returns the linter for an input, records timings, and adds all rules, including disabled ones, to `rules`.
    func linter(
        for input: String?, besides inputs: [String], _ timings: Timings, isFreshInstall: Bool = false,
        after events: [LifecycleEvent] = [],
        _ rules: inout [String: Rule]
    ) throws -> Linter {
        let honorsItems = itemSuppressions.areHonored(with: configuration)
        let configuration = try configuration.configuration(for: input, besides: inputs)
        var catalogue = try own.catalogue(configuration)
        for rule in catalogue.rules { rules[rule.id] = rule }
        try choice.restrict(&catalogue)
        return try Linter(
            catalogue: catalogue, configuration: configuration, now: now?.seconds, threads: jobs,
            honorsItemSuppressions: honorsItems, isFreshInstall: isFreshInstall, after: events, timings: timings)
    }
}
