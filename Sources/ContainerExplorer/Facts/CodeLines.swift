package import AppContainer
internal import FileSystem
package import SourceCode
package import StoragePolicy
internal import TextOutput

/// The lines of source code that write an item, as text.
package enum CodeLines {
    /// Returns the line that the item records or the configuration declares; else the system or the SDK that writes it, or
    /// the lines that probably do, each followed by its text.
    ///
    /// - Parameters:
    ///   - path: The path of the item in its container.
    ///   - recorded: The line that a save has recorded on the item.
    ///   - configuration: The configuration, which may declare the line.
    ///   - code: The source code of the app, which is searched if no line is known.
    /// - Returns: The lines; empty if none is known.
    package static func lines(
        for path: [UInt8], recorded: CodeLocation?, _ configuration: Configuration, in code: AppSource?
    ) -> [String] {
        if let recorded { return [ByteText.escaped(Array(recorded.description.utf8))] }
        if let declared = configuration.source(of: path) {
            return ["\(ByteText.printable(declared.path)):\(declared.line)"]
        }
        guard !path.isEmpty, let code, let answer = code.answer(for: path) else { return [] }
        if let writer = answer.writer { return [writer] }
        return answer.places.flatMap { place in
            [
                "\(ByteText.escaped(code.name(of: place.path, in: place.root))):\(place.line) "
                    + "(\(min(99, Int((place.confidence * 100).rounded()))) %)"
            ] + (code.text(of: place).map { ["  \($0)"] } ?? [])
        }
    }
}
