import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// A container with a problem for each kind of fix, and its listing before and after.
final class FixScene {
    let folder: URL
    /// The undo folder, beside the container.
    let scratch: URL
    private let before: TreeListing
    private let beforeWithoutAccess: TreeListing
    private var countsAccessTimes = true

    static let options = ["--unsafe", "--now", "2030-01-01", "--fail-on", "never"]

    /// Creates the container as `c` in an empty directory.
    init(in scratch: URL) throws {
        self.scratch = scratch
        folder = scratch.appending(path: "c")
        let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
        let url = try #require(URL(string: "https://example.com/a.jpg"))
        for name in ["a", "b", "sub/c"] {
            try container.save(
                name, to: .documents / "covers/\(name).jpg", options: .init(provenance: .downloaded(from: url)))
        }
        try container.save("mine", to: .documents / "mixed/mine.txt")
        try container.save("b", to: .documents / "mixed/cover.jpg", options: .init(provenance: .downloaded(from: url)))
        try container.save("n", to: .documents / "note.txt")
        try container.save("x", to: .temporary / "old")
        try container.save("x", to: .temporary / "deep/er/old")
        try container.save("x", to: .temporary / "deep/young")
        try container.save("x", to: .documents / "broken/film.mp4.download")
        try container.save("x", to: .library / "events.data")
        try container.save("x", to: .library / "Application Support/com.example.app/ImageCache/1.png")
        for (attribute, value, path) in [
            ("user.com.apple.metadata:com_apple_backup_excludeItem", "true", "tmp"),
            ("user.com.apple.MobileBackup", "\u{1}", "Documents/covers/sub"),
            ("user.com.apple.quarantine", "0083;59b926ad;Safari;1", "Documents/note.txt"),
        ] { try AttributeTool.set(attribute, to: value, of: path, in: folder) }
        try folder.setMode("640", of: "tmp/old")
        try folder.setMode("750", of: "tmp/deep")
        let old = ["tmp/old", "tmp/deep/er/old", "Documents/broken/film.mp4.download"]
        try folder.setAllTimes("2025-01-01T01:02:03.123456789Z") { path, _ in old.contains(path) }
        try folder.setAllTimes("2026-02-03T04:05:06.123456789Z") { !$1 && !old.contains($0) }
        try folder.setAllTimes("2026-03-04T05:06:07.987654321Z") { $1 }
        beforeWithoutAccess = try TreeListing(of: folder)
        before = try TreeListing(of: folder, withAccessTimes: true)
    }

    /// Runs `fix` or `undo` as a function, or in a process that a tracer starts.
    func run(_ command: String, by tracer: [String] = []) throws -> Command {
        let words = [command, folder.path] + (command == "fix" ? Self.options : [])
        guard let program = tracer.first else { return try sandboxlint(words) }
        return try Command(program, tracer.dropFirst() + [Command.sandboxlint] + words)
    }

    /// Inspecting the result changes access times.
    func forgetAccessTimes() { countsAccessTimes = false }

    /// Returns the differences from the original container, and the leftovers beside it.
    func differencesFromBefore() throws -> [String] {
        try TreeListing(of: folder, withAccessTimes: countsAccessTimes)
            .differences(from: countsAccessTimes ? before : beforeWithoutAccess)
            + FileManager.default.contentsOfDirectory(atPath: scratch.path).filter { $0 != "c" }.map { "beside: \($0)" }
    }
}
