import AppContainer
import ContainerInputs
import FileSystem
import SystemPackage
import TextOutput

/// An item of an input, found by the path that a user typed.
struct NamedItem {
    /// The position of the item's app in the input.
    let app: Int
    /// The position of the item's container among them.
    let index: Int
    /// The path relative to the container; empty for the container itself.
    let path: String
    /// The name of its container, if the input has several.
    let container: String?

    /// Finds an item.
    ///
    /// - Parameters:
    ///   - text: With one container, the path in it. With several, a path as reports show it (`LABEL: PATH`), relative to the
    ///     input, or in the only container that has it. As it is on disk, or escaped as in reports.
    ///   - input: The input.
    /// - Throws: `Failure.input` after a message, if no container has the item, or if several have it.
    init(_ text: String, in input: Input) throws {
        let places = input.apps.enumerated().flatMap { app, containers in
            containers.containers.enumerated().map { Place(app: app, index: $0, container: $1) }
        }
        if places.count == 1 {
            self.init(places[0], path: text, container: nil)
            return
        }
        let readings = places.compactMap { place in
            place.named(in: text).map { (place: place, path: $0) }
        }
        let found =
            readings.isEmpty ? places.filter { $0.has(text) }.map { (place: $0, path: text) } : readings
        guard let item = found.first else {
            throw Failure.missing(
                text, in: input.source.name,
                "Its containers are \(Self.list(places)). Pass the path as in reports, such as "
                    + "“\(places[0].label): Documents/a.jpg”.")
        }
        guard found.count == 1 else {
            Failure.printMessage(
                "sandboxlint: \(found.count) containers of \(ByteText.printable(input.source.name)) have "
                    + "\(ByteText.escaped(ByteText.unescaped(text))): \(Self.list(found.map(\.place))). Pass the path with the "
                    + "name of one, such as “\(item.place.label): \(text)”.")
            throw Failure.input
        }
        self.init(item.place, path: item.path, container: item.place.label)
    }

    private init(_ place: Place, path: String, container: String?) {
        (app, index, self.path, self.container) = (place.app, place.index, path, container)
    }

    private static func list(_ places: [Place]) -> String {
        let names = places.prefix(10).map { ByteText.printable($0.label) }.joined(separator: ", ")
        return places.count > 10 ? "\(names), …" : names
    }

    /// A container of an app.
    private struct Place {
        let app: Int
        let index: Int
        let container: InputContainer

        var label: String { container.label ?? container.relativePath }

        /// Returns the path in the container from a text that begins with its name or its path in the input; else nil.
        func named(in text: String) -> String? {
            let name = label + ": "
            if text.hasPrefix(name) { return String(text.dropFirst(name.count)) }
            let folder = container.relativePath
            if folder.isEmpty { return nil }
            if text == folder { return "" }
            return text.hasPrefix(folder + "/") ? String(text.dropFirst(folder.count + 1)) : nil
        }

        func has(_ text: String) -> Bool {
            !text.isEmpty
                && ByteText.readings(of: text).contains { reading in
                    ((try? container.container.folder.statusIfPresent(FilePath(bytes: reading))) ?? nil) != nil
                }
        }
    }
}
