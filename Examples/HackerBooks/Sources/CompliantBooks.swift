internal import AppContainer
internal import ContainerArchives
internal import ContainerPreferences
internal import Foundation

extension Preferences.Keys {
    static let wasLaunchedBefore = Preferences.Key<Bool>("wasLaunchedBefore", default: false)
}

/// The books app with each file in the directory for its kind of data.
///
/// | file | directory | reason |
/// |---|---|---|
/// | list, covers, PDFs | `Library/Caches` | the server still has them; the system may delete them |
/// | `books.archive` | `Library/Application Support` | the favorites are user data that only the app displays |
/// | the first-run flag | `Library/Preferences` | a setting |
struct CompliantBooks {
    /// A book in the list of the server.
    private struct Entry: Decodable {
        enum CodingKeys: String, CodingKey {
            case title
            case pdf = "pdf_url"
        }
        let title: String
        let pdf: URL
    }

    static let archive = ContentKind.userData.path(named: "books.archive")
    private let container: Container
    private let preferences: Preferences
    private let server = BookServer()

    /// Opens the app's files in a container.
    init(in container: Container) throws {
        self.container = container
        preferences = try container.preferences()
    }

    /// Creates the library at the first launch. Later launches change nothing.
    func launch() throws {
        guard try !preferences.value(for: .wasLaunchedBefore) else { return }
        let books = try entries().map { Book(title: $0.title, pdf: $0.pdf) }
        try save(Library(books: books))
        for book in books { _ = try cover(of: book.title) }
        // Last: after a crash, the next launch does all of this again.
        try preferences.set(true, for: .wasLaunchedBefore)
    }

    /// Returns the library with the favorites of the user.
    func library() throws -> Library { try container.unarchive(Library.self, from: Self.archive, named: Library.names) }

    /// Changes the mark of a book, and saves the library.
    func setFavorite(_ isFavorite: Bool, title: String) throws {
        let library = try library()
        for book in library.books where book.title == title { book.isFavorite = isFavorite }
        try save(library)
    }

    /// Returns a cover. It is downloaded unless the cache still has it.
    func cover(of title: String) throws -> Data {
        let address = try server.cover(of: title)
        return try cached("covers/\(address.lastPathComponent)", from: address) { server.picture(of: title) }
    }

    /// Returns a PDF. It is downloaded unless the cache still has it.
    func pdf(of title: String) throws -> Data {
        try cached("pdf/\(title).pdf", from: try server.address("pro.pdf")) { server.pdf }
    }

    private func entries() throws -> [Entry] {
        let list = try cached("books.json", from: try server.address("books.json")) { try server.list }
        return try JSONDecoder().decode([Entry].self, from: list)
    }

    private func save(_ library: Library) throws {
        try container.archive(
            library, to: Self.archive, named: Library.names, options: .init(provenance: Provenance(.user)))
    }

    /// Returns a file of the cache. The system may have deleted it; then it is downloaded again.
    private func cached(_ name: String, from origin: URL, download: () throws -> Data) throws -> Data {
        let kind = ContentKind.downloaded(from: origin, keepOffline: false)
        if try container.exists(kind.path(named: name)) { return try container.load(kind.path(named: name)) }
        let content = try download()
        try container.store(content, named: name, as: kind)
        return content
    }
}
