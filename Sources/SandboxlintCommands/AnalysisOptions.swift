import ArgumentParser
import ContainerLifecycle
import StoragePolicy
import TextOutput

/// The option that sets the number of threads.
struct ThreadOptions: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp("Number of threads; 0 uses one per processor.", valueName: "n"))
    var jobs: Int = 0

    func validate() throws {
        guard (0...256).contains(jobs) else { throw ValidationError("-j must be between 0 and 256.") }
    }
}

/// The options that select what is assumed about the app and its device.
struct AnalysisOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Compare with this app bundle (Reader.app): its files are not user data.", valueName: "path"),
        completion: .directory)
    var app: String?

    @Flag(
        help: "Assume that the app was only installed and launched, as in App Review: nothing is user data.")
    var freshInstall = false

    @Option(
        help: ArgumentHelp(
            "Also report what these events would break: a comma-separated list of purge, update, offload, restore, transfer.",
            discussion: """
                The events are played in order on a model of the container in memory. Nothing on disk changes. offload is \
                followed by an installation; restore and transfer are to a new device.
                """, valueName: "events"),
        completion: .list(LifecycleEvent.allCases.map(\.rawValue)), transform: EventList.init)
    var after: EventList?
}
