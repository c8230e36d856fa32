/// What is known of what SDKs leave on disk.
struct Registry: Sendable {
    let entries: [RegistryEntry]
}

/// One path that an SDK writes, and what it holds.
struct RegistryEntry: Sendable {
    /// What losing it would mean.
    enum Holds: String, CaseIterable, Sendable {
        case regenerable, diagnostics, companion
        case userData = "user-data"
        case deviceBound = "device-bound"
    }
    /// What the SDK itself does about the flag.
    enum Flagged: String, CaseIterable, Sendable {
        case never, option, unknown
        case bySDK = "by-sdk"
        case notNeeded = "not-needed"
    }
    /// How it is known.
    enum Verified: String, CaseIterable, Sendable { case source, thread }

    let sdk: String
    let path: PathGlob
    let holds: Holds
    let flagged: Flagged
    let verified: Verified
}

extension Registry {
    /// The entries of one SDK's file.
    ///
    /// - Throws: What is wrong, at its line and column.
    static func entries(
        file: String, text: String, bundleIdentifier: String?
    ) throws(SourceError) -> [RegistryEntry] {
        let top = try YAMLValue(file: file, text: text)
        let fields = try top.fields(["sdk", "summary", "homepage", "sources", "entries"])
        let sdk = try top.required("sdk", of: fields).string()
        _ = try top.required("summary", of: fields).string()
        let sources = try top.required("sources", of: fields).list()
        for source in sources {
            let fields = try source.fields(["url", "shows"])
            _ = try source.required("url", of: fields).string()
        }
        var entries: [RegistryEntry] = []
        for value in try top.required("entries", of: fields).list() {
            let fields = try value.fields(["path", "holds", "flagged", "verified", "note"])
            entries.append(
                RegistryEntry(
                    sdk: sdk,
                    path: PathGlob(
                        try value.required("path", of: fields).string(), bundleIdentifier: bundleIdentifier),
                    holds: try value.required("holds", of: fields).word("kind of content", RegistryEntry.Holds.self),
                    flagged: try value.required("flagged", of: fields).word("answer", RegistryEntry.Flagged.self),
                    verified: try value.required("verified", of: fields).word(
                        "answer", RegistryEntry.Verified.self)))
        }
        return entries
    }
}

/// How far the registry's patterns have matched on the way down to a directory.
struct RegistryPosition: Sendable {
    private struct State: Sendable {
        let entry: Int
        let glob: PathGlob
        let position: Int
        /// The name that would complete the pattern here, if one name can.
        let last: Glob?
        /// Whether what has that name must be a directory.
        let needsDirectory: Bool

        init(entry: Int, glob: PathGlob, position: Int) {
            self.entry = entry
            self.glob = glob
            self.position = position
            let next = glob.components[position...].firstIndex { $0 != .anyDepth } ?? glob.components.count
            if next < glob.components.count, case .name(let name) = glob.components[next], glob.isEnd(next + 1) {
                last = name
            } else {
                last = nil
            }
            needsDirectory = next + 1 < glob.components.count
        }

        func takes(_ name: UnsafeRawBufferPointer, isDirectory: Bool) -> Bool {
            guard let last, isDirectory || !needsDirectory else { return false }
            return last.matches(name)
        }
    }

    /// Entries that take all that lies in this directory.
    private let taken: [Int]
    private let states: [State]

    /// The container's own directory.
    init(_ registry: Registry) {
        taken = []
        states = registry.entries.enumerated().map { State(entry: $0, glob: $1.path, position: 0) }
    }

    private init(taken: [Int], states: [State]) {
        self.taken = taken
        self.states = states
    }

    /// Whether any entry takes an item of this name here.
    func hasMatch(_ name: UnsafeRawBufferPointer, isDirectory: Bool) -> Bool {
        if !taken.isEmpty { return true }
        for state in states where state.takes(name, isDirectory: isDirectory) { return true }
        return false
    }

    /// The entries that take an item of this name here, as indexes into the registry.
    func matches(_ name: UnsafeRawBufferPointer, isDirectory: Bool) -> [Int] {
        var found = taken
        for state in states where state.takes(name, isDirectory: isDirectory) && !found.contains(state.entry) {
            found.append(state.entry)
        }
        return found.sorted()
    }

    /// The position in a subdirectory.
    func entering(_ name: UnsafeRawBufferPointer) -> RegistryPosition {
        var taken = taken
        var next: [State] = []
        for state in states {
            for position in state.glob.step(state.position, name) {
                if state.glob.takesAllBelow(position) {
                    if !taken.contains(state.entry) { taken.append(state.entry) }
                } else if position < state.glob.components.count {
                    next.append(State(entry: state.entry, glob: state.glob, position: position))
                }
            }
        }
        return RegistryPosition(taken: taken, states: next)
    }
}
