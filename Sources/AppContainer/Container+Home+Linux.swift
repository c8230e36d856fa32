#if !canImport(Darwin)
internal import SystemPackage

extension Container {
    package static func home(environment: [String: String]) throws(ContainerError) -> Container {
        try open(try directory("APP_CONTAINER_HOME", meaning: "the container of the app", in: environment))
    }

    static func openGroup(
        _ identifier: String, environment: [String: String]
    ) throws(ContainerError) -> Container {
        let groups = try directory(
            "APP_CONTAINER_GROUPS", meaning: "the directory of group containers", in: environment)
        return try open(groups.appending(identifier), bundleIdentifier: identifier)
    }

    private static func directory(
        _ variable: String, meaning: String, in environment: [String: String]
    ) throws(ContainerError) -> FilePath {
        guard let text = environment[variable], !text.isEmpty, !text.utf8.contains(0) else {
            throw ContainerError(
                .notAContainer, "", "The environment variable \(variable) is not set. Set it to the path of \(meaning)."
            )
        }
        return FilePath(text)
    }
}
#endif
