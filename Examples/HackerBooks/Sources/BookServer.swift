internal import Foundation

/// The files of the server that the app downloads from. They are generated, so that the app needs no network.
struct BookServer {
    let titles = [
        "Data Structures", "Eloquent JavaScript", "Git from the Bottom Up", "Pro Git", "SICP", "The Architecture",
        "Think Complexity", "Think Python",
    ]
    private let root = "https://books.example.com"

    /// The list of books as JSON.
    var list: Data {
        get throws {
            let books = try titles.map { title in
                ["title": title, "image_url": try cover(of: title).absoluteString, "pdf_url": "\(root)/\(title).pdf"]
            }
            return try JSONSerialization.data(withJSONObject: books, options: [.prettyPrinted, .sortedKeys])
        }
    }

    /// The content of a PDF.
    var pdf: Data { Data("%PDF-1.4\n".utf8) }

    /// Returns the URL of a file.
    func address(_ name: String) throws -> URL {
        guard let url = URL(string: "\(root)/\(name)") else { throw URLError(.badURL) }
        return url
    }

    /// Returns the URL of a cover.
    func cover(of title: String) throws -> URL {
        try address("covers/" + title.lowercased().replacingOccurrences(of: " ", with: "-") + ".jpg")
    }

    /// Returns the first bytes of a JPEG file and a length that depends on the title.
    func picture(of title: String) -> Data {
        Data([0xff, 0xd8, 0xff, 0xe0]) + Data(repeating: 0x20, count: 4000 + title.count * 97)
    }
}
