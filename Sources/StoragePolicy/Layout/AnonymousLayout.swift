package import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// The files of a container without anything that reveals its user: anonymous paths, shifted times, rounded sizes.
///
/// The form is that of the layouts from which the weights of evidence are learnt, so that users can contribute theirs.
/// Content is never read.
package struct AnonymousLayout: Sendable {
    /// A file, or a directory without entries.
    package struct Entry: Sendable, Comparable {
        /// The anonymous path; that of a directory ends in `/`.
        package let path: [UInt8]
        /// Seconds since 1970, rounded and shifted.
        package let modified: Int64
        /// Bytes, of which the first two digits are exact.
        package let bytes: UInt64

        package static func < (left: Entry, right: Entry) -> Bool {
            left.path.lexicographicallyPrecedes(right.path)
        }
    }

    /// The anonymous name of the container.
    package let name: String
    /// By anonymous path, so that the order of the true names does not show.
    package let entries: [Entry]
    /// Links and special files, which are left out.
    package let others: Int
    /// Entries beyond the limit, which are left out.
    package let dropped: Int
    /// Directories that could not be read.
    package let incidents: [Incident]

    /// Reads the layout of a container.
    ///
    /// - Parameters:
    ///   - container: The container, of which nothing is changed.
    ///   - seed: Makes the replacements the same in every run, and known to everybody who knows the seed.
    ///   - limit: The most entries.
    /// - Throws: `ContainerError` if the container cannot be read, `SourceError` for a mistake in the rules.
    package init(_ container: Container, seed: String? = nil, limit: Int = 1_000_000) throws {
        let catalogue = try Catalogue.embedded()
        let vocabulary = try catalogue.evidenceModel().vocabulary
        let pseudonyms = Pseudonyms(seed: seed)
        let names = AnonymousNames(
            vocabulary, known: try catalogue.publicNames(vocabulary), pseudonyms: pseudonyms,
            bundleIdentifier: container.bundleIdentifier)
        let visitor = Visitor(names: names, times: AnonymousTimes(pseudonyms), kept: Kept(limit: limit))
        try DirectoryTree(container).visit(visitor, threads: min(4, Host.processorCount))
        name = "contributed/" + String(decoding: names.container, as: UTF8.self)
        (entries, others, dropped, incidents) = visitor.kept.removeAll()
    }

    /// A size of which two digits are left.
    static func rounded(_ bytes: UInt64) -> UInt64 {
        var scale: UInt64 = 1
        while bytes / scale >= 100 { scale *= 10 }
        let (whole, rest) = (bytes / scale * scale, bytes % scale)
        return rest >= scale - scale / 2 ? whole.addingReportingOverflow(scale).partialValue : whole
    }
}

/// Modification times that say how far files are apart but not when they were written.
struct AnonymousTimes: Sendable {
    private let shift: Int64

    /// One to eight years back, in whole days, so that the time of day stays.
    init(_ pseudonyms: Pseudonyms) { shift = pseudonyms.number(in: 365...2_922) * 86_400 }

    /// Older times than this come from archives and defaults, not from the user. They stay, since a known time that
    /// is shifted would give the shift away.
    private static let firstDevice: Int64 = 1_167_609_600
    /// Seconds to which times are rounded; less than the minute within which files count as written together.
    private static let step: Int64 = 10

    /// A time, shifted by whole days; 0 for none.
    func time(_ seconds: Int64) -> Int64 {
        guard seconds > 0 else { return 0 }
        return seconds / Self.step * Self.step - (seconds < Self.firstDevice ? 0 : shift)
    }
}

/// The entries that a walk has found so far.
private final class Kept: Sendable {
    private struct State {
        var entries: [AnonymousLayout.Entry] = []
        var others = 0
        var dropped = 0
        var incidents: [Incident] = []
    }
    private let state = LockedValue(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    func add(_ entries: [AnonymousLayout.Entry], others: Int) {
        state.withLock { state in
            state.entries += entries
            state.others += others
            if state.entries.count > limit + limit / 2 { Self.trim(&state, to: limit) }
        }
    }

    func fail(_ incident: Incident) { state.withLock { $0.incidents.append(incident) } }

    func removeAll() -> (entries: [AnonymousLayout.Entry], others: Int, dropped: Int, incidents: [Incident]) {
        state.withLock { state in
            Self.trim(&state, to: limit)
            state.incidents.sort { $0.path.lexicographicallyPrecedes($1.path) }
            return (state.entries, state.others, state.dropped, state.incidents)
        }
    }

    /// Drops the last paths, so that the result does not depend on the order in which directories were read.
    private static func trim(_ state: inout State, to limit: Int) {
        state.entries.sort()
        let over = max(0, state.entries.count - limit)
        state.entries.removeLast(over)
        state.dropped += over
    }
}

private struct Visitor: ItemVisitor {
    /// A directory by its anonymous path, which ends in `/` except for the container's own.
    struct Context: Sendable {
        let path: [UInt8]
        let modified: Int64
    }
    struct Found {
        var entries: [AnonymousLayout.Entry] = []
        var others = 0
        var directories = 0
    }
    let names: AnonymousNames
    let times: AnonymousTimes
    let kept: Kept

    func root(_ item: Item, directory: Directory) -> Context { Context(path: [], modified: 0) }
    func begin(_ directory: Directory, context: Context) -> Found { Found() }

    func visit(_ item: Item, in directory: Directory, context: Context, into found: inout Found) {
        guard item.status.isFile else {
            found.others += 1
            return
        }
        found.entries.append(
            AnonymousLayout.Entry(
                path: context.path + names.name(Array(item.name)), modified: times.time(item.status.modified.seconds),
                bytes: AnonymousLayout.rounded(item.status.size)))
    }

    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Context, into found: inout Found
    ) -> Context {
        found.directories += 1
        return Context(
            path: context.path + names.name(Array(item.name)) + [UInt8(ascii: "/")],
            modified: times.time(item.status.modified.seconds))
    }

    func end(_ directory: Directory, context: Context, accumulator found: Found) {
        var entries = found.entries
        if entries.isEmpty, found.directories == 0, !context.path.isEmpty {
            entries = [AnonymousLayout.Entry(path: context.path, modified: context.modified, bytes: 0)]
        }
        kept.add(entries, others: found.others)
    }

    func failed(_ failure: WalkFailure) { kept.fail(Incident(failure)) }
}
