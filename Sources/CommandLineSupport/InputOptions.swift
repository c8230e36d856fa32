package import ArgumentParser
package import ContainerInputs

/// The selection of containers in inputs, and the inputs without a path: apps in a simulator or on a device. Each tool
/// declares the paths.
package struct InputSelection: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Take only this app, with its groups and extensions. May be repeated. (default: all)",
            discussion: """
                A command that reads one container takes the one with this identifier. If the only container of an input \
                records no identifier, it gets this one.
                """, valueName: "bundle-id"))
    package var bundleID: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take this app from the booted simulator, with its app groups. May be repeated.",
            discussion: "The containers are found with `xcrun simctl get_app_container booted`.",
            valueName: "bundle-id"))
    package var booted: [String] = []

    @Option(
        help: ArgumentHelp(
            "Take the app of --bundle-id from this device, by the identifier or name of the device.",
            discussion: """
                The container is copied with `xcrun devicectl device copy from` into a private temporary directory, which \
                is removed at the end. The app must be signed for development.
                """, valueName: "device"))
    package var device: String?

    package init() {}

    /// True if an app in a simulator or on a device is specified, so that no path is needed.
    package var hasApp: Bool { !booted.isEmpty || device != nil }

    /// Checks the options together with the paths.
    ///
    /// - Throws: `ValidationError`.
    package func check(_ paths: [String]) throws {
        if device != nil, bundleID.isEmpty {
            throw ValidationError("--device needs --bundle-id: the app whose container is copied.")
        }
        if device == nil, paths.isEmpty, !bundleID.isEmpty {
            throw ValidationError("--bundle-id needs an input or --device.")
        }
    }

    /// Returns the inputs: the paths, then the apps.
    package func sources(_ paths: [String]) -> [InputSource] {
        paths.map(InputSource.path) + booted.map(InputSource.booted)
            + (device.map { device in bundleID.map { .device(device, bundleIdentifier: $0) } } ?? [])
    }

    // MARK: - One container

    /// Returns the input of a command that reads one container.
    ///
    /// - Throws: `ValidationError` without an input, or with several.
    package func source(_ path: String?) throws -> InputSource {
        let paths = path.map { [$0] } ?? []
        try check(paths)
        let sources = sources(paths)
        guard let source = sources.first else { throw ValidationError("Missing expected argument '<container>'") }
        guard sources.count == 1 else {
            throw ValidationError(
                "This command reads one container: a path, or an app of --booted or of --device and --bundle-id.")
        }
        return source
    }

    /// Opens the only container of an input, or the one with the identifier of `--bundle-id`, and calls `body` with it. What
    /// was not read is noted, and makes the run incomplete after `body`.
    ///
    /// - Parameters:
    ///   - path: The path of the input; nil for an app.
    ///   - reason: The reason for which only a directory in place is taken. See `Input.init`.
    ///   - password: Returns the password of an encrypted backup.
    ///   - body: The use of the container, which is valid until it returns.
    /// - Returns: The value of `body`.
    /// - Throws: `ValidationError` if a directory in place is needed; `InputError`; errors of `body`; `ExitCode`.
    package func withContainer<Value>(
        at path: String?, inPlaceBecause reason: String? = nil, password: @escaping BackupPassword,
        _ body: (InputContainer) throws -> Value
    ) throws -> Value {
        let (container, input) = try single(at: path, inPlaceBecause: reason, password: password)
        for note in input.notes + input.gaps { StandardError.printNote(note) }
        // The container keeps what was extracted or copied.
        let value = try withExtendedLifetime(container) { try body(container) }
        guard input.gaps.isEmpty else { throw ExitCode(ExitStatus.incomplete.code) }
        return value
    }

    /// Opens the only container of an input, or the one with the identifier of `--bundle-id`, and prints nothing. See
    /// `withContainer`.
    ///
    /// - Returns: The container, which keeps what was extracted or copied, and the input with its notes and gaps.
    /// - Throws: `ValidationError` if a directory in place is needed; `InputError`.
    package func single(
        at path: String?, inPlaceBecause reason: String? = nil, password: @escaping BackupPassword
    ) throws -> (container: InputContainer, input: Input) {
        let source = try source(path)
        return try requiringPlace { () throws(InputError) in
            try Input.single(source, only: bundleID, inPlaceBecause: reason, password: password)
        }
    }

    /// Opens an input with several containers. See `withContainer`.
    ///
    /// - Throws: `ValidationError` if a directory in place is needed; `InputError`.
    package func open(
        _ source: InputSource, inPlaceBecause reason: String? = nil, password: @escaping BackupPassword
    ) throws -> Input {
        try requiringPlace { () throws(InputError) in
            try Input(source, only: bundleID, inPlaceBecause: reason, password: password)
        }
    }

    /// An input of the wrong kind is an error of usage.
    private func requiringPlace<Value>(_ open: () throws(InputError) -> Value) throws -> Value {
        do throws(InputError) { return try open() } catch {
            guard error.code == .notInPlace else { throw error }
            throw ValidationError(error.description)
        }
    }
}
