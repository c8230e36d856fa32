internal import FileSystem

/// Something that the plan could not look at; the backup misses it.
package struct PlanIncident: Sendable, Hashable {
    /// Bytes relative to the container.
    package let path: [UInt8]
    /// Why, in one word of several joined by `-`.
    package let reason: String

    init(_ failure: WalkFailure) {
        path = failure.path
        reason = failure.reason
    }
}
