import AppContainer
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import StoragePolicy

@Suite("Questions about undecided files", .timeLimit(.minutes(60))) struct QuestionTests {
    /// A file of a directory, by its path, kind and probability.
    private struct File {
        let path: [UInt8]
        var kind = "json"
        var bytes: UInt64 = 1_000
        var probability = 0.5

        init(_ path: String, kind: String = "json", bytes: UInt64 = 1_000, probability: Double = 0.5) {
            self.init(Array(path.utf8), kind: kind, bytes: bytes, probability: probability)
        }

        init(_ path: [UInt8], kind: String = "json", bytes: UInt64 = 1_000, probability: Double = 0.5) {
            (self.path, self.kind, self.bytes, self.probability) = (path, kind, bytes, probability)
        }

        var group: UndecidedFiles.Group {
            let slash = path.lastIndex(of: UInt8(ascii: "/"))
            return UndecidedFiles.Group(
                directory: slash.map { Array(path[..<$0]) } ?? [],
                location: path.starts(with: "Documents".utf8) ? .documents : .applicationSupport, kind: kind,
                probability: probability, items: 1, bytes: bytes,
                files: [UndecidedFiles.File(name: slash.map { Array(path[($0 + 1)...]) } ?? path, bytes: bytes)])
        }
    }

    private func undecided(_ files: [File], others: [String] = []) -> UndecidedFiles {
        var paths = KnownPaths()
        for path in files.map(\.path) + others.map({ Array($0.utf8) }) { paths.add(path) }
        return UndecidedFiles(groups: files.map(\.group), paths: paths)
    }

    private func line(_ file: String, _ number: Int) -> Question.Line {
        Question.Line(file: file, line: number, confidence: 0.9, text: nil)
    }

    private static func matches(_ question: Question, _ path: [UInt8]) -> Bool {
        question.paths.contains { PathGlob($0).matches(path) }
    }

    @Test("Files that one line writes are in one question, in any location")
    func lines() {
        let files = [
            File("Documents/one/a.json"), File("Library/Application Support/two/b.json"),
            File("Documents/three/c.json"),
        ]
        let own = line("Store.swift", 7)
        let questions = Question.all(about: undecided(files)) { paths in
            paths.map { $0.suffix(6).elementsEqual("c.json".utf8) ? line("Other.swift", 3) : own }
        }
        #expect(questions.count == 2)
        let shared = questions.first { $0.line == own }
        #expect(shared?.items == 2)
        #expect(shared?.paths == ["Documents/one/a.json", "Library/Application Support/two/b.json"])
    }

    @Test("Directories, kinds, and databases of different names are in different questions")
    func apart() {
        let files = [
            File("Documents/a/1.json"), File("Documents/a/1.jpg", kind: "picture"), File("Documents/b/c/1.json"),
            File("Documents/main.sqlite", kind: "database"), File("Documents/cache.sqlite", kind: "database"),
            File("Library/Application Support/a/1.json"),
        ]
        let questions = Question.all(about: undecided(files))
        #expect(questions.count == files.count)
        for file in files { #expect(questions.count { Self.matches($0, file.path) } == 1, "\(file.path)") }
    }

    @Test("Siblings of one kind are in one question with one pattern")
    func siblings() {
        let files = ["Ada", "Bo", "Cy", "Di"].map { File("Documents/Notes/\($0).json") }
        let questions = Question.all(about: undecided(files, others: ["Documents/Notes/index.db"]))
        #expect(questions.map(\.paths) == [["Documents/Notes/*.json"]])
        #expect(questions.first?.items == 4)
        #expect(questions.first?.bytes == 4_000)
        #expect(questions.first?.kinds == ["4 JSON files"])
        #expect(questions.first?.directory == "Documents/Notes")
    }

    @Test("Files of one name in sibling directories of accounts are in one question with one pattern")
    func siblingDirectories() {
        let files = ["OnMyMac", "Cloud", "Feedbin"].map { File("Documents/Accounts/\($0)/FeedMetadata.plist") }
        let other = File("Documents/Accounts/Cloud/Sync.plist")
        let questions = Question.all(about: undecided(files + [other]))
        let shared = questions.filter { $0.items == 3 }
        #expect(shared.map(\.paths) == [["Documents/Accounts/*/FeedMetadata.plist"]])
        #expect(questions.contains { $0.items == 1 && Self.matches($0, other.path) })
    }

    @Test(
        "Files of one name directly below a location, in other locations, or without words are in different questions")
    func unrelatedDirectories() {
        let files = [
            File("Documents/Downloads/data.json"), File("Documents/Journal/data.json"), File("Library/Model/data.json"),
            File("Documents/Sets/red/1.json"), File("Documents/Sets/blue/1.json"),
        ]
        #expect(Question.all(about: undecided(files)).count == files.count)
    }

    @Test("At most 15 questions are asked, those about the most bytes first")
    func limit() {
        let files = (0..<40).map { number in
            File(
                "Documents/\(UnicodeScalar(UInt8(97 + number % 26)))\(number / 26 == 0 ? "x" : "y")/f.\(number % 7)k",
                kind: "kind\(number % 7)", bytes: UInt64(1_000 + number), probability: Double(number % 8) / 10 + 0.1)
        }
        let questions = Question.all(about: undecided(files))
        #expect(questions.count <= Question.most && questions.count > 10)
        #expect(questions.map(\.bytes) == questions.map(\.bytes).sorted(by: >))
    }

    @Test("An id depends on the patterns, and not on the order, the size or a further file of the same form")
    func ids() {
        let files = [
            File("Documents/img/thumb_001.jpg", kind: "picture"), File("Documents/img/thumb_002.jpg", kind: "picture"),
            File("Documents/log.txt", kind: "text"), File("Documents/x/y.json", bytes: 5),
        ]
        let ids = Set(Question.all(about: undecided(files)).map(\.id))
        #expect(ids.count == 3)
        #expect(ids.allSatisfy { $0.wholeMatch(of: #/[0-9a-f]{16}/#) != nil })
        #expect(Set(Question.all(about: undecided(files.reversed())).map(\.id)) == ids)
        let more = files + [File("Documents/img/thumb_999.jpg", kind: "picture", bytes: 1 << 40)]
        #expect(Set(Question.all(about: undecided(more)).map(\.id)) == ids)
        #expect(Set(Question.all(about: undecided(Array(files.dropLast()))).map(\.id)).isSubset(of: ids))
    }

    @Test(
        "Names that a pattern cannot express are matched, and nothing of a secret is shown",
        arguments: [
            "a*b.json", "a?b.json", "{bundle-id}", "**", "say \"hi\".json", "back\\slash", "line\nbreak", "\u{202e}txt",
            "tab\t", "100 %.json", "ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s", "é.json", "# x", "- y", "&a", "!t",
        ])
    func names(name: String) throws {
        let file = File("Documents/d/\(name)")
        let questions = Question.all(about: undecided([file], others: ["Documents/d/other.db"]))
        let question = try #require(questions.first)
        #expect(Self.matches(question, file.path), "\(question.paths)")
        #expect(!Self.matches(question, Array("Documents/d/other.db".utf8)))
        #expect(question.paths.allSatisfy { !$0.contains("ghp_q7Zk") && !$0.unicodeScalars.contains { $0.value < 32 } })
        // The declaration is a configuration that declares the file.
        let answers = AnsweredQuestions(questions, answers: [question.id: .appState])
        let text = try ConfigurationEdit.adding(answers, to: "", file: "new")
        #expect(try Configuration(file: "new", text: text).declares(file.path, word: .appState), "\(text)")
    }

    @Test("A name outside UTF-8 is matched")
    func bytes() throws {
        let path = Array("Documents/d/".utf8) + [0xff, 0xfe, UInt8(ascii: "x")]
        let question = try #require(Question.all(about: undecided([File(path)], others: ["Documents/d/long"])).first)
        #expect(question.paths == ["Documents/d/??x"])
        #expect(Self.matches(question, path))
    }

    @Test("In random containers, every pattern matches files of its question alone", arguments: UInt64(1)...40)
    func patterns(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        let names = ["a", "b", "state", "index", "cache", "IMG_0001", "4711", "9F1C2D3E-0000-4000-8000-0123456789AB"]
        let extensions = [("json", "json"), ("jpg", "picture"), ("sqlite", "database"), ("", "none"), ("log", "log")]
        func path() -> (String, String) {
            let (ending, kind) = extensions.randomElement(using: &random) ?? ("", "none")
            let directories = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                names.randomElement(using: &random) ?? ""
            }
            let name = (names.randomElement(using: &random) ?? "") + (ending.isEmpty ? "" : "." + ending)
            return ((["Documents"] + directories + [name]).joined(separator: "/"), kind)
        }
        var all: [String: String] = [:]
        for _ in 0..<Int.random(in: 2...60, using: &random) {
            let (path, kind) = path()
            all[path] = kind
        }
        let sorted = all.sorted { $0.key < $1.key }
        let asked = sorted.filter { _ in Bool.random(using: &random) }
        let files = asked.map {
            File($0.key, kind: $0.value, probability: Double.random(in: 0.1...0.9, using: &random))
        }
        let others = sorted.map(\.key).filter { path in !asked.contains { $0.key == path } }
        let questions = Question.all(about: undecided(files, others: others))
        // One of several paths of a form stands for the others.
        let forms = Set(files.map { PathPatterns.form(ofPath: $0.path) })
        for other in others where !forms.contains(PathPatterns.form(ofPath: Array(other.utf8))) {
            let known = undecided(files, others: others).paths.byForm.values
            guard known.contains(Array(other.utf8)) else { continue }
            #expect(!questions.contains { Self.matches($0, Array(other.utf8)) }, "seed \(seed): \(other)")
        }
        if questions.count < Question.most {
            for file in files {
                #expect(questions.contains { Self.matches($0, file.path) }, "seed \(seed): \(file.path)")
            }
        }
    }

    @Test("100,000 undecided files in 20,000 directories take bounded time", .needs(.long), .timeLimit(.minutes(60)))
    func many() {
        let files = (0..<100_000).map { number in
            File(
                "Documents/d\(number % 20_000)x/s\(number % 7)y/file\(number)z.k\(number % 11)", kind: "k\(number % 11)"
            )
        }
        let questions = Question.all(about: undecided(files))
        #expect((1...Question.most).contains(questions.count))
    }
}
