import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

private struct Draft: Codable, Sendable, Equatable { var text = "" }

@Suite("Everyday tasks with caches, downloads, inboxes and values") struct LargerTasksTests {
    private func download(_ url: URL) async throws -> Data { Data("JPEG".utf8) }

    @Test("Each task does what it says")
    func tasks() async throws {
        try await withContainer { container async throws in
            let url = try #require(URL(string: "https://example.com/1.jpg"))
            var shown: [Any] = []
            func show(_ value: Any) {
                shown.append(value)
                if let error = value as? any Error { Issue.record(error) }
            }
            let pictures = try container.cache(named: "pictures")
            // shown in ten-tasks.md
            do {
                let picture = try await pictures.value(forKey: url.absoluteString) { try await download(url) }
                show(picture)
            } catch { show(error) }
            // end
            #expect(shown.last as? Data == Data("JPEG".utf8))

            let file = URL(filePath: container.location.removingLastComponent().appending("film.tmp").string)
            try Data("film".utf8).write(to: file)
            // shown in ten-tasks.md
            do {
                let film = try container.store(downloadAt: file, named: "film.mp4", from: url, checks: [.size(4)])
                show(film)
            } catch { show(error) }
            // end
            #expect(try container.isBackedUp(.applicationSupport / "Downloads/film.mp4") == false)

            let inbox = try Inbox(.documents / "Shared", in: container)
            try inbox.add(Data("shared".utf8), named: "a.txt")
            // shown in ten-tasks.md
            do {
                for item in try inbox.take() {
                    show(try item.load())
                    try item.finish()
                }
            } catch { show(error) }
            // end
            #expect(try shown.last as? Data == Data("shared".utf8) && inbox.take().isEmpty)

            let draft = try FileValue(.applicationSupport / "draft.json", in: container, default: Draft())
            // shown in ten-tasks.md
            draft.value.text += "a letter"
            // end
            try draft.flush()
            #expect(try container.load(Draft.self, from: .applicationSupport / "draft.json").text == "a letter")
        }
    }

    /// The same tasks with Foundation. Only compiled: they use the directories of the user.
    private func withFoundation(_ url: URL, _ file: URL, _ inbox: URL, show: (Any) -> Void) async {
        // shown in ten-tasks.md
        do {
            let folder = URL.cachesDirectory.appending(path: "pictures")
            let name = Data(url.absoluteString.utf8).base64EncodedString().replacing("/", with: "_")
            let file = folder.appending(path: name)
            if let picture = try? Data(contentsOf: file) {
                try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
                show(picture)
            } else {
                let picture = try await download(url)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                try picture.write(to: file, options: .atomic)
                let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
                var files = try FileManager.default.contentsOfDirectory(
                    at: folder, includingPropertiesForKeys: Array(keys)
                ).map { ($0, try $0.resourceValues(forKeys: keys)) }
                files.sort { $0.1.contentModificationDate ?? .now < $1.1.contentModificationDate ?? .now }
                var bytes = files.reduce(0) { $0 + ($1.1.fileSize ?? 0) }
                for (file, values) in files where bytes > 268_435_456 {
                    try FileManager.default.removeItem(at: file)
                    bytes -= values.fileSize ?? 0
                }
                show(picture)
            }
        } catch { show(error) }
        // end
        // shown in ten-tasks.md
        do {
            let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize
            guard size == 4 else { throw CocoaError(.fileReadCorruptFile) }
            var folder = URL.applicationSupportDirectory.appending(path: "Downloads")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try folder.setResourceValues(values)
            let film = folder.appending(path: "film.mp4")
            if FileManager.default.fileExists(atPath: film.path) {
                _ = try FileManager.default.replaceItemAt(film, withItemAt: file)
            } else {
                try FileManager.default.moveItem(at: file, to: film)
            }
            show(film)
        } catch { show(error) }
        // end
        // shown in ten-tasks.md
        do {
            let taken = URL.temporaryDirectory.appending(path: UUID().uuidString)
            try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
            for file in try FileManager.default.contentsOfDirectory(at: inbox, includingPropertiesForKeys: nil) {
                let own = taken.appending(path: file.lastPathComponent)
                try FileManager.default.moveItem(at: file, to: own)
                show(try Data(contentsOf: own))
                try FileManager.default.removeItem(at: own)
            }
        } catch { show(error) }
        // end
    }

    private func withFoundation(_ draft: inout Draft, _ timer: inout Timer?) {
        // shown in ten-tasks.md
        draft.text += "a letter"
        timer?.invalidate()
        timer = Timer.scheduledTimer(withTimeInterval: 0.5, repeats: false) { [draft] _ in
            let folder = URL.applicationSupportDirectory
            let file = folder.appending(path: "draft.json")
            try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try? JSONEncoder().encode(draft).write(to: file, options: .atomic)
        }
        // end
    }
}

#if !canImport(Darwin)
extension URL {
    // As on Apple's systems.
    fileprivate static var cachesDirectory: URL { URL(filePath: NSHomeDirectory() + "/Library/Caches") }
    fileprivate static var applicationSupportDirectory: URL {
        URL(filePath: NSHomeDirectory() + "/Library/Application Support")
    }
    fileprivate static var temporaryDirectory: URL { FileManager.default.temporaryDirectory }
}
#endif
