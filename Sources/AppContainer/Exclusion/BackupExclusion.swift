/// The backup exclusion of an item, with the evidence.
public struct BackupExclusion: Sendable, Hashable {
    /// The state of the backup exclusion.
    public enum State: String, Sendable { case excluded, included, unknown }

    /// The state. `unknown` if the file system cannot store the exclusion.
    public let state: State
    /// The mark that decided. If the state is `included`, a mark that Apple's backups ignore, if any.
    public let mark: ExclusionMark?
    /// The path, relative to the container, of the item with the mark: the item itself or a parent directory.
    public let carrier: String?

    /// The state of an item without a mark.
    public static let included = BackupExclusion(state: .included, mark: nil, carrier: nil)
    /// The state of an item for which the exclusion cannot be determined.
    public static let unknown = BackupExclusion(state: .unknown, mark: nil, carrier: nil)

    package init(state: State, mark: ExclusionMark?, carrier: String?) {
        self.state = state
        self.mark = mark
        self.carrier = carrier
    }
}
