import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

private struct Notes: Codable, Sendable, Equatable { var lines: [String] = [] }

/// An app that keeps everything with the calls of AppContainer.
@Suite("The container of an app with a cache, downloads, an inbox and values", .timeLimit(.minutes(60)))
struct LibraryContainerTests {
    private func fill(_ container: Container) async throws {
        let server = try #require(URL(string: "https://media.example.com/films/1.mp4"))
        for storage in [FileCache.Storage.purgeable, .kept] {
            let cache = try container.cache(named: "pictures", storage: storage, limits: .init(memory: 1 << 20))
            for number in 0..<20 {
                let url = "https://media.example.com/\(number).jpg?size=large"
                _ = try await cache.value(forKey: url) { Data([0xff, 0xd8, 0xff, 0xe0]) + Data(count: 4_000) }
            }
        }
        let file = URL(filePath: container.location.removingLastComponent().appending("film.tmp").string)
        try (Data([0, 0, 0, 0x18]) + Data("ftypmp42".utf8) + Data(count: 3_000_000)).write(to: file)
        try container.store(downloadAt: file, named: "films/1.mp4", from: server, checks: [.size(3_000_012)])
        let notes = try FileValue(.applicationSupport / "notes.json", in: container, default: Notes())
        notes.value.lines.append("buy milk")
        try notes.flush()
        let inbox = try Inbox(.applicationSupport / "Inbox", in: container)
        try inbox.add(Data("a shared text".utf8), named: "shared.txt")
        for item in try inbox.take() { try item.finish() }
        try inbox.add(Data("another shared text".utf8), named: "waiting.txt")
        let place = try container.storeDirectory(named: "Index", isBackedUp: false)
        try Data(count: 10_000).write(to: place.url)
        let log = try container.appender(to: .caches / "Logs/app.log", rotation: .init(maximumSize: 1_000, keeping: 3))
        for number in 0..<100 {
            try log.append("line \(number)")
            try log.flush()
        }
        _ = try container.temporaryFile(named: "Export.pdf", Data("%PDF-1.7".utf8))
        try container.save(
            "Dear reader", to: .documents / ContainerPath.name(forTitle: "A letter: first", extension: "txt"),
            options: .init(provenance: Provenance(.user)))
    }

    @Test(
        "The linter reports nothing, also after each event of a device",
        arguments: [nil, "purge", "update", "offload", "restore", "transfer"])
    func clean(event: String?) async throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try Container.create(
            at: FilePath(folder.appending(path: "app").path), bundleIdentifier: "com.example.app")
        try await fill(container)
        let options = event.map { ["--after", $0] } ?? []
        let run = try sandboxlint(["lint", "app", "--isolated", "--strict"] + options, in: folder)
        #expect(run.code == 0, "\(run.text)\(run.errors)")
    }
}
