/// Whether an item is kept out of backups by a flag, and what says so.
public struct BackupExclusion: Sendable, Hashable {
    /// What is known.
    public enum State: String, Sendable { case excluded, included, unknown }

    /// What is known. `unknown` where the file system cannot carry the flag.
    public let state: State
    /// The mark that decided; where the state is `included`, one that Apple's backups do not heed, if any.
    public let mark: ExclusionMark?
    /// The path, relative to the container, of the item that carries the mark: its own or a directory's above.
    public let carrier: String?

    /// An item without a mark, in a file system that could carry one.
    public static let included = BackupExclusion(state: .included, mark: nil, carrier: nil)
    /// An item of which no one can tell.
    public static let unknown = BackupExclusion(state: .unknown, mark: nil, carrier: nil)

    package init(state: State, mark: ExclusionMark?, carrier: String?) {
        self.state = state
        self.mark = mark
        self.carrier = carrier
    }
}
