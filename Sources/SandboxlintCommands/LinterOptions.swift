import CommandLineSupport
import ContainerLifecycle
import StoragePolicy

/// The options of every command that lints: rules, configuration, date and threads.
///
/// Each command declares the groups itself. In a debug build, the argument parser checks a group four times for each time that
/// the group around it is checked.
struct LinterOptions {
    let choice: ChoiceOptions
    let configuration: ConfigurationOptions
    let itemSuppressions: ItemSuppressionOptions
    let own: RuleOptions
    let date: DateOptions
    let threads: ThreadOptions

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
            catalogue: catalogue, configuration: configuration, now: date.now?.seconds, threads: threads.jobs,
            honorsItemSuppressions: honorsItems, isFreshInstall: isFreshInstall, after: events, timings: timings)
    }
}
