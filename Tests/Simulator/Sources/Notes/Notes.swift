import AppContainer
import Foundation

/// An app that saves a note, which belongs in backups, and a map, which does not but is in `Documents`. An argument names
/// another container than its own.
@main struct Notes {
    static func main() throws {
        let home = CommandLine.arguments.dropFirst().first ?? NSHomeDirectory()
        let container = try Container.open(URL(fileURLWithPath: home), bundleIdentifier: "com.example.notes")
        try container.save("Dear reader", to: .documents / "note.txt")
        let server = URL(string: "https://example.com/map.png")
        try container.save(
            Data("a map".utf8), to: .documents / "map.png",
            options: .init(provenance: server.map { .downloaded(from: $0) }))
        print("saved")
    }
}
