public import Foundation

/// The public address of the project, from its only definition, and its form on the pages.
public struct ProjectAddress: Sendable {
    /// The address in the source.
    public let reported: String
    /// The address for links in reports; nil until the project is published.
    public let link: String?
    /// The repository as an action, `owner/name`. An unpublished project has a placeholder that cannot be a repository.
    public let name: String
    /// The address of the repository on the pages.
    public let shown: String

    /// Reads the address in a checkout of the project.
    public init(of root: URL = DocumentationPage.root) throws {
        let source = try String(
            contentsOf: root.appending(path: "Sources/PolicyReports/Project.swift"), encoding: .utf8)
        guard let match = source.firstMatch(of: /static let address = "([^"]+)"\n/) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        reported = String(match.1)
        let isPublished = !reported.hasSuffix(".example")
        link = isPublished ? reported : nil
        name =
            isPublished ? reported.split(separator: "/").suffix(2).joined(separator: "/") : "<owner>/sandboxlint"
        shown = isPublished ? reported : "https://github.com/\(name)"
    }
}
