import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint init --questions, --answers and --ask", .timeLimit(.minutes(60))) struct QuestionToolTests {
    private static let token = "ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s"
    private static let runner = Workflow.root.appending(path: "Tests/in-terminal").path

    /// A container with files of four kinds, the source code that writes one of them, and an empty directory `work`.
    private func withProject(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            try container.save(String(repeating: "x", count: 500), to: .documents / "timeline.json")
            try container.save(String(repeating: "x", count: 400), to: .documents / "Sets/one.set")
            try container.save(String(repeating: "x", count: 300), to: .applicationSupport / "Own/session.bin")
            try container.save(String(repeating: "x", count: 200), to: .documents / "Outbox/out.zip")
            try folder.write(
                """
                func save(_ data: Data) throws {
                    let url = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                    try data.write(to: url.appendingPathComponent("timeline.json")) // \(Self.token)
                }
                """, to: "app/Sources/TimelineCache.swift")
            try folder.makeDirectories("work")
            try body(folder)
        }
    }

    private struct Asked: Decodable {
        struct Line: Decodable, Equatable {
            let file: String
            let line: Int
            let confidence: Double
            let text: String?
        }
        let id: String
        let paths: [String]
        let items: Int
        let bytes: Int
        let kinds: [String]
        let writtenBy: Line?
    }

    private func initialize(_ words: String..., in folder: URL) throws -> Command {
        try sandboxlint(["init", "../c"] + words + ["--source-root", "../app"], in: folder.appending(path: "work"))
    }

    private func questions(in folder: URL) throws -> [Asked] {
        let run = try initialize("--questions", "--format", "json", in: folder)
        #expect(run.code == 0, "\(run.errors)")
        return try JSONDecoder().decode([Asked].self, from: run.output)
    }

    private func configuration(in folder: URL) -> String? {
        try? String(contentsOf: folder.appending(path: "work/.sandboxlint.yml"), encoding: .utf8)
    }

    /// Writes answers by the last component of the first pattern, and returns the run.
    private func answer(_ answers: [String: String], in folder: URL) throws -> Command {
        var byID: [String: String] = [:]
        for question in try questions(in: folder) {
            let name = question.paths.first?.split(separator: "/").last.map(String.init) ?? ""
            byID[question.id] = answers[name]
        }
        try JSONEncoder().encode(byID).write(to: folder.appending(path: "answers.json"))
        return try initialize("--answers", "../answers.json", in: folder)
    }

    @Test(
        "--questions prints one object for each question, with the line and without the secret on it, and writes nothing"
    )
    func shape() throws {
        try withProject { folder throws in
            let questions = try questions(in: folder)
            #expect(
                questions.map(\.paths) == [
                    ["Documents/timeline.json"], ["Documents/Sets/one.set"],
                    ["Library/Application Support/com.example.app/Own/session.bin"], ["Documents/Outbox/out.zip"],
                ])
            #expect(questions.map(\.bytes) == [500, 400, 300, 200])
            #expect(questions.allSatisfy { $0.items == 1 })
            #expect(
                questions.map(\.kinds) == [["1 JSON file"], ["1 file of unknown kind"], ["1 data file"], ["1 archive"]])
            let line = try #require(questions.first?.writtenBy)
            #expect(line.file == "app/Sources/TimelineCache.swift")
            #expect(line.line == 3)
            #expect(line.confidence >= 0.5 && line.confidence <= 1)
            #expect(line.text?.contains("<GitHub token>") == true)
            let raw = try initialize("--questions", "--format", "json", in: folder)
            let objects = try #require(try JSONSerialization.jsonObject(with: raw.output) as? [[String: Any]])
            for object in objects {
                #expect(Set(object.keys) == ["id", "paths", "items", "bytes", "kinds", "writtenBy"])
            }
            #expect(objects.dropFirst().allSatisfy { $0["writtenBy"] is NSNull })
            #expect(!raw.text.contains(Self.token))
            #expect(configuration(in: folder) == nil)
            let text = try initialize("--questions", in: folder)
            #expect(text.text.contains("1 of 4  Documents   1 item, 500 bytes in 1 JSON file\n"))
            #expect(text.text.contains("  written by app/Sources/TimelineCache.swift:3  ("))
            #expect(!text.text.contains(Self.token))
            for question in questions { #expect(text.text.contains("  id \(question.id)\n")) }
        }
    }

    @Test("The ids are those of the next run, also after files were added and changed")
    func stableIDs() throws {
        try withProject { folder throws in
            let ids = try questions(in: folder).map(\.id)
            #expect(try questions(in: folder).map(\.id) == ids)
            try Data(count: 9_000).write(to: folder.appending(path: "c/Documents/Outbox/out.zip"))
            try folder.write("x", to: "c/Documents/Far/away/thing.dat")
            let later = try questions(in: folder).map(\.id)
            #expect(Set(ids).isSubset(of: later) && later.count == ids.count + 1)
            #expect(later.first == ids.last, "the largest comes first")
        }
    }

    @Test("A lint with the answers respects them, and each declaration names its line")
    func answers() throws {
        try withProject { folder throws in
            let run = try answer(
                [
                    "timeline.json": "regenerable", "one.set": "userData", "session.bin": "appState",
                    "out.zip": "temporary",
                ],
                in: folder)
            #expect(run.code == 0)
            #expect(run.errors.contains("wrote .sandboxlint.yml: 4 answers, 0 open questions"))
            let text = try #require(configuration(in: folder))
            #expect(
                text.contains(
                    "\ncaches:\n  - \"Documents/timeline.json\"  # app/Sources/TimelineCache.swift:3\n"), "\(text)")
            #expect(
                text.contains("\nuser-data:\n  - \"Documents/Sets/one.set\"  # 400 bytes in 1 file of unknown kind\n"))
            #expect(
                text.contains("\napp-state:\n  - \"Library/Application Support/com.example.app/Own/session.bin\"  # "))
            #expect(text.contains("\ntemporary:\n  - \"Documents/Outbox/out.zip\"  # "))
            let lint = try sandboxlint(
                "lint", "../c", "--format", "json", "--fail-on", "never", in: folder.appending(path: "work"))
            #expect(lint.code == 0, "\(lint.errors)")
            let report = try #require(try JSONSerialization.jsonObject(with: lint.output) as? [String: Any])
            let findings = try #require(report["findings"] as? [[String: Any]]).map { finding in
                ["path", "rule", "severity"].map { finding[$0] as? String ?? "" }
            }
            #expect(findings.contains(["Documents/timeline.json", "regenerable-in-documents", "error"]))
            #expect(findings.contains(["Documents/Outbox/out.zip", "temporary-in-backup", "warning"]))
            #expect(!findings.contains { $0[0].contains("one.set") || $0[0].contains("session.bin") }, "\(findings)")
            // A decided question is not asked again.
            #expect(try questions(in: folder).isEmpty)
        }
    }

    @Test(
        "User data and state of the app that no backup contains is a loss",
        arguments: [
            ("Library/Caches/Drawings/one.drawing", "user-data", false),
            ("tmp/Drafts/one.draft", "user-data", false),
            ("Library/Application Support/Own/keys.bin", "app-state", true),
            ("Library/Own/one.set", "user-data", true),
        ])
    func loss(path: String, key: String, isExcluded: Bool) throws {
        try withProject { folder throws in
            try folder.write("x", to: "c/\(path)")
            let file = folder.appending(path: "c/\(path)")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: file.path)
            if isExcluded {
                try Container.open(FilePath(folder.appending(path: "c").path)).excludeFromBackup(ContainerPath(path))
            }
            func rules(_ options: [String]) throws -> [String] {
                let run = try sandboxlint(
                    ["lint", "c", "--format", "json", "--fail-on", "never", "--select", "loss"] + options, in: folder)
                let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
                return try #require(report["findings"] as? [[String: Any]])
                    .filter { $0["path"] as? String == path }.compactMap { $0["rule"] as? String }
            }
            #expect(try rules([]).isEmpty)
            #expect(try rules(["--set", "\(key)=\(path)"]) == ["declared-data-without-backup"])
            #expect(try rules(["--set", "\(key)=\(path)", "--set", "synced=\(path)"]).isEmpty)
        }
    }

    @Test("A question that is skipped or has no answer stays in the configuration as a comment")
    func open() throws {
        try withProject { folder throws in
            let run = try answer(["timeline.json": "skip", "one.set": "userData"], in: folder)
            #expect(run.errors.contains("wrote .sandboxlint.yml: 1 answer, 3 open questions"))
            let text = try #require(configuration(in: folder))
            #expect(text.contains("\n# Undecided: what are these files?"))
            #expect(text.contains("\n#   - \"Documents/timeline.json\"  # app/Sources/TimelineCache.swift:3\n"))
            #expect(try questions(in: folder).count == 3)
            // The others are added to the lists that are there, and nothing else is changed.
            let more = try answer(["out.zip": "userData", "session.bin": "appState"], in: folder)
            #expect(more.errors.contains("added 2 answers, 1 open question to .sandboxlint.yml"), "\(more.errors)")
            let new = try #require(configuration(in: folder))
            #expect(new.contains("\nuser-data:\n  - \"Documents/Outbox/out.zip\"  # "))
            #expect(
                new.contains("\napp-state:\n  - \"Library/Application Support/com.example.app/Own/session.bin\"  # "))
            let added = Set(new.split(separator: "\n")).subtracting(text.split(separator: "\n"))
            #expect(added.count == 3, "\(added)")
            #expect(try questions(in: folder).count == 1)
            // The comments ask about what is still open, and are gone with the last question.
            #expect(!new.contains("#   - \"Documents/Outbox") && new.contains("#   - \"Documents/timeline.json\""))
            #expect(try answer(["timeline.json": "regenerable"], in: folder).code == 0)
            let last = try #require(configuration(in: folder))
            #expect(!last.contains("# Undecided") && last.contains("\ncaches:\n  - \"Documents/timeline.json\""))
        }
    }

    @Test("A list on one line is not changed, and the entry is printed")
    func oneLine() throws {
        try withProject { folder throws in
            try folder.write("user-data: [\"Documents/x\"]\n", to: "work/.sandboxlint.yml")
            let run = try answer(["one.set": "userData"], in: folder)
            #expect(run.code == 2)
            #expect(run.errors.contains("“user-data” in .sandboxlint.yml:1 is written on one line; add the entry: "))
            #expect(configuration(in: folder) == "user-data: [\"Documents/x\"]\n")
        }
    }

    @Test(
        "Answers that are wrong are an error, and nothing is written",
        arguments: [
            (
                "{\"ID\": \"userdata\"}",
                "unknown answer “userdata”; known: appState, regenerable, skip, temporary, userData"
            ),
            ("{\"0123456789abcdef\": \"skip\"}", "no question has the id “0123456789abcdef”"),
            ("{\"\\u0007\": \"skip\"}", "control characters are not allowed: U+0007"),
            ("{\"\\u001b[31m\": \"skip\"}", "control characters are not allowed: U+001B"),
            ("[]", "expected a mapping"), ("\"skip\"", "expected a mapping"), ("", "answers.json"),
            ("{\"ID\": [\"skip\"]}", "expected text"), ("{\"ID\": {}}", "expected text"),
            ("{\"ID\": \"skip\", \"ID\": \"userData\"}", "answers.json:1:"),
            ("{\"ID\": \"skip\"", "invalid YAML"), ("\0\0\0", "answers.json"),
            ("LISTS", "answers.json:1:"), ("MAPPINGS", "answers.json:1:"), ("BIG", "it is larger than 256 KiB"),
            ("NONE", "the file does not exist"), ("FIFO", "it is not a file"), ("BINARY", "it is not valid UTF-8"),
        ])
    func wrong(text: String, message: String) throws {
        try withProject { folder throws in
            let file = folder.appending(path: "answers.json")
            switch text {
            case "BIG":
                try Data().write(to: file)
                let handle = try FileHandle(forWritingTo: file)
                try handle.truncate(atOffset: 100 << 20)
                try handle.close()
            case "NONE": break
            case "FIFO": try Command.setUp("mkfifo", [file.path])
            case "BINARY": try Data([0x7b, 0xff, 0x7d]).write(to: file)
            case "LISTS": try folder.write(String(repeating: "[", count: 100_000), to: "answers.json")
            case "MAPPINGS":
                let deep = String(repeating: "{\"a\":", count: 10_000) + "1" + String(repeating: "}", count: 10_000)
                try folder.write(deep, to: "answers.json")
            default:
                let id = try questions(in: folder)[0].id
                try Data(text.replacing("ID", with: id).utf8).write(to: file)
            }
            let run = try initialize("--answers", "../answers.json", in: folder)
            #expect(run.code == 2, "\(run.errors)")
            #expect(run.errors.contains(message), "\(run.errors)")
            #expect(!run.errors.contains("\u{1b}") && run.errors.utf8.count < 2_000)
            #expect(configuration(in: folder) == nil)
        }
    }

    @Test(
        "Options that exclude each other are errors",
        arguments: [
            (["init", "--questions"], "--questions needs a container"), (["init", "--ask"], "--ask needs a container"),
            (["init", "../c", "--questions", "--ask"], "--ask and --questions cannot be combined"),
            (["init", "../c", "--answers", "a", "--questions"], "--questions and --answers cannot be combined"),
            (["init", "../c", "--format", "json"], "--format json needs --questions"),
            (["init", "../c", "--source-root", "../app"], "--source-root needs --ask, --questions or --answers"),
            (["init", "../c", "--questions", "--source-root", "../c/Documents"], "is inside the container"),
            (["init", "../c", "--questions", "--source-root", "../missing"], "cannot be opened"),
        ])
    func usage(words: [String], message: String) throws {
        try withProject { folder throws in
            let run = try sandboxlint(words, in: folder.appending(path: "work"))
            #expect(run.code == 2 && run.errors.contains(message), "\(run.code): \(run.errors)")
            #expect(configuration(in: folder) == nil)
        }
    }

    @Test("--ask without a terminal writes the questions as comments")
    func withoutTerminal() throws {
        try withProject { folder throws in
            let run = try initialize("--ask", in: folder)
            #expect(run.code == 0 && run.errors.contains("0 answers, 4 open questions"), "\(run.errors)")
            let text = try #require(configuration(in: folder))
            #expect(text.contains("\n#   - \"Documents/Sets/one.set\"  # 400 bytes in 1 file of unknown kind\n"))
            #expect(try questions(in: folder).count == 4)
        }
    }

    private func ask(_ folder: URL, _ options: [String]) throws -> Command {
        try Command(
            Self.runner,
            options + [Command.sandboxlint, "init", "../c", "--ask", "--source-root", "../app", "--color", "never"],
            in: folder.appending(path: "work"))
    }

    @Test("--ask takes one key for each question, and explains other keys", .needs(.externalProgram))
    func keys() throws {
        try withProject { folder throws in
            let run = try ask(folder, ["--columns", "120", "--keys-at", "q stop  ? ", "r ? x m u A a t"])
            #expect(run.code == 0, "\(run.text)")
            #expect(run.text.contains("1 of 4  Documents   1 item, 500 bytes in 1 JSON file"))
            #expect(run.text.contains("<GitHub token>") && !run.text.contains(Self.token))
            #expect(run.text.components(separatedBy: "u  user data: the user made or imported it").count == 4)
            #expect(run.text.components(separatedBy: "  Documents/Sets/one.set").count == 3, "\(run.text)")
            #expect(run.text.contains("4 answers, 0 open questions"), "\(run.text)")
            let text = try #require(configuration(in: folder))
            #expect(text.contains("\ncaches:\n  - \"Documents/timeline.json\"  # app/Sources/TimelineCache.swift:3\n"))
            #expect(text.contains("\nuser-data:\n  - \"Documents/Sets/one.set\""))
            #expect(text.contains("\napp-state:\n  - \"Library/Application Support/com.example.app/Own/session.bin\""))
            #expect(text.contains("\ntemporary:\n  - \"Documents/Outbox/out.zip\""))
        }
    }

    @Test("q writes what is answered, Ctrl-C nothing, and both leave the terminal as it was", .needs(.externalProgram))
    func stop() throws {
        try withProject { folder throws in
            let interrupted = try ask(folder, ["--ctrl-c-at", "q stop  ? "])
            #expect(interrupted.code == 130, "\(interrupted.text)")
            #expect(configuration(in: folder) == nil)
            let script = "\(Command.sandboxlint) init ../c --ask --source-root none; stty -a"
            let run = try Command(
                Self.runner, ["--columns", "120", "--keys-at", "q stop  ? ", "s q", "sh", "-c", script],
                in: folder.appending(path: "work"))
            #expect(run.text.contains("wrote .sandboxlint.yml: 0 answers, 4 open questions"), "\(run.text)")
            #expect(run.text.contains(" icanon") && run.text.contains(" echo "), "\(run.text)")
        }
    }

    @Test("The code of an arrow key, which contains letters, is no answer", .needs(.externalProgram))
    func arrow() throws {
        try withProject { folder throws in
            let run = try ask(folder, ["--keys-at", "q stop  ? ", "\u{1b}[A \u{1b}OA q"])
            #expect(run.code == 0 && run.text.contains("0 answers, 4 open questions"), "\(run.text)")
        }
    }

    @Test("100,000 undecided files in many directories are at most 15 questions", .needs([.long, .externalProgram]))
    func many() throws {
        try withScratch { folder throws in
            let script = """
                import os
                for name in ("c/Documents", "c/Library/Caches", "c/tmp"): os.makedirs(name)
                for number in range(100_000):
                    directory = f"c/Documents/{number % 3}part/d{number % 2_000}x"
                    os.makedirs(directory, exist_ok=True)
                    with open(f"{directory}/f{number}z.k{number % 9}", "wb") as file: file.write(b"x" * (1 + number % 50))
                """
            try Command.setUp("python3", ["-c", script], in: folder)
            let run = try sandboxlint("init", "c", "--questions", "--format", "json", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.errors.contains("more undecided files than `init` weighs"))
            let questions = try JSONDecoder().decode([Asked].self, from: run.output)
            #expect((1...15).contains(questions.count))
            #expect(questions.reduce(0) { $0 + $1.items } <= 100_000)
            #expect(questions.map(\.bytes) == questions.map(\.bytes).sorted(by: >))
        }
    }
}
