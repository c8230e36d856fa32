internal import AppContainer
internal import Foundation

/// The books app as its author wrote it: covers, list and favorites are in Documents.
struct BooksAsWritten {
    private let container: Container
    private let server = BookServer()

    init(in container: Container) {
        var container = container
        // The findings show the lines of this file, also in a release build.
        container.recording = .givenAndSource
        self.container = container
    }

    /// Runs the first session.
    func run() throws {
        try download()
        try saveLibrary(favorites: ["Think Complexity"])
        try finishFirstRun()
    }

    /// Saves the list and the covers in Documents: re-downloadable data that is backed up needlessly.
    private func download() throws {
        let list = try server.address("books.json")
        try container.save(
            try server.list, to: .documents / "books.json", options: .init(provenance: .downloaded(from: list)))
        for title in server.titles {
            let address = try server.cover(of: title)
            try container.save(
                server.picture(of: title), to: .documents / "images/\(address.lastPathComponent)",
                options: .init(provenance: .downloaded(from: address)))
        }
        // PDFs are downloaded again each time, into Caches.
        try container.save(
            server.pdf, to: .caches / "pdf/Pro Git.pdf",
            options: .init(provenance: .downloaded(from: try server.address("pro.pdf"))))
    }

    /// Saves the favorites, which are user data.
    private func saveLibrary(favorites: [String]) throws {
        let library = ["books": server.titles, "favorites": favorites]
        let data = try PropertyListEncoder().encode(library)
        try container.save(data, to: .documents / "books.archive", options: .init(provenance: Provenance(.user)))
    }

    private func finishFirstRun() throws {
        let data = try PropertyListEncoder().encode(["wasLaunchedBefore": true])
        try container.save(data, to: .preferences / "com.example.HackerBooks.plist")
    }
}
