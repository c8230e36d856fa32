package import StoragePolicy
package import TextOutput

/// The values of a configuration and their positions.
package struct ConfigurationText {
    private let configuration: Configuration
    private let entries: [ConfigurationEntry]
    private let isForItem: Bool

    /// Creates the text of all values, or of those that apply to the path of an item.
    package init(_ configuration: Configuration, at path: [UInt8]? = nil) {
        self.configuration = configuration
        entries = path.map(configuration.entries) ?? configuration.entries
        isForItem = path != nil
    }

    /// The text: one line per value with key, value, and the file and line, or the option, that set it.
    package func text(style: Style) -> String {
        guard !entries.isEmpty else {
            return configuration.files.isEmpty
                ? "No configuration found; `sandboxlint init` creates one.\n"
                : "No values \(isForItem ? "for the item " : "")are set in "
                    + "\(ByteText.printable(configuration.files.joined(separator: ", "))).\n"
        }
        let width = entries.map(\.key.count).max() ?? 0
        return entries.map { entry in
            let key = ByteText.printable(entry.key) + String(repeating: " ", count: width - entry.key.count)
            let value = ByteText.printable(entry.value.compact)
            return "\(style.bold(key))  \(value)  \(style.dim(ByteText.printable(Self.origin(entry))))\n"
        }.joined()
    }

    /// The JSON object: the files, and an array of values.
    package func json(to output: @escaping (String) -> Void) {
        let values = entries.map { entry -> JSONValue in
            .object([
                "key": .string(entry.key), "value": entry.value,
                "setBy": entry.position.isOption
                    ? .object(["option": .string(entry.position.file)])
                    : .object(["file": .string(entry.position.file), "line": .integer(Int64(entry.position.line))]),
            ])
        }
        let files = configuration.files.map { JSONValue.string($0) }
        output(JSONValue.object(["files": .array(files), "values": .array(values)]).indented)
    }

    private static func origin(_ entry: ConfigurationEntry) -> String {
        entry.position.isOption ? entry.position.file : "\(entry.position.file):\(entry.position.line)"
    }
}
