import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// The recording of Tests/Traffic/record, which mitmproxy wrote.
@Suite("sandboxlint --traffic") struct TrafficOptionTests {
    private static let recording = DocumentationPage.root.appending(path: "Tests/Traffic/mitmproxy.har").path

    /// Passes the body a folder with the container `c`, which has the bodies of the recording in Documents, each in a folder
    /// of its own.
    private func withBodies(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c")
            _ = try Container.create(at: FilePath(path.path), bundleIdentifier: "com.example.app")
            let code = """
                import importlib.machinery, pathlib, sys
                loader = importlib.machinery.SourceFileLoader("record", sys.argv[1])
                record = loader.load_module()
                for name, content in record.bodies().items():
                    folder = pathlib.Path("c/Documents") / name
                    folder.mkdir()
                    (folder / "content.bin").write_bytes(content)
                part = pathlib.Path("c/Documents/part")
                part.mkdir()
                (part / "content.bin").write_bytes(record.bodies()["picture"][:100])
                """
            let script = DocumentationPage.root.appending(path: "Tests/Traffic/record").path
            try Command.setUp("python3", ["-B", "-W", "ignore", "-c", code, script], in: folder)
            try body(folder)
        }
    }

    @Test(
        "Bytes that mitmproxy recorded are re-downloadable or user data, and nothing else of the traffic is shown",
        .needs(.externalProgram))
    func mitmproxy() throws {
        try withBodies { folder throws in
            let run = try sandboxlint("lint", "c", "--traffic", Self.recording, "--format", "json", in: folder)
            #expect(run.code == 1 && run.errors.isEmpty, "\(run.errors)")
            let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            let findings = try #require(report["findings"] as? [[String: Any]])
            let proven = findings.filter { $0["rule"] as? String == "regenerable-in-documents" }
            let paths = proven.compactMap { $0["path"] as? String }
            #expect(paths == ["catalogue", "latin", "picture"].map { "Documents/\($0)/content.bin" })
            let classes = [
                "picture": "regenerable", "letter": "user-data", "voice": "user-data", "photo": "user-data",
                "both": "user-data",
            ]
            for (name, itemClass) in classes {
                let run = try sandboxlint(
                    "explain", "c", "Documents/\(name)/content.bin", "--traffic", Self.recording, "--format", "json",
                    in: folder)
                let item = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
                let verdict = try #require(item["class"] as? [String: Any])
                #expect(
                    verdict["class"] as? String == itemClass && verdict["proven"] as? Bool == true,
                    "\(name) \(run.text)")
                for secret in ["-of-the-", "key=", "Bearer", "train"] { #expect(!run.text.contains(secret)) }
            }
            for name in ["page", "part", "empty"] {
                let run = try sandboxlint(
                    "explain", "c", "Documents/\(name)/content.bin", "--traffic", Self.recording, in: folder)
                #expect(!run.text.contains("with these bytes"), "\(name)")
            }
            for secret in ["-of-the-", "key=", "Bearer", "train"] { #expect(!run.text.contains(secret)) }
        }
    }

    @Test("fix changes what is proven alone, and init declares it", .needs(.externalProgram))
    func fix() throws {
        try withBodies { folder throws in
            let run = try sandboxlint("fix", "c", "--diff", "--traffic", Self.recording, in: folder)
            #expect(run.text.contains("Documents/picture") && !run.text.contains("Documents/photo"), "\(run.text)")
            let plain = try sandboxlint("fix", "c", "--diff", in: folder)
            #expect(!plain.text.contains("Documents/picture"))
            let start = try sandboxlint("init", "c", "--traffic", Self.recording, in: folder)
            #expect(start.code == 0, "\(start.errors)")
            let written = try String(contentsOf: folder.appending(path: ".sandboxlint.yml"), encoding: .utf8)
            #expect(written.contains("Documents/picture"), "\(written)")
        }
    }

    @Test(
        "A recording that is missing, truncated or of another kind exits with 3, and lint still reports the container")
    func broken() throws {
        try withScratch { folder throws in
            _ = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let whole = try Data(contentsOf: URL(filePath: Self.recording))
            try whole.prefix(whole.count / 2).write(to: folder.appending(path: "half.har"))
            try Data("text".utf8).write(to: folder.appending(path: "text.har"))
            for (name, words) in [
                ("none.har", "none.har"), ("half.har", "ends before its last entry"), ("text.har", "no HAR file"),
                (".", "read"),
            ] {
                let run = try sandboxlint("lint", "c", "--traffic", name, "--format", "json", in: folder)
                #expect(run.code == 3 && run.errors.contains(words), "\(name): \(run.code) \(run.errors)")
                #expect(try JSONSerialization.jsonObject(with: run.output) is [String: Any])
                for command in [["explain", "c", "Documents"], ["fix", "c", "--diff"], ["init", "c"]] {
                    let run = try sandboxlint(command + ["--traffic", name], in: folder)
                    #expect(
                        run.code == 3 && run.errors.contains(words), "\(command) \(name): \(run.code) \(run.errors)")
                }
            }
            let empty = "{\"log\": {\"entries\": []}}"
            try Data(empty.utf8).write(to: folder.appending(path: "empty.har"))
            let run = try sandboxlint("lint", "c", "--traffic", "empty.har", in: folder)
            #expect(run.code == 0 && run.errors.contains("has no bodies"), "\(run.errors)")
        }
    }
}
