import ArgumentParser
import StoragePolicy

/// The options by which a run that lints chooses its rules, its configuration and its moment.
struct SelectionOptions: ParsableArguments {
    @OptionGroup var choice: ChoiceOptions

    @Option(
        help: ArgumentHelp("Count ages back from this moment (2026-01-31 or 2026-01-31T12:00:00Z).", valueName: "date"))
    var now: Moment?

    @OptionGroup var configuration: ConfigurationOptions

    @OptionGroup var itemSuppressions: ItemSuppressionOptions

    @OptionGroup var own: RuleOptions

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp("Threads; 0 for as many as processors.", valueName: "n"))
    var jobs: Int = 0

    func validate() throws {
        guard (0...256).contains(jobs) else { throw ValidationError("-j takes a number from 0 to 256.") }
    }

    /// The linter for an input, by the input's configuration.
    func linter(for input: String, besides inputs: [String] = []) throws -> Linter {
        var rules: [String: Rule] = [:]
        return try linter(for: input, besides: inputs, Timings(isOn: false), &rules)
    }

    /// The same, with what takes time measured; adds all rules that there are, also those that are left out.
    func linter(
        for input: String, besides inputs: [String], _ timings: Timings, isFreshInstall: Bool = false,
        _ rules: inout [String: Rule]
    ) throws -> Linter {
        let honorsItems = itemSuppressions.areHonored(with: configuration)
        let configuration = try configuration.configuration(for: input, besides: inputs)
        var catalogue = try own.catalogue(configuration)
        for rule in catalogue.rules { rules[rule.id] = rule }
        try choice.restrict(&catalogue)
        return try Linter(
            catalogue: catalogue, configuration: configuration, now: now?.seconds, threads: jobs,
            honorsItemSuppressions: honorsItems, isFreshInstall: isFreshInstall, timings: timings)
    }
}
