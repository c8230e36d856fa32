import ArgumentParser
import ContainerInputs

/// The options that select an app in a simulator or on a device instead of a path.
struct AppOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Lint this app in the booted simulator, with its app groups. May be repeated.",
            discussion: "The containers are found with `xcrun simctl get_app_container booted`.",
            valueName: "bundle-id"))
    var booted: [String] = []

    @Option(
        help: ArgumentHelp(
            "Lint the app of --bundle-id on this device, by the identifier or name of the device.",
            discussion: """
                The container is copied with `xcrun devicectl device copy from` into a private temporary directory, which \
                is removed at the end. The app must be signed for development.
                """, valueName: "device"))
    var device: String?

    @Option(help: ArgumentHelp("The app to lint. May be repeated.", valueName: "bundle-id"))
    var bundleID: [String] = []

    func validate() throws {
        if device != nil, bundleID.isEmpty {
            throw ValidationError("--device needs --bundle-id: the app whose container is copied.")
        }
        if device == nil, !bundleID.isEmpty {
            throw ValidationError("--bundle-id needs --device.")
        }
    }

    /// The apps as inputs.
    var sources: [InputSource] {
        booted.map(InputSource.booted)
            + (device.map { device in bundleID.map { .device(device, bundleIdentifier: $0) } } ?? [])
    }
}
