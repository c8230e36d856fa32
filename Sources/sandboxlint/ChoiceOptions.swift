import ArgumentParser
import StoragePolicy

/// Which rules a run is about.
struct ChoiceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only these rules: ids, numbers or groups, joined by commas.", valueName: "ids"),
        completion: RuleWords.list)
    var select: [String] = []

    @Option(
        help: ArgumentHelp("None of these rules: ids, numbers or groups, joined by commas.", valueName: "ids"),
        completion: RuleWords.list)
    var ignore: [String] = []

    /// Leaves the rules that are chosen in a catalogue.
    func restrict(_ catalogue: inout Catalogue) throws {
        try catalogue.restrict(select: Self.words(select), ignore: Self.words(ignore))
    }

    /// Takes the rules that are to be ignored out of a catalogue.
    func takeIgnored(outOf catalogue: inout Catalogue) throws {
        try catalogue.restrict(select: [], ignore: Self.words(ignore))
    }

    private static func words(_ lists: [String]) -> [String] {
        lists.flatMap { $0.split(separator: ",").map(String.init) }
    }
}
