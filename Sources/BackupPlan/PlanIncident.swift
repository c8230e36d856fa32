internal import FileSystem
internal import SystemPackage

/// Something that the plan could not look at; the backup misses it.
package struct PlanIncident: Sendable, Hashable {
    /// Bytes relative to the container.
    package let path: [UInt8]
    /// Why, in one word of several joined by `-`.
    package let reason: String
    /// Whether it was there and then was not.
    let hasVanished: Bool

    init(_ failure: WalkFailure) {
        path = failure.path
        reason = failure.reason
        hasVanished = failure.errno == .noSuchFileOrDirectory || failure.errno == .notDirectory
    }
}
