#if canImport(Darwin)
internal import Foundation
internal import SystemPackage

extension Container {
    package static func home(environment: [String: String]) throws(ContainerError) -> Container {
        #if os(macOS)
        // Without the App Sandbox, the home directory of the process is that of the user. It has a Documents and a
        // Library too.
        guard environment["APP_SANDBOX_CONTAINER_ID"] != nil else {
            throw ContainerError(
                .notAContainer, FilePath(NSHomeDirectory()),
                "The process has no container: it does not run in the App Sandbox. Add the entitlement "
                    + "com.apple.security.app-sandbox, or open a container by its path.")
        }
        #endif
        return try open(FilePath(NSHomeDirectory()), bundleIdentifier: Bundle.main.bundleIdentifier)
    }

    static func openGroup(
        _ identifier: String, environment: [String: String]
    ) throws(ContainerError) -> Container {
        guard let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier) else {
            throw ContainerError(
                .notAContainer, FilePath(identifier),
                "The process has no container for “\(identifier)”. Add the group to the entitlement "
                    + "com.apple.security.application-groups.")
        }
        return try open(url, bundleIdentifier: identifier)
    }
}
#endif
