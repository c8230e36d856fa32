internal import Synchronization

/// A question about the whole container, answered after all of it was read.
enum ContainerQuestion: Hashable, Sendable {
    /// Another item that the same rule asks about has the same content.
    case isDuplicate
    /// A file outside the inbox has the same content.
    case hasCopy
    /// Something of this name was seen somewhere.
    case wasSeen(String)
    /// Nothing of one of these names was seen.
    case isAnyMissing([String])
    /// No preference, database or archive that was read names this.
    case isUnreferenced(String)
    /// No item of the container, which has at least so many files, has any attribute.
    case hasNoAttributes(files: Int)
}

/// The names collected during a run to answer container questions.
final class ContainerNotes: Sendable {
    private struct Noted {
        var seen: Set<String> = []
        var references: Set<String> = []
    }
    private let noted = Mutex(Noted())
    /// More names than this are not kept; the question is then answered so that nothing is found.
    private static let limit = 200_000

    /// Something was seen.
    func see(_ name: String) { noted.withLock { if $0.seen.count < Self.limit { $0.seen.insert(name) } } }
    func wasSeen(_ name: String) -> Bool { noted.withLock { $0.seen.contains(name) } }
    func isMissing(_ name: String) -> Bool {
        noted.withLock { !$0.seen.contains(name) && $0.seen.count < Self.limit }
    }

    /// A text names something.
    func refer(to name: String) {
        noted.withLock { if $0.references.count < Self.limit { $0.references.insert(name) } }
    }
    func isReferenced(_ name: String) -> Bool {
        noted.withLock { $0.references.contains(name) || $0.references.count >= Self.limit }
    }
}
