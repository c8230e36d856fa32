internal import FileSystem
internal import Foundation
internal import SystemPackage

extension Container {
    /// Opens the container of this process.
    ///
    /// On Apple's systems this is the container that the system created for the app. On Linux, the environment variable
    /// `APP_CONTAINER_HOME` names it; create it once with `Container.create`.
    ///
    ///     let container = try Container.home()
    ///
    /// - Returns: The container of the process.
    /// - Throws: `notAContainer` if the process has no container: an unset variable, or a macOS app without the App
    ///   Sandbox; and the errors of opening a path.
    public static func home() throws(ContainerError) -> Container {
        try home(environment: ProcessInfo.processInfo.environment)
    }

    /// Opens the container of a group of apps, which the app's entitlements must list.
    ///
    /// On Linux, the environment variable `APP_CONTAINER_GROUPS` names a directory that contains the group's container in
    /// a directory named by its identifier.
    ///
    ///     let shared = try Container.group("group.com.example.reader")
    ///
    /// - Parameter identifier: The identifier of the group: `group.com.example.reader`.
    /// - Returns: The container of the group.
    /// - Throws: `invalidPath` for an identifier that is not that of a group; `notAContainer` if the process has no such
    ///   container; and the errors of opening a path.
    public static func group(_ identifier: String) throws(ContainerError) -> Container {
        try group(identifier, environment: ProcessInfo.processInfo.environment)
    }

    package static func group(
        _ identifier: String, environment: [String: String]
    ) throws(ContainerError) -> Container {
        guard identifier.hasPrefix("group."), isIdentifier(identifier) else {
            throw ContainerError(
                .invalidPath, FilePath(identifier.replacing("\0", with: "\u{fffd}")),
                "“\(identifier)” is not the identifier of a group: it must begin with “group.”, as in group.com.example.app."
            )
        }
        return try openGroup(identifier, environment: environment)
    }
}
