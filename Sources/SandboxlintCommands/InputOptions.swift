import ArgumentParser
import CommandLineSupport
import ContainerInputs

/// The paths of the inputs of a run.
struct InputPaths: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Containers: directories with Documents, Library or tmp, .xcappdata packages, simulated devices, directories "
                + "that hold containers, archives (zip, tar), or device backups.", valueName: "input"),
        completion: .file())
    var paths: [String] = []
}

/// The inputs of a run: paths, and apps in a simulator or on a device. Each command declares the groups itself; see
/// `LinterOptions`.
struct InputOptions {
    let paths: [String]
    let selection: InputSelection
    let secret: BackupPasswordOptions

    /// Checks the options together.
    ///
    /// - Throws: `ValidationError`.
    func check() throws {
        try selection.check(paths)
        guard !sources.isEmpty else {
            throw ValidationError("Specify a container: the directory that contains Documents.")
        }
    }

    /// The apps to take; empty for all.
    var bundleID: [String] { selection.bundleID }

    /// The inputs in the order of the report, each once.
    var sources: [InputSource] { Input.distinct(selection.sources(paths)) }
}
