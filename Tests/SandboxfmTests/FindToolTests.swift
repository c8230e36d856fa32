import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxfm find, search and info", .timeLimit(.minutes(60))) struct FindToolTests {
    private func fill(_ container: Container, in folder: URL) throws {
        try container.save("Dear Emma", to: .documents / "letter.txt", options: .init(provenance: .init(.user)))
        try container.save(
            Data(count: 5_000), to: .documents / "images/a.jpg", options: .init(provenance: .init(.downloaded)))
        try container.save(Data(count: 70_000), to: .documents / "videos/b.mp4")
        try container.excludeFromBackup(.documents / "videos")
        try folder.write("not text\0", to: "c/Library/Caches/c.bin")
    }

    private func paths(_ arguments: String..., in folder: URL) throws -> [String] {
        let run = try sandboxfm(["find", "c"] + arguments + ["--json"], in: folder)
        #expect(run.code == 0, "\(run.errors)")
        let items = try JSONSerialization.jsonObject(with: run.output) as? [String: [NSDictionary]]
        return try #require(items?["items"]).compactMap { $0["path"] as? String }
    }

    @Test("find lists the items of all terms with their paths, as text, JSON and bytes")
    func find() throws {
        try withContainer { container, folder throws in
            try fill(container, in: folder)
            #expect(try paths("*.JPG", "size>4k", in: folder) == ["Documents/images/a.jpg"])
            #expect(
                try paths("kind:file", "path:Documents/**", "--sort", "size", in: folder)
                    == ["Documents/videos/b.mp4", "Documents/images/a.jpg", "Documents/letter.txt"])
            #expect(try paths("class:user-data", "kind:file", in: folder) == ["Documents/letter.txt"])
            #expect(try paths("finding", "images", in: folder).count <= 1)
            #expect(try paths("nothing-like-this", in: folder).isEmpty)
            let text = try sandboxfm("find", "c", "letter", "--class", in: folder)
            #expect(text.text.hasSuffix("Documents/letter.txt\n") && text.text.contains("user-data!"), "\(text.text)")
            let bytes = try sandboxfm("find", "c", "excluded", "--null", in: folder)
            #expect(bytes.output == Data("Documents/videos\0Documents/videos/b.mp4\0".utf8))
            for (terms, message) in [
                (["sze>3"], "“sze” is unknown"), ([], "Missing expected argument"),
                (["finding:no-such-rule"], "no-such-rule"),
                (["a", "--null", "--json"], "cannot be combined"),
            ] {
                let wrong = try sandboxfm(["find", "c"] + terms, in: folder)
                #expect(wrong.code == 2 && wrong.errors.contains(message), "\(terms): \(wrong.errors)")
            }
        }
    }

    @Test("A finding on an item is found by its rule and its severity, as lint reports it")
    func findings() throws {
        try withContainer { container, folder throws in
            try fill(container, in: folder)
            let lint = try sandboxlint("lint", "c", "--format", "json", "--fail-on", "never", in: folder)
            let report = try JSONSerialization.jsonObject(with: lint.output) as? NSDictionary
            let all = try #require(report?["findings"] as? [NSDictionary])
            for rule in Set(all.compactMap { $0["rule"] as? String }) {
                let reported = all.filter { $0["rule"] as? String == rule && $0["items"] as? Int == 1 }
                    .compactMap { $0["path"] as? String }.filter { !$0.isEmpty }
                let found = try paths("finding:\(rule)", in: folder)
                #expect(Set(reported).isSubset(of: found), "\(rule): \(found)")
            }
            #expect(!all.isEmpty)
        }
    }

    @Test("search prints places, and exits with 0 if found, 1 if not, and 3 if something was not searched")
    func search() throws {
        try withContainer { container, folder throws in
            try fill(container, in: folder)
            let found = try sandboxfm("search", "c", "emma", in: folder)
            #expect(found.code == 0 && found.text == "Documents/letter.txt: line 1: Dear Emma\n", "\(found.text)")
            #expect(try sandboxfm("search", "c", "emma", "--case-sensitive", in: folder).code == 1)
            #expect(try sandboxfm("search", "c", "emma", "Library", in: folder).code == 1)
            #expect(try sandboxfm("search", "c", "emma", "--keys", in: folder).code == 1)
            let json = try object("search", "c", "emma", "Documents", "--values", in: folder)
            #expect((json["matches"] as? [NSDictionary])?.first?["place"] as? String == "line 1")
            #expect(json["matchCount"] as? Int == 1 && json["notSearchedCount"] as? Int == 0)
            #expect(try sandboxfm("search", "c", "x", "--keys", "--values", in: folder).code == 2)
            #expect(try sandboxfm("search", "c", in: folder).code == 2)
            #expect(try sandboxfm("search", "c", "", in: folder).code == 2)
            #expect(try sandboxfm("search", "c", "emma", "nothing", in: folder).code == 1)
            try folder.write("bplist00broken", to: "c/Documents/b.plist")
            let partly = try sandboxfm("search", "c", "emma", in: folder)
            #expect(partly.code == 3 && partly.text == found.text && partly.errors.contains("“Documents/b.plist”"))
        }
    }

    @Test("The inputs of the linter are searched too, such as a zip", .needs(.externalProgram))
    func archive() throws {
        try withContainer { container, folder throws in
            try fill(container, in: folder)
            let made = "import shutil; shutil.make_archive('a', 'zip', 'c')"
            try Command.setUp("python3", ["-c", made], in: folder)
            #expect(
                try sandboxfm("search", "a.zip", "emma", in: folder).text == "Documents/letter.txt: line 1: Dear Emma\n"
            )
            #expect(try sandboxfm("find", "a.zip", "letter", in: folder).text.hasSuffix("Documents/letter.txt\n"))
            let info = try sandboxfm("info", "a.zip", "Documents/letter.txt", in: folder)
            #expect(info.text.contains("backed up"), "\(info.errors)")
        }
    }

    @Test("info prints the class, the store that names a file, the decision of backups, findings and the line of code")
    func info() throws {
        try withContainer { container, folder throws in
            try fill(container, in: folder)
            try folder.write("wave", to: "c/Documents/Recordings/take 1.wav")
            try executeSQL(
                "CREATE TABLE recording(file TEXT); INSERT INTO recording VALUES ('Recordings/take 1.wav')",
                in: folder.path + "/c/Library/history.sqlite")
            try folder.write(
                "let url = documents.appendingPathComponent(\"Recordings/take 1.wav\")\ntry data.write(to: url)\n",
                to: "app/Recorder.swift")
            let run = try sandboxfm("info", "c", "Documents/Recordings/*", "--source-root", "app", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            for line in [
                "Documents/Recordings/take 1.wav\n", "named by    Library/history.sqlite, recording.file",
                "class       user data", "backed up   yes: user data, decided by Documents",
                "written by  app/Recorder.swift:",
            ] { #expect(run.text.contains(line), "\(line): \(run.text)") }
            let excluded = try sandboxfm("info", "c", "Documents/videos/b.mp4", in: folder)
            #expect(excluded.text.contains("decided by exclusion of Documents/videos"), "\(excluded.text)")
            let missing = try sandboxfm("info", "c", "Documents/none", in: folder)
            #expect(missing.code == 1 && missing.errors.contains("Documents/none"))
            for number in 0..<30 { try folder.write("x", to: "c/tmp/\(number)") }
            let many = try sandboxfm("info", "c", "tmp/*", in: folder)
            #expect(many.code == 2 && many.errors.contains("30 items match"))
        }
    }
}
