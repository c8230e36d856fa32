import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint written-by") struct WrittenByToolTests {
    private static let token = "ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s"

    /// A container and the source code of its app, in a git work tree.
    private func withProject(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            try container.save("x", to: .documents / "timeline-cache.json")
            try container.save("x", to: .documents / "4711")
            try folder.write(
                """
                func save(_ data: Data) throws {
                    let url = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                    try data.write(to: url.appendingPathComponent("timeline-cache.json")) // \(Self.token)
                }
                """, to: "app/Sources/TimelineCache.swift")
            try folder.makeDirectories("app/.git", "app/Sub")
            try body(folder)
        }
    }

    @Test("prints the line that writes a file, without the secret on it")
    func line() throws {
        try withProject { folder throws in
            let run = try sandboxlint(
                "written-by", "c", "Documents/timeline-cache.json", "Documents/4711", "--source-root", "app", in: folder
            )
            #expect(run.code == 0)
            #expect(run.text.contains("app/Sources/TimelineCache.swift:3"))
            #expect(run.text.contains("try data.write(to: url.appendingPathComponent(\"timeline-cache.json\"))"))
            #expect(run.text.contains("no line is likely enough"))
            #expect(!run.text.contains(Self.token))
            #expect(run.text.contains("<GitHub token>"))
        }
    }

    @Test("prints the places as JSON")
    func json() throws {
        try withProject { folder throws in
            let run = try sandboxlint(
                "written-by", "c", "Documents/timeline-cache.json", "--source-root", "app", "--format", "json",
                in: folder)
            let object = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            #expect(object["schema"] as? String == "sandboxlint-written-by/1")
            let item = try #require((object["items"] as? [[String: Any]])?.first)
            let place = try #require((item["places"] as? [[String: Any]])?.first)
            #expect(place["file"] as? String == "app/Sources/TimelineCache.swift")
            #expect(place["line"] as? Int == 3)
            #expect((place["confidence"] as? Double).map { $0 >= 0.5 && $0 <= 1 } == true)
            #expect((place["text"] as? String)?.contains("<GitHub token>") == true)
        }
    }

    @Test("searches the git work tree of the working directory, and never the container")
    func defaults() throws {
        try withProject { folder throws in
            let below = folder.appending(path: "app/Sub")
            let run = try sandboxlint("written-by", "../../c", "Documents/timeline-cache.json", in: below)
            #expect(run.text.contains("\n  Sources/TimelineCache.swift:3"))
            let without = try sandboxlint("written-by", "c", "Documents/timeline-cache.json", in: folder)
            #expect(without.code == 2)
            #expect(without.errors.contains("--source-root DIR"))
            let inside = try sandboxlint(
                "written-by", "c", "Documents/timeline-cache.json", "--source-root", "c/Documents", in: folder)
            #expect(inside.code == 2)
            #expect(inside.errors.contains("inside the container"))
        }
    }

    @Test("A missing item, a missing container and a missing root are errors")
    func missing() throws {
        try withProject { folder throws in
            for (words, code, message) in [
                (["c", "Documents/none", "--source-root", "app"], 3, "does not contain Documents/none"),
                (["none", "Documents/none", "--source-root", "app"], 3, "none"),
                (["c", "Documents/4711", "--source-root", "absent"], 2, "absent"), (["c"], 2, "path"),
            ] as [([String], Int32, String)] {
                let run = try sandboxlint(["written-by"] + words, in: folder)
                #expect(run.code == code, "\(words)")
                #expect(run.errors.contains(message), "\(words): \(run.errors)")
            }
        }
    }
}
