internal import AppContainer
internal import ContainerTree

/// `lies-in: [Library]`: the location that the item lies in is that one of the table, by its path; `.` is the
/// container's root. What lies in a location further down does not lie in this one.
struct LiesInTest: Test {
    static let key = "lies-in"
    static let cost = Cost.free
    private let locations: [Location]

    init(_ value: YAMLValue) throws(SourceError) {
        var locations: [Location] = []
        for part in value.list() {
            let path = try part.string()
            guard let location = Location.table.first(where: { $0.path == (path == "." ? "" : path) }) else {
                throw part.unknown("location", path, among: Location.table.map(\.path) + ["."])
            }
            locations.append(location)
        }
        self.locations = locations
    }

    func signals(_ slots: inout SignalSlots) -> Signals { slots.location(locations) }

    func isDecided(by signals: Signals) -> Bool { !signals.isEmpty }

    func holds(for subject: inout Subject) -> Bool {
        // The container itself lies in nothing.
        !subject.item.name.isEmpty && locations.contains(subject.directory.location)
    }
}
