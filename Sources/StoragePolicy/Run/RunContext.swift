internal import AppContainer
internal import FileSystem
internal import PolicyTexts

/// The data of a run for one container that facts and conditions use: the registry, the configuration and the time, and
/// what they note for later.
final class RunContext: Sendable {
    let registry: Registry
    /// The matching states of the registry's patterns at directories.
    let positions: RegistryPositions
    let configuration: Configuration
    /// The words of the configuration that name anything.
    private let words: Set<Configuration.Word>
    let bundleIdentifier: String?
    let kind: Container.Kind
    let now: Timestamp
    let timings: Timings
    /// The names collected for container questions.
    let notes: ContainerNotes
    /// The model that weighs evidence; nil if no rule needs a verdict.
    let model: EvidenceModel?
    /// The web addresses in the app's own data.
    let addresses = AddressIndex()
    /// Evidence from the columns of databases and the fields of property lists.
    let stores = StoreEvidence()
    /// True if the app was installed and launched once and never used.
    let isFreshInstall: Bool
    /// The events that the run plays on a model of the container; nil without events.
    let events: EventsOfRun?
    /// The files whose bytes recorded traffic has; nil without a recording.
    let traffic: TrafficProofs?

    init(
        registry: Registry, configuration: Configuration, bundleIdentifier: String?, kind: Container.Kind,
        now: Timestamp, timings: Timings, isFreshInstall: Bool, events: EventsOfRun?, model: EvidenceModel?,
        notes: ContainerNotes, traffic: TrafficProofs?
    ) {
        self.registry = registry
        positions = RegistryPositions(registry)
        self.configuration = configuration
        words = Set(Configuration.Word.allCases.filter { configuration.says([$0]) })
        self.bundleIdentifier = bundleIdentifier
        self.kind = kind
        self.now = now
        self.timings = timings
        self.notes = notes
        self.model = model
        self.isFreshInstall = isFreshInstall
        self.events = events
        self.traffic = traffic
    }

    /// True if `ignore` of the configuration names anything.
    var ignoresSomething: Bool { words.contains(.ignore) }

    /// Returns the words of the configuration that declare a path.
    func words(declaring path: @autoclosure () -> [UInt8]) -> [Configuration.Word] {
        guard !words.isEmpty else { return [] }
        let path = path()
        return Configuration.Word.allCases.filter { words.contains($0) && configuration.declares(path, word: $0) }
    }
}
