#if !canImport(Darwin)
internal import Foundation

/// The access to a file outside of the container that a file picker grants. Other systems need none.
struct SecurityScope {
    init(_ url: URL) {}

    func end() {}

    /// Calls a closure. This system coordinates no access.
    func coordinating(
        _ url: URL, isMove: Bool, _ body: (URL) throws(ContainerError) -> Void
    ) throws(ContainerError) { try body(url) }
}
#endif
