import ArgumentParser
import StoragePolicy

/// The options that enable and disable rules.
struct ChoiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Run only these rules: a comma-separated list of ids, numbers or groups.", valueName: "ids"),
        completion: RuleWords.list)
    var select: [String] = []

    @Option(
        help: ArgumentHelp("Disable these rules: a comma-separated list of ids, numbers or groups.", valueName: "ids"),
        completion: RuleWords.list)
    var ignore: [String] = []

    /// Removes all but the enabled rules from a catalogue.
    func restrict(_ catalogue: inout Catalogue) throws {
        try catalogue.restrict(select: Self.words(select), ignore: Self.words(ignore))
    }

    /// Removes the disabled rules from a catalogue.
    func takeIgnored(outOf catalogue: inout Catalogue) throws {
        try catalogue.restrict(select: [], ignore: Self.words(ignore))
    }

    private static func words(_ lists: [String]) -> [String] {
        lists.flatMap { $0.split(separator: ",").map(String.init) }
    }
}
