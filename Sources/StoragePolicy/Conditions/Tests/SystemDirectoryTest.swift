internal import AppContainer
internal import ContainerTree

/// `system-directory: true`: the item is one of the directories that the system defines.
struct SystemDirectoryTest: Test {
    static let key = "system-directory"
    static let cost = Cost.free
    private let wanted: Bool

    init(_ value: YAMLValue) throws(SourceError) { wanted = try value.boolean() }

    func signals(_ slots: inout SignalSlots) -> Signals { wanted ? [.location, .directory] : [] }

    func holds(for subject: inout Subject) -> Bool {
        let isSystem = subject.ownLocation.map { Location.systemDefined.contains($0) } ?? false
        return isSystem == wanted
    }
}
