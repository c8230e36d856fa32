package import AppContainer
package import ContainerTree
package import SystemPackage

/// The opening of inputs: the one place that knows how the content of a container can be stored.
package enum ContainerInput {
    /// Opens the content of a container for reading.
    ///
    /// - Parameters:
    ///   - path: The path of a directory.
    ///   - bundleIdentifier: The identifier, if the container has none.
    /// - Returns: The content.
    /// - Throws: The errors of opening a container.
    package static func tree(
        at path: FilePath, bundleIdentifier: String? = nil
    ) throws(ContainerError) -> any Tree {
        DirectoryTree(try Container.open(path, bundleIdentifier: bundleIdentifier))
    }
}
