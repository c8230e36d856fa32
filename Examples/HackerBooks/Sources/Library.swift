internal import ContainerArchives
internal import Foundation

/// A book of the library, which is archived.
final class Book: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let title: String
    let pdf: URL
    var isFavorite: Bool

    init(title: String, pdf: URL, isFavorite: Bool = false) {
        (self.title, self.pdf, self.isFavorite) = (title, pdf, isFavorite)
    }

    func encode(with coder: NSCoder) {
        coder.encode(title, forKey: "title")
        coder.encode(pdf as NSURL, forKey: "pdf")
        coder.encode(isFavorite, forKey: "isFavorite")
    }

    init?(coder: NSCoder) {
        guard let title = coder.decodeObject(of: NSString.self, forKey: "title"),
            let pdf = coder.decodeObject(of: NSURL.self, forKey: "pdf")
        else { return nil }
        (self.title, self.pdf) = (String(title), pdf as URL)
        isFavorite = coder.decodeBool(forKey: "isFavorite")
    }
}

/// The books that the app knows, as `books.archive` contains them.
final class Library: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    /// The names of the classes in the archive. Without them, it contains `HackerBooks.Book`, which the app can no longer
    /// read after its module is renamed.
    static let names: [String: ArchivableClass] = ["Library": Library.self, "Book": Book.self]

    let books: [Book]

    init(books: [Book]) { self.books = books }

    /// The books that the user marked.
    var favorites: [Book] { books.filter(\.isFavorite) }

    func encode(with coder: NSCoder) { coder.encode(NSArray(array: books), forKey: "books") }

    init?(coder: NSCoder) {
        // The classes that are allowed in this field. Objects of other classes are never created.
        guard let books = coder.decodeObject(of: [NSArray.self, Book.self], forKey: "books") as? NSArray else {
            return nil
        }
        self.books = books.compactMap { $0 as? Book }
    }
}
