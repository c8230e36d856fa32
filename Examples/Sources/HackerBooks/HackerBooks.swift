import AppContainer
import Foundation
import SystemPackage

/// The books app as its author wrote it: it downloads a list of books as JSON and a cover for each, and saves covers,
/// list and favourites in Documents. `HackerBooks DIRECTORY` creates the container of this app.
@main
struct HackerBooks {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: HackerBooks DIRECTORY (new, or empty)\n".utf8))
            exit(2)
        }
        let container = try Container.create(
            at: FilePath(CommandLine.arguments[1]), bundleIdentifier: "com.example.HackerBooks")
        let app = HackerBooks(container: container)
        try app.download()
        try app.saveLibrary(favourites: ["Think Complexity"])
        try app.finishFirstRun()
    }

    let container: Container
    private let server = "https://books.example.com"
    private let titles = [
        "Data Structures", "Eloquent JavaScript", "Git from the Bottom Up", "Pro Git", "SICP", "The Architecture",
        "Think Complexity", "Think Python",
    ]

    /// Saves the list and the covers in Documents: re-downloadable data that is backed up needlessly.
    func download() throws {
        let books = try titles.map { title in
            ["title": title, "image_url": try cover(of: title).absoluteString, "pdf_url": "\(server)/\(title).pdf"]
        }
        let json = try JSONSerialization.data(withJSONObject: books, options: [.prettyPrinted, .sortedKeys])
        let list = try address("books.json")
        try container.save(json, to: .documents / "books.json", provenance: .downloaded(from: list))
        for title in titles {
            let address = try cover(of: title)
            try container.save(
                picture(of: title), to: .documents / "images/\(address.lastPathComponent)",
                provenance: .downloaded(from: address))
        }
        // PDFs are downloaded again each time, into Caches.
        let pdf = Data("%PDF-1.4\n".utf8)
        try container.save(pdf, to: .caches / "pdf/Pro Git.pdf", provenance: .downloaded(from: try address("pro.pdf")))
    }

    /// Saves the favourites, which are user data.
    func saveLibrary(favourites: [String]) throws {
        let library: [String: Any] = ["books": titles, "favourites": favourites]
        let data = try PropertyListSerialization.data(fromPropertyList: library, format: .binary, options: 0)
        try container.save(data, to: .documents / "books.archive", provenance: Provenance(.user))
    }

    func finishFirstRun() throws {
        let defaults = ["wasLaunchedBefore": true]
        let data = try PropertyListSerialization.data(fromPropertyList: defaults, format: .binary, options: 0)
        try container.save(data, to: .preferences / "com.example.HackerBooks.plist")
    }

    private func cover(of title: String) throws -> URL {
        try address("covers/" + title.lowercased().replacingOccurrences(of: " ", with: "-") + ".jpg")
    }

    private func address(_ name: String) throws -> URL {
        guard let url = URL(string: "\(server)/\(name)") else { throw URLError(.badURL) }
        return url
    }

    /// Returns the first bytes of a JPEG file and a length that depends on the title.
    private func picture(of title: String) -> Data {
        Data([0xff, 0xd8, 0xff, 0xe0]) + Data(repeating: 0x20, count: 4000 + title.count * 97)
    }
}
