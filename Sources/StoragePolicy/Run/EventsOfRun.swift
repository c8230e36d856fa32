internal import AppContainer
internal import ContainerLifecycle
internal import ContainerTree

/// The events of a run that plays them on a model of the container (`lint --after`).
struct EventsOfRun: Sendable {
    let model: EventModel
    /// The search for references to items of the container.
    let references: ContainerReferences

    /// Returns nil without events. An event that occurs again changes nothing.
    init?(_ events: [LifecycleEvent], of tree: some Tree, threads: Int) throws(ContainerError) {
        var distinct: [LifecycleEvent] = []
        for event in events where !distinct.contains(event) { distinct.append(event) }
        guard !distinct.isEmpty else { return nil }
        model = try EventModel(distinct, of: tree, threads: threads)
        references = ContainerReferences(to: tree.container)
    }
}
