/// What lies under a name of a container.
struct Entry: Sendable, Equatable {
    /// Nil for a directory.
    var content: [UInt8]?
    /// Whether it has the do-not-back-up flag, whole.
    var isExcluded = false
}

/// For some names, relative to the container, what may lie there; nil stands for nothing.
typealias Outcome = [String: [Entry?]]

/// What must be found after a cut.
struct Promise: Sendable {
    /// What was acknowledged: each name that was ever used.
    private(set) var settled: Outcome
    /// What the step that is under way may have come to, each over what is settled; one of them is found.
    private(set) var underway: [Outcome] = []

    /// Nothing but what is there now.
    init(_ entries: [String: Entry] = [:]) { settled = entries.mapValues { [$0] } }

    /// A step has begun that comes to `outcome`, perhaps by `between`.
    mutating func begin(_ outcome: Outcome, by between: [Outcome]) {
        // A name that was never used has nothing under it.
        for alternative in between + [outcome] {
            for name in alternative.keys where settled[name] == nil { settled[name] = [nil] }
        }
        underway = [[:]] + between + [outcome]
    }

    /// The step that was under way has returned.
    mutating func settle() {
        settled.merge(underway.last ?? [:]) { $1 }
        underway = []
    }

    /// The names that the step under way changes.
    var inFlight: Set<String> { Set(underway.flatMap(\.keys)) }
}
