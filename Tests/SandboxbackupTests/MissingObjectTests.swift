import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("A new snapshot in a repository whose objects are missing", .timeLimit(.minutes(60))) struct MissingObjectTests {
    /// Changes to all files of objects, or SQL for the catalogue.
    private static let damages = [
        "remove", "truncate", "empty", "extend", "directory", "link", "DELETE FROM frame",
        "DELETE FROM part WHERE position = (SELECT min(position) FROM part WHERE position > 0)",
    ]

    private func apply(_ damage: String, to store: String) throws {
        let folder = URL(fileURLWithPath: store + "/objects")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains("/") }
        #expect(paths.count > 8)
        for path in paths {
            switch damage {
            case "remove": try folder.remove(path)
            case "truncate": try folder.write(Data(contentsOf: folder.appending(path: path)).dropLast(), to: path)
            case "empty": try folder.write(Data(), to: path)
            case "extend": try folder.write(Data(contentsOf: folder.appending(path: path)) + [0], to: path)
            case "directory":
                try folder.remove(path)
                try folder.makeDirectories(path)
            case "link":
                try FileManager.default.moveItem(
                    at: folder.appending(path: path), to: URL(fileURLWithPath: store + "-\(path.suffix(8))"))
                try folder.makeLink(path, to: store + "-\(path.suffix(8))")
            default: break
            }
        }
        if damage.hasPrefix("DELETE") { try executeSQL(damage, in: store + "/catalogue.sqlite") }
    }

    @Test("Content that the container still has is stored again, of unchanged and of changed files", arguments: damages)
    func storedAgain(damage: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try apply(damage, to: store)
            #expect(try sandboxbackup("verify", "--repository", store).code == 12)
            // A file with other times and the same content, and a new file with the content of another one.
            let place = URL(fileURLWithPath: container)
            try place.setTimes("2021-02-03T04:05:06Z", of: "Documents/photo.bin")
            try place.write(Data(contentsOf: place.appending(path: "Documents/photo.bin")), to: "Documents/new.bin")
            let made = try sandboxbackup("create", container, "--repository", store)
            #expect(made.code == 0, "\(made.errors)")
            #expect(made.text.contains(" missing from the repository stored again"), "\(made.text)")
            let found = try sandboxbackup("verify", "--repository", store)
            #expect(found.code == 0, "\(found.text)")
            let target = folder.appending(path: "restored")
            try backed("restore", "latest", "--repository", store, "--to", target.path)
            #expect(try listing(place).differences(from: listing(target)) == [])
            let again = try sandboxbackup("create", container, "--repository", store, "--format", "json")
            #expect(again.text.contains(#""filesRead":0,"bytesRead":0,"objectsRestored":0"#), "\(again.text)")
        }
    }

    @Test("Content that is gone is not referenced, and the older snapshot stays damaged")
    func gone() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try apply("remove", to: store)
            try URL(fileURLWithPath: container).remove("Documents/film.bin")
            #expect(try sandboxbackup("create", container, "--repository", store).code == 0)
            let verified = try sandboxbackup("verify", "--repository", store)
            #expect(verified.code == 12 && verified.text.contains("1:Documents/film.bin"), "\(verified.text)")
            #expect(!verified.text.contains("    2:"), "\(verified.text)")
            try backed("restore", "2", "--repository", store, "--to", folder.path + "/restored")
        }
    }

    @Test("A copy from another repository stores missing content again")
    func copied() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let other = folder.path + "/other"
            try backed("copy", "--from", store, "--repository", other)
            try backed("forget", "1", "--allow-empty", "--repository", other)
            try apply("remove", to: other)
            try backed("copy", "--from", store, "--repository", other)
            #expect(try sandboxbackup("verify", "--repository", other).text.hasSuffix("no damage\n"))
        }
    }
}
