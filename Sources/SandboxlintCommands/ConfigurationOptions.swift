import ArgumentParser
import StoragePolicy

/// The options that select the configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use this configuration. (default: the nearest .sandboxlint.yml in the working directory or above it, else above the input)",
            valueName: "path"), completion: .file())
    var config: String?

    @Flag(help: "Ignore configuration files and the suppressions stored on items.")
    var isolated = false

    @Option(
        help: ArgumentHelp(
            "Override a configuration value, such as rules.stale-tmp.days=14.",
            valueName: "key=value"))
    var set: [String] = []

    func validate() throws {
        if isolated, config != nil { throw ValidationError("--isolated and --config cannot be combined.") }
    }

    /// Returns the configuration for an input; without an input, for the working directory.
    ///
    /// A configuration file inside any input of the run is used only if `--config` names it.
    func configuration(for input: String?, besides inputs: [String] = []) throws -> Configuration {
        let file = isolated ? nil : config ?? Configuration.discover(for: input, besides: inputs)
        return try Configuration.read(file, setting: set)
    }
}

/// The option that ignores suppressions stored on items.
struct ItemSuppressionOptions: ParsableArguments {
    @Flag(help: "Ignore suppressions stored on items as extended attributes (implied by --isolated).")
    var noItemSuppressions = false

    /// Returns true if suppressions stored on items are honored.
    func areHonored(with configuration: ConfigurationOptions) -> Bool {
        !noItemSuppressions && !configuration.isolated
    }
}

/// The options that add rules.
struct RuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Add the rules in this folder of YAML files.", valueName: "folder"),
        completion: .directory)
    var rules: [String] = []

    /// The built-in rules and those of the configured and given folders.
    func catalogue(_ configuration: Configuration = .none) throws -> Catalogue {
        var catalogue = try Catalogue.embedded()
        for folder in configuration.rulesFolders { try catalogue.add(configuredFolder: folder) }
        for folder in rules { try catalogue.add(folder: folder) }
        return catalogue
    }
}
