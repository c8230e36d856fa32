#if canImport(Darwin)
internal import Foundation

/// The access to a file outside of the container that a file picker grants.
struct SecurityScope {
    private let url: URL?

    init(_ url: URL) { self.url = url.startAccessingSecurityScopedResource() ? url : nil }

    func end() { url?.stopAccessingSecurityScopedResource() }
}
#endif
