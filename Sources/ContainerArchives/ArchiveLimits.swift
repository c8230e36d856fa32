/// The limits for reading an archive.
public struct ArchiveLimits: Sendable, Hashable {
    /// The maximum size of the file in bytes, and of all strings and data in it: 64 MiB.
    public var bytes = 64 << 20
    /// The maximum number of objects and fields: 1,000,000. A collection counts once for each reference in another
    /// collection.
    public var objects = 1_000_000
    /// The maximum depth of nested objects: 64.
    ///
    /// Each level needs a few hundred bytes of stack space, and the stack space of the app's own classes.
    public var depth = 64

    /// Creates the default limits.
    public init() {}

    /// The limits, bounded to prevent overflows in multiplications.
    var clamped: ArchiveLimits {
        var limits = self
        limits.objects = min(objects, 1 << 30)
        return limits
    }
}
