internal import FileSystem
public import Foundation
public import SystemPackage

extension Container {
    /// Where a place of the container lies on this machine's disk.
    ///
    /// - Throws: `noIdentifier` for a place named by the app's identifier, where the container does not say it.
    public func path(_ place: ContainerPath) throws(ContainerError) -> FilePath {
        location.appending(try relative(place).components)
    }

    /// The same as a file URL.
    ///
    /// - Throws: `noIdentifier`.
    public func url(_ place: ContainerPath) throws(ContainerError) -> URL {
        URL(fileURLWithPath: try path(place).string)
    }

    /// Where a location's own directory lies.
    ///
    /// - Throws: `noIdentifier` for a location named by the app's identifier.
    public func path(_ location: Location) throws(ContainerError) -> FilePath { try path(ContainerPath(location)) }

    /// The same as a file URL.
    ///
    /// - Throws: `noIdentifier`.
    public func url(_ location: Location) throws(ContainerError) -> URL { try url(ContainerPath(location)) }

    /// The place's path relative to the container.
    package func relative(_ place: ContainerPath) throws(ContainerError) -> FilePath {
        var text = place.location.path
        if place.isNamespaced { text += "/{bundle-id}" }
        if text.contains("{bundle-id}") {
            guard let bundleIdentifier else {
                throw ContainerError(
                    .noIdentifier, FilePath(text),
                    "“\(place)” is named by the app's identifier, which this container does not say. "
                        + "Open it with bundleIdentifier:.")
            }
            text = text.replacingOccurrences(of: "{bundle-id}", with: bundleIdentifier)
        }
        return FilePath(text).appending(place.relative.components)
    }
}
