/// A line of an app's source: what wrote a file.
///
/// It is kept on the file as one small attribute, `appcontainer.source`, so that a linter can name the line that
/// put a file where it does not belong.
public struct CodeLocation: Sendable, Hashable, CustomStringConvertible {
    /// The module and file, as `#fileID` gives them: `Reader/Covers.swift`.
    public let fileID: String
    /// The line, from 1.
    public let line: UInt

    /// A line of a file named as `#fileID` does.
    public init(fileID: String, line: UInt) {
        self.fileID = fileID
        self.line = line
    }

    /// The module: the file's name up to its first slash.
    public var module: String { fileID.split(separator: "/").first.map(String.init) ?? fileID }

    /// `Reader/Covers.swift:88`.
    public var description: String { "\(fileID):\(line)" }

    package static let attribute = "appcontainer.source"

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let line = UInt(text[text.index(after: colon)...]) else {
            return nil
        }
        self.init(fileID: String(text[..<colon]), line: line)
    }
}
