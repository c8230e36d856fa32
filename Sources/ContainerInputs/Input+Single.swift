internal import AppContainer
internal import TextOutput

extension Input {
    /// Opens the only container of an input, or the one with an identifier. Other containers of a backup are not extracted.
    ///
    /// - Parameters: As of `init`.
    /// - Returns: The container, which keeps what was copied or extracted, and the input with its notes and gaps.
    /// - Throws: `InputError` if the container is not found, if there are several, or if it cannot be read.
    package static func single(
        _ source: InputSource, only bundleIdentifiers: [String] = [], inPlaceBecause reason: String? = nil,
        password: @escaping BackupPassword = { _ in nil }
    ) throws(InputError) -> (container: InputContainer, input: Input) {
        let input = try Input(
            source,
            reader: InputReader(
                shown: source.name, bundleIdentifiers: bundleIdentifiers, inPlaceReason: reason, isSingle: true,
                password: password))
        let containers = input.containers
        guard containers.count == 1 else {
            throw several(containers.map(\.container.bundleIdentifier), in: source.name)
        }
        return (containers[0], input)
    }

    /// The error for several containers where one is needed.
    static func several(_ identifiers: [String?], in input: String) -> InputError {
        let names = identifiers.map { $0 ?? "one without an identifier" }.sorted()
        let list = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
        // Simulated devices and backups may all have the app.
        let isSelectable = identifiers.contains { identifier in
            identifier != nil && identifiers.count { $0 == identifier } == 1
        }
        return InputError(
            "“\(input)” has \(Quantity.count(identifiers.count, "container")): \(list)",
            hint: isSelectable ? "Select one with --bundle-id." : "Specify the directory of one of them.")
    }
}
