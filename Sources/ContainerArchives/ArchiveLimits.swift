/// How much of an archive is read before it is refused.
public struct ArchiveLimits: Sendable, Hashable {
    /// The file's bytes, and the bytes of all texts and data that are made of it: 64 MiB.
    public var bytes = 64 << 20
    /// Objects and their fields; a collection that holds another several times counts it as often: 1,000,000.
    public var objects = 1_000_000
    /// How many objects may lie within each other: 64.
    ///
    /// Each level takes a few hundred bytes of the stack, and what the app's own classes take.
    public var depth = 64

    /// The limits named above.
    public init() {}

    /// The same, small enough to be multiplied.
    var clamped: ArchiveLimits {
        var limits = self
        limits.objects = min(objects, 1 << 30)
        return limits
    }
}
