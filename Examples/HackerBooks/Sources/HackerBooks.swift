internal import AppContainer
internal import Foundation
internal import SystemPackage

/// `HackerBooks DIRECTORY [--compliant]` creates the container of the books app and plays its first session.
///
/// The app downloads a list of books as JSON and a cover for each book, and keeps the user's favourites. `BooksAsWritten`
/// is the app of the tutorial, in which the linter finds errors. `CompliantBooks` is the same app without them.
@main
struct HackerBooks {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        let isCompliant = arguments.last == "--compliant"
        if isCompliant { arguments.removeLast() }
        guard let path = arguments.first, arguments.count == 1 else {
            FileHandle.standardError.write(Data("usage: HackerBooks DIRECTORY [--compliant]\n".utf8))
            exit(2)
        }
        let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.HackerBooks")
        if isCompliant {
            let app = try CompliantBooks(in: container)
            try app.launch()
            try app.setFavorite(true, title: "Think Complexity")
            print(try app.pdf(of: "Pro Git").count, "bytes of a PDF")
            print("favorites:", try app.library().favorites.map(\.title).joined(separator: ", "))
        } else {
            try BooksAsWritten(in: container).run()
        }
    }
}
