internal import AppContainer

/// Gives the upper bits of signals out: one for each set of names, extensions, … that the loaded rules ask for.
struct SignalSlots: Sendable {
    private var used = Signals.firstSlot
    /// Whether tests that only note what a file names are asked at all: not before something asks who names it.
    let notesReferences: Bool
    private(set) var names: [(globs: [Glob], signal: Signals)] = []
    private(set) var extensions: [(words: [UInt64], signal: Signals)] = []
    private(set) var ages: [(seconds: Int64, signal: Signals)] = []
    private(set) var aheads: [(seconds: Int64, signal: Signals)] = []
    private(set) var sizes: [(range: ClosedRange<UInt64>, signal: Signals)] = []
    private(set) var declarations: [(words: [Configuration.Word], signal: Signals)] = []
    private(set) var locations: [(locations: [Location], signal: Signals)] = []

    init(notingReferences: Bool = false) { notesReferences = notingReferences }

    /// The bits that differ from item to item.
    var byItem: Signals {
        var signals = (names.map(\.signal) + extensions.map(\.signal)).reduce(Signals()) { $0.union($1) }
        for signal in ages.map(\.signal) + aheads.map(\.signal) + sizes.map(\.signal) { signals.formUnion(signal) }
        return signals
    }
    /// The bits that a directory decides for all that lies in it.
    var byDirectory: Signals { locations.reduce([]) { $0.union($1.signal) } }
    /// How many bits are left.
    var free: Int { Signals.capacity - used }

    /// Whether few items have that signal, so that it pays to tell apart those that have it.
    func isSeldom(_ signal: Signals) -> Bool { signal == .registered || declarations.contains { $0.signal == signal } }

    /// A bit, or none when all are given out: the rule is then asked about every item of its scope.
    private mutating func next() -> Signals? {
        guard used < Signals.capacity else { return nil }
        defer { used += 1 }
        return Signals(bit: used)
    }

    /// The name matches one of the globs.
    mutating func name(_ globs: [Glob]) -> Signals {
        if let same = names.first(where: { $0.globs == globs }) { return same.signal }
        guard let signal = next() else { return [] }
        names.append((globs, signal))
        return signal
    }

    /// The extension is one of these.
    mutating func pathExtension(_ words: [UInt64]) -> Signals {
        if let same = extensions.first(where: { $0.words == words }) { return same.signal }
        guard let signal = next() else { return [] }
        extensions.append((words, signal))
        return signal
    }

    /// The content was last changed at least so long ago.
    mutating func age(_ seconds: Int64) -> Signals {
        if let same = ages.first(where: { $0.seconds == seconds }) { return same.signal }
        guard let signal = next() else { return [] }
        ages.append((seconds, signal))
        return signal
    }

    /// The content was last changed more than that after now.
    mutating func ahead(_ seconds: Int64) -> Signals {
        if let same = aheads.first(where: { $0.seconds == seconds }) { return same.signal }
        guard let signal = next() else { return [] }
        aheads.append((seconds, signal))
        return signal
    }

    /// A file of so many bytes.
    mutating func size(_ range: ClosedRange<UInt64>) -> Signals {
        guard range != 0...UInt64.max else { return .file }
        guard range != 1...UInt64.max else { return .filled }
        if let same = sizes.first(where: { $0.range == range }) { return same.signal.union(.file) }
        guard let signal = next() else { return .file }
        sizes.append((range, signal))
        return signal.union(.file)
    }

    /// The configuration says one of these words of something.
    mutating func declaration(_ words: [Configuration.Word]) -> Signals {
        // The same words in another order say the same.
        let words = words.sorted { $0.rawValue < $1.rawValue }
        if let same = declarations.first(where: { $0.words == words }) { return same.signal }
        guard let signal = next() else { return [] }
        declarations.append((words, signal))
        return signal
    }

    /// The nearest location is one of these; a directory decides it for all that lies in it.
    mutating func location(_ list: [Location]) -> Signals {
        if let same = locations.first(where: { $0.locations == list }) { return same.signal }
        guard let signal = next() else { return [] }
        locations.append((list, signal))
        return signal
    }
}
