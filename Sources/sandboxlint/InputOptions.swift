import AppContainer
import ArgumentParser
import CommandLineSupport
import ContainerInputs
import StoragePolicy
import SystemPackage

/// The inputs of a run: paths, and apps in a simulator or on a device.
struct InputOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Containers: directories with Documents, Library or tmp, .xcappdata packages, simulated devices, directories "
                + "that hold containers, archives (zip, tar), or device backups.", valueName: "input"),
        completion: .file())
    var paths: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take only this app, with its groups and extensions. May be repeated. (default: all)",
            valueName: "bundle-id"))
    var bundleID: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take this app from the booted simulator, with its app groups. May be repeated.",
            discussion: "The containers are found with `xcrun simctl get_app_container booted`.",
            valueName: "bundle-id"))
    var booted: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take the app of --bundle-id from this device, by the identifier or name of the device.",
            discussion: """
                The container is copied with `xcrun devicectl device copy from` into a private temporary directory, which \
                is removed at the end. The app must be signed for development.
                """, valueName: "device"))
    var device: String?

    @OptionGroup var secret: BackupPasswordOptions

    func validate() throws {
        if device != nil, bundleID.isEmpty {
            throw ValidationError("--device needs --bundle-id: the app whose container is copied.")
        }
        if device == nil, paths.isEmpty, !bundleID.isEmpty {
            throw ValidationError("--bundle-id needs an input or --device.")
        }
        guard !sources.isEmpty else {
            throw ValidationError("Specify a container: the directory that contains Documents.")
        }
    }

    /// The inputs in the order of the report.
    var sources: [InputSource] {
        paths.map(InputSource.path) + booted.map(InputSource.booted)
            + (device.map { device in bundleID.map { .device(device, bundleIdentifier: $0) } } ?? [])
    }
}
