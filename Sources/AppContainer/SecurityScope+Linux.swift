#if !canImport(Darwin)
internal import Foundation

/// The access to a file outside of the container that a file picker grants. Other systems need none.
struct SecurityScope {
    init(_ url: URL) {}

    func end() {}
}
#endif
