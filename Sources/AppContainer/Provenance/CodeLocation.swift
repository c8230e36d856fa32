/// The line of an app's source code that saved a file.
///
/// It is stored on the file as the attribute `appcontainer.source`, so that the linter can report the line that saved a
/// file in the wrong directory.
public struct CodeLocation: Sendable, Hashable, CustomStringConvertible {
    /// The module and file, in the form of `#fileID`: `Reader/Covers.swift`.
    public let fileID: String
    /// The line number, from 1.
    public let line: UInt

    /// Creates a location from a file in the form of `#fileID` and a line.
    public init(fileID: String, line: UInt) {
        self.fileID = fileID
        self.line = line
    }

    /// The module, which is the part before the first slash.
    public var module: String { fileID.split(separator: "/").first.map(String.init) ?? fileID }

    /// The location in the form `Reader/Covers.swift:88`.
    public var description: String { "\(fileID):\(line)" }

    package static let attribute = "appcontainer.source"

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let line = UInt(text[text.index(after: colon)...]) else {
            return nil
        }
        self.init(fileID: String(text[..<colon]), line: line)
    }
}
