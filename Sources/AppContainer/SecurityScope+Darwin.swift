#if canImport(Darwin)
internal import Foundation
internal import SystemPackage

/// The access to a file outside of the container that a file picker grants.
struct SecurityScope {
    private let url: URL?

    init(_ url: URL) { self.url = url.startAccessingSecurityScopedResource() ? url : nil }

    func end() { url?.stopAccessingSecurityScopedResource() }

    /// Calls a closure while no other process that coordinates its access changes the item. It gets the URL where the item is
    /// by then.
    func coordinating(
        _ url: URL, isMove: Bool, _ body: (URL) throws(ContainerError) -> Void
    ) throws(ContainerError) {
        var failure: NSError?
        var result: Result<Void, ContainerError>?
        let coordinator = NSFileCoordinator(filePresenter: nil)
        withoutActuallyEscaping(body) { body in
            let accessor = { (url: URL) in
                result = Result { () throws(ContainerError) in try body(url) }
            }
            if isMove {
                coordinator.coordinate(
                    writingItemAt: url, options: .forDeleting, error: &failure, byAccessor: accessor)
            } else {
                coordinator.coordinate(
                    readingItemAt: url, options: .withoutChanges, error: &failure, byAccessor: accessor)
            }
        }
        if let result { return try result.get() }
        throw ContainerError(
            .failed, FilePath(url.path),
            "“\(url.path)” was not imported: the coordination with other processes failed: "
                + "\(failure?.localizedDescription ?? "the system gave no reason"). Nothing on disk has changed.")
    }
}
#endif
