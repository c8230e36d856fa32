import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("Commands of sandboxfm in README and docs", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct SandboxfmGuideTests {
    private static let pages = DocumentationPage.guides.filter { !$0.commands(of: "sandboxfm").isEmpty }

    /// Creates what the commands refer to: `path/to/container` and `path/to/photo.jpg`.
    private func withPaths(_ body: (_ folder: URL) throws -> Void) throws {
        try withScratch { folder throws in
            try folder.makeDirectories("path/to")
            let container = try Container.create(
                at: FilePath(folder.appending(path: "path/to/container").path), bundleIdentifier: "com.example.app")
            try container.save("Dear reader", to: .documents / "letter.txt", options: .init(provenance: .init(.user)))
            try container.save(
                Data(count: 4_700), to: .documents / "images/a.jpg", options: .init(provenance: .init(.downloaded)))
            try container.save(Data(count: 70_000), to: .documents / "videos/b.mp4")
            try container.excludeFromBackup(.documents / "videos")
            let made = """
                import plistlib, sqlite3
                objects = ["$null", {"$class": plistlib.UID(2), "title": plistlib.UID(3)},
                           {"$classname": "Book", "$classes": ["Book", "NSObject"]}, "Emma"]
                archive = {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": plistlib.UID(1)}, "$objects": objects}
                plistlib.dump(archive, open("books.archive", "wb"), fmt=plistlib.FMT_BINARY)
                database = sqlite3.connect("library.sqlite")
                database.execute("CREATE TABLE book(title TEXT)")
                database.execute("INSERT INTO book VALUES ('Emma')")
                database.commit()
                """
            try Command.setUp("python3", ["-c", made], in: folder.appending(path: "path/to/container/Documents"))
            let set = ["prefs", "set", "path/to/container", "fontSize", "12", "--type", "integer"]
            #expect(try sandboxfm(set, in: folder).code == 0)
            try Data("photo".utf8).write(to: folder.appending(path: "path/to/photo.jpg"))
            try Command.setUp("cp", ["-a", "path/to/container", "path/to/before"], in: folder)
            let stored = try sandboxbackup(
                "create", "path/to/container", "--repository", "path/to/repository", in: folder)
            #expect(stored.code == 0, "\(stored.errors)")
            try body(folder)
        }
    }

    @Test("Every command on a page works", arguments: pages)
    func commands(page: DocumentationPage) throws {
        try withPaths { folder throws in
            for words in page.commands(of: "sandboxfm") {
                let arguments = words.dropFirst().map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'")) }
                let run = try sandboxfm(arguments, in: folder)
                #expect(run.code == 0 && !run.output.isEmpty, "\(words): \(run.errors)")
            }
        }
    }

    @Test("README and the guide have commands, and the list in the guide is the tool's output")
    func list() throws {
        #expect(Self.pages.map(\.path).contains("README.md"))
        let guide = try #require(Self.pages.first { $0.path == "docs/sandboxfm.md" })
        #expect(guide.commands(of: "sandboxfm").count > 30)
        let block = try #require(guide.blocks("text").first)
        try withPaths { folder throws in
            let container = folder.appending(path: "path/to/container")
            try container.remove("Documents/books.archive", "Documents/library.sqlite")
            try container.setAllTimes("2026-01-01T00:00:00Z")
            let run = try sandboxfm("ls", "path/to/container", "Documents", "--now", "2026-01-31", in: folder)
            #expect(run.text == block.text + "\n")
        }
    }

    @Test("Every key that a command prints as JSON is in the table of the guide")
    func keys() throws {
        let guide = try #require(Self.pages.first { $0.path == "docs/sandboxfm.md" })
        try withPaths { folder throws in
            for arguments in [
                ["ls", "path/to/container"], ["du", "path/to/container"],
                ["cat", "path/to/container", "Documents/letter.txt"],
                ["path", "path/to/container"], ["prefs", "list", "path/to/container"],
                ["archive", "show", "path/to/container", "Documents/books.archive"],
                ["db", "tables", "path/to/container", "Documents/library.sqlite"],
                ["archive", "diff", "path/to/container", "Documents/books.archive", "Documents/books.archive"],
                ["preview", "path/to/container", "Documents/books.archive"],
                ["db", "rows", "path/to/container", "Documents/library.sqlite", "book"],
                ["purge", "path/to/container", "--dry-run"], ["state", "path/to/container"],
                ["find", "path/to/container", "*.jpg"], ["search", "path/to/container", "Emma"],
                ["info", "path/to/container", "Documents/letter.txt"],
                ["diff", "path/to/before", "path/to/container"],
                ["rm", "path/to/container", "Documents/*", "--dry-run"],
            ] {
                let run = try sandboxfm(arguments + ["--json"], in: folder)
                let top = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
                for key in top.keys { #expect(guide.text.contains("`\(key)`"), "\(arguments): \(key)") }
            }
        }
    }
}
