internal import FileSystem
internal import Foundation
internal import SystemPackage

extension Container {
    /// Creates a container for a test or a preview in the temporary directory of the process. It is removed when the
    /// last copy of the returned value is deallocated.
    ///
    ///     let container = try Container.temporary()
    ///     try container.save("x", to: .documents / "a.txt")
    ///
    /// - Parameter bundleIdentifier: The app's identifier.
    /// - Returns: The container.
    /// - Throws: The errors of `create(at:bundleIdentifier:)`.
    public static func temporary(bundleIdentifier: String = "com.example.app") throws(ContainerError) -> Container {
        let path = FilePath(FileManager.default.temporaryDirectory.path).joined(
            FilePath("container-\(UUID().uuidString.lowercased())"))
        var container = try create(at: path, bundleIdentifier: bundleIdentifier)
        container.removal = DirectoryRemoval(path)
        return container
    }
}
