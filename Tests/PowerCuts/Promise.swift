/// The state of a path in a container.
struct Entry: Sendable, Equatable {
    /// Nil for a directory.
    var content: [UInt8]?
    /// True if it has the backup exclusion with its complete value.
    var isExcluded = false
}

/// For some paths, relative to the container, the allowed states. Nil stands for a missing item.
typealias Outcome = [String: [Entry?]]

/// The states that must be found after a power cut.
struct Promise: Sendable {
    /// The acknowledged states of all paths that were ever used.
    private(set) var settled: Outcome
    /// The possible results of the step in progress, each as a change to the acknowledged states. One of them must be
    /// found.
    private(set) var underway: [Outcome] = []

    /// Only the current states.
    init(_ entries: [String: Entry] = [:]) { settled = entries.mapValues { [$0] } }

    /// Begins a step with the result `outcome` and possible intermediate states `between`.
    mutating func begin(_ outcome: Outcome, by between: [Outcome]) {
        // A path that was never used is missing.
        for alternative in between + [outcome] {
            for name in alternative.keys where settled[name] == nil { settled[name] = [nil] }
        }
        underway = [[:]] + between + [outcome]
    }

    /// Ends the step in progress.
    mutating func settle() {
        settled.merge(underway.last ?? [:]) { $1 }
        underway = []
    }

    /// The paths that the step in progress changes.
    var inFlight: Set<String> { Set(underway.flatMap(\.keys)) }
}
