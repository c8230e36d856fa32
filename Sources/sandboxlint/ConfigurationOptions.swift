import ArgumentParser
import StoragePolicy

/// The options by which a run finds its configuration.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration, instead of the closest .sandboxlint.yml from the input's folder upward.",
            valueName: "path"), completion: .file())
    var config: String?

    @Flag(help: "Ignore configuration files, and the suppressions that items carry.")
    var isolated = false

    @Option(
        help: ArgumentHelp(
            "A value of the configuration: bundle-id=com.example.app, rules.stale-tmp.days=14.",
            valueName: "key=value"))
    var set: [String] = []

    func validate() throws {
        if isolated, config != nil { throw ValidationError("--isolated and --config exclude each other; choose one.") }
    }

    /// Returns the configuration for an input; without one, for the working directory. One that lies in any of the run's
    /// inputs is used only if `--config` names it.
    func configuration(for input: String?, besides inputs: [String] = []) throws -> Configuration {
        let file = isolated ? nil : config ?? Configuration.discover(for: input, besides: inputs)
        return try Configuration.read(file, setting: set)
    }
}

/// The option that reports what a container suppresses itself.
struct ItemSuppressionOptions: ParsableArguments {
    @Flag(help: "Ignore the suppressions that files and directories carry as attributes; --isolated implies it.")
    var noItemSuppressions = false

    /// Returns true if the attributes of items may hide findings.
    func areHonored(with configuration: ConfigurationOptions) -> Bool {
        !noItemSuppressions && !configuration.isolated
    }
}

/// The options by which a run finds its rules.
struct RuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Rules of your own besides: a folder of YAML files.", valueName: "folder"),
        completion: .directory)
    var rules: [String] = []

    /// The rules of this build, of the configuration's folders and of those given.
    func catalogue(_ configuration: Configuration = .none) throws -> Catalogue {
        var catalogue = try Catalogue.embedded()
        for folder in configuration.rulesFolders { try catalogue.add(configuredFolder: folder) }
        for folder in rules { try catalogue.add(folder: folder) }
        return catalogue
    }
}
