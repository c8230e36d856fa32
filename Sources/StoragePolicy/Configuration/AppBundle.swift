public import AppContainer
internal import ContainerTree
public import SystemPackage

/// The bundle of an installed app. A file of a container that the bundle holds as well comes with every installation.
public struct AppBundle: Sendable {
    /// The app's identifier.
    public let bundleIdentifier: String
    let container: Container
    /// The declarations of the app; nil if its Info.plist cannot be read.
    let declarations: AppDeclarations?

    /// Opens an app's bundle.
    ///
    /// - Parameter path: The directory with `Info.plist`, or on macOS with `Contents/Info.plist`.
    /// - Throws: `notAContainer` for a directory that is not the bundle of an app, `notFound`, `notAFile`,
    ///   `permissionDenied`, `failed`.
    public init(at path: FilePath) throws(ContainerError) {
        container = try Container.open(appBundle: path)
        bundleIdentifier = container.bundleIdentifier ?? ""
        declarations = AppDeclarations(of: container)
    }

    /// Returns true if a container of that identifier may hold files of the app: its own container, one of its
    /// extensions, an app group, or a container without a recorded identifier.
    func owns(_ identifier: String?) -> Bool {
        guard let identifier else { return true }
        return identifier == bundleIdentifier || identifier.hasPrefix(bundleIdentifier + ".")
            || identifier.hasPrefix("group.")
    }
}
