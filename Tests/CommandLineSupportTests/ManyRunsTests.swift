import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// Commands as functions: at the same time in one process, and compared with the programs.
@Suite("Commands in one process", .timeLimit(.minutes(60))) struct ManyRunsTests {
    @Test(
        "Two hundred commands at the same time have the results that each has alone, also beside an interrupted one",
        .needs(.long))
    func sideBySide() throws {
        raiseLimitOfOpenFiles()
        try withScene { scene throws in
            let kinds = Run.all
            let alone = try kinds.enumerated().map { try $1.outcome(in: scene, number: 1_000 + $0) }
            // Otherwise two results could be equal because both are empty.
            #expect(Set(alone.map(\.output)).count > 30)
            let count = 199
            let results = LockedValue<[Int: Result<Outcome, any Error>]>([:])
            let interrupted = LockedValue<Result<Command, any Error>?>(nil)
            let interruption = Interruption()
            let group = DispatchGroup()
            let start = DispatchSemaphore(value: 0)
            for number in 0..<count {
                inThread(group) {
                    start.wait()
                    let result = Result { try kinds[number % kinds.count].outcome(in: scene, number: number) }
                    results.withLock { $0[number] = result }
                }
            }
            inThread(group) {
                start.wait()
                let result = Result {
                    try sandboxlint(
                        ["lint", "large.tar", "--isolated"], in: scene,
                        environment: ["TMPDIR": scene.path + "/interrupted"], interruption: interruption)
                }
                interrupted.withLock { $0 = result }
            }
            for _ in 0...count { start.signal() }
            // The extraction has begun.
            while try names(in: scene.path + "/interrupted").isEmpty, interrupted.withLock({ $0 == nil }) {
                usleep(1_000)
            }
            interruption.request()
            group.wait()

            let finished = results.withLock { $0 }
            #expect(finished.count == count)
            for (number, result) in finished {
                let kind = kinds[number % kinds.count]
                #expect(try result.get() == alone[number % kinds.count], "\(kind)")
            }
            let ended = try #require(interrupted.withLock { $0 }).get()
            #expect(
                ended.code == 130 && ended.output.isEmpty && ended.errors.contains("interrupted"), "\(ended.errors)")
            for folder in ["interrupted", "temporary"] { #expect(try names(in: "\(scene.path)/\(folder)") == []) }
        }
    }

    @Test("A command as a function has the code, the output and the messages of the program", .needs(.process))
    func likeTheProgram() throws {
        try withScene { scene throws in
            for (number, run) in (Run.all + Run.mistakes).enumerated() {
                let function = try run.outcome(in: scene, number: 2 * number)
                let program = try run.outcome(in: scene, number: 2 * number + 1, isProgram: true)
                #expect(function == program, "\(run)")
            }
        }
    }

    /// The default limit of a process on Linux is below the need of so many commands.
    private func raiseLimitOfOpenFiles() {
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        // macOS refuses the unlimited number.
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 10_240))
        setrlimit(resource, &limit)
    }

    private func inThread(_ group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
        group.enter()
        let thread = Thread {
            body()
            group.leave()
        }
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Creates what the runs read: containers `c` and `other`, archives, a configuration and a repository.
    private func withScene(_ body: (URL) throws -> Void) throws {
        try withScratch { scene throws in
            for name in ["c", "other"] {
                let container = try Container.create(
                    at: FilePath(scene.appending(path: name).path), bundleIdentifier: "com.example.app")
                try container.save("Dear reader of \(name)", to: .documents / "letter.txt")
                try container.save(
                    Data(count: 5_000), to: .documents / "images/a.jpg", options: .init(provenance: .init(.downloaded)))
                try container.save("x", to: .temporary / "old.part")
                try sandboxfm("prefs", "set", name, "fontSize", "14", "--type", "integer", in: scene).succeeded()
            }
            try scene.remove("other/tmp/old.part")
            try scene.makeDirectories("sub", "temporary", "interrupted")
            try scene.write("rules: { stale-tmp: off }\n", to: "quiet.yml")
            let small = Archive(files: ["Documents/letter.txt", "tmp/old.part"].map { ("c/\($0)", "x") })
            try scene.write(small.data, to: "c.tar")
            let large = Archive(files: (0..<20_000).map { ("c/Documents/\($0 % 100)/\($0)", "\($0)") })
            try scene.write(large.data, to: "large.tar")
            try sandboxbackup("create", "c", "--repository", "store", in: scene).succeeded()
            for name in ["c", "other"] { try scene.appending(path: name).setAllTimes("2025-06-01T00:00:00Z") }
            try body(scene)
        }
    }
}

/// A command with its surroundings. `run-N` in its words is a name of its own for each run.
private struct Run: Sendable, CustomStringConvertible {
    let tool: TestedTool
    let words: [String]
    /// The working directory, relative to that of the scene.
    let directory: String
    let variables: [String: String]

    init(_ tool: TestedTool, _ line: String, in directory: String = "", _ variables: [String: String] = [:]) {
        (self.tool, words) = (tool, line.split(separator: " ").map(String.init))
        (self.directory, self.variables) = (directory, variables)
    }

    var description: String { "\(variables) \(directory): \(tool.rawValue) \(words.joined(separator: " "))" }

    /// Runs the command and returns its outcome without the number and without durations.
    func outcome(in scene: URL, number: Int, isProgram: Bool = false) throws -> Outcome {
        let name = "run-\(number)"
        let words = words.map { $0.replacing("run-N", with: name) }
        let folder = directory.isEmpty ? scene : scene.appending(path: directory)
        let clean = ["NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"].map { ($0, "") }
        var environment = Dictionary(uniqueKeysWithValues: clean + [("COLUMNS", "80")])
        environment["TMPDIR"] = scene.path + "/temporary"
        environment.merge(variables) { $1 }
        let command =
            try isProgram
            ? Command(tool.program, words, in: folder, environment: environment)
            : tool.run(words, in: folder, environment: environment)
        func plain(_ text: String) -> String {
            // The order of the contents of a pack, and so its name, depends on the threads of a backup.
            text.replacing(name, with: "run-N").replacing(/[0-9.]+ (?:ms|s)\b/, with: "0 s")
                .replacing(/packs\/[0-9a-f]{64}/, with: "packs/N")
        }
        // A file, or the names of a tree.
        let written = scene.path + "/" + name
        let tree = try? FileManager.default.subpathsOfDirectory(atPath: written).sorted().joined(separator: "\n")
        let file = try? scene.text(of: name)
        return Outcome(
            code: command.code, output: plain(command.text), errors: plain(command.errors),
            written: plain(tree ?? file ?? "nothing"))
    }

    private static let now = "--isolated --now 2026-01-01"
    private static let store = ["SANDBOXBACKUP_REPOSITORY": "store"]

    /// Commands that succeed, find something, or fail.
    static let all = [
        Run(.sandboxlint, "lint c \(now) --color always"), Run(.sandboxlint, "lint c \(now) --color never"),
        Run(.sandboxlint, "lint c \(now)", ["FORCE_COLOR": "1"]),
        Run(.sandboxlint, "lint c \(now)", ["FORCE_COLOR": "1", "NO_COLOR": "1"]),
        Run(.sandboxlint, "lint ../c \(now) --select stale-tmp", in: "sub"),
        Run(.sandboxlint, "lint . \(now)", in: "c"),
        Run(.sandboxlint, "lint c.tar \(now)"), Run(.sandboxlint, "lint ../c.tar \(now) --format compact", in: "sub"),
        Run(.sandboxlint, "lint c other \(now) --format jsonl --output csv=run-N"),
        Run(.sandboxlint, "lint c --config quiet.yml --now 2026-01-01"), Run(.sandboxlint, "lint c missing \(now)"),
        Run(.sandboxlint, "explain stale-tmp"), Run(.sandboxlint, "explain c tmp/old.part --now 2026-01-01"),
        Run(.sandboxlint, "rules list"), Run(.sandboxlint, "lint --help", ["COLUMNS": "60"]),
        Run(.sandboxlint, "lint --help", ["COLUMNS": "120"]),
        Run(.sandboxlint, "baseline write c --baseline run-N --now 2026-01-01"), Run(.sandboxlint, "diff c other"),
        Run(.sandboxbackup, "plan c"), Run(.sandboxbackup, "plan c --format json"),
        Run(.sandboxbackup, "plan . --for restic", in: "c"), Run(.sandboxbackup, "snapshots", store),
        Run(.sandboxbackup, "snapshots", in: "sub", ["SANDBOXBACKUP_REPOSITORY": "../store"]),
        Run(.sandboxbackup, "ls 1 -r", store), Run(.sandboxbackup, "dump 1 Documents/letter.txt", store),
        Run(.sandboxbackup, "create ../other --repository ../run-N", in: "sub"),
        Run(.sandboxbackup, "restore 1 --to run-N", store), Run(.sandboxbackup, "snapshots --repository none", store),
        Run(.sandboxbackup, "stats --format json", store), Run(.sandboxbackup, "find letter.txt", store),
        Run(.sandboxfm, "ls c Documents --now 2026-01-31"), Run(.sandboxfm, "ls ../c Documents", in: "sub"),
        Run(.sandboxfm, "tree c"), Run(.sandboxfm, "du c --json"), Run(.sandboxfm, "du other --by kind"),
        Run(.sandboxfm, "cat c Documents/letter.txt"), Run(.sandboxfm, "cat other Documents/letter.txt"),
        Run(.sandboxfm, "path c Documents/letter.txt"), Run(.sandboxfm, "prefs list c --json"),
        Run(.sandboxfm, "new run-N --bundle-id com.example.app"),
    ]

    /// Commands that the tools refuse, and requests for help.
    static let mistakes = [
        Run(.sandboxlint, ""), Run(.sandboxlint, "--help"), Run(.sandboxlint, "--version"), Run(.sandboxlint, "lnt c"),
        Run(.sandboxlint, "lint"), Run(.sandboxlint, "lint c --selct x"), Run(.sandboxlint, "lint c --format jsn"),
        Run(.sandboxlint, "lint c -j -1"), Run(.sandboxlint, "lint c --output json=none/out.json"),
        Run(.sandboxlint, "--isolated lint c"), Run(.sandboxlint, "rules"), Run(.sandboxlint, "help explain"),
        Run(.sandboxbackup, ""), Run(.sandboxbackup, "--help"), Run(.sandboxbackup, "--version"),
        Run(.sandboxbackup, "snapshts"), Run(.sandboxbackup, "create"), Run(.sandboxbackup, "plan missing"),
        Run(.sandboxbackup, "restore 9 --to run-N --repository store"), Run(.sandboxbackup, "help create"),
        Run(.sandboxbackup, "snapshots"), Run(.sandboxfm, ""), Run(.sandboxfm, "--help"), Run(.sandboxfm, "--version"),
        Run(.sandboxfm, "lss c"), Run(.sandboxfm, "cat c"), Run(.sandboxfm, "cat c Documents/none"),
        Run(.sandboxfm, "browse c"), Run(.sandboxfm, "ls missing"), Run(.sandboxfm, "rm c Documents/letter.txt"),
    ]
}

/// The results and the traces of a command.
private struct Outcome: Equatable, Sendable {
    let code: Int32
    let output: String
    let errors: String
    let written: String
}

/// A tar archive of files, in the format of POSIX.
private struct Archive {
    let data: Data

    init(files: [(path: String, content: String)]) {
        var bytes: [UInt8] = []
        for (path, content) in files {
            bytes += Self.header(path, size: content.utf8.count) + content.utf8
            bytes += [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
        }
        data = Data(bytes + [UInt8](repeating: 0, count: 1024))
    }

    private static func header(_ path: String, size: Int) -> [UInt8] {
        func field(_ text: String, _ count: Int) -> [UInt8] {
            Array((Array(text.utf8) + [UInt8](repeating: 0, count: count)).prefix(count))
        }
        func octal(_ number: Int, _ count: Int) -> [UInt8] {
            let digits = String(number, radix: 8)
            return field(String(repeating: "0", count: count - 1 - digits.count) + digits, count)
        }
        let time = 1_748_736_000
        let start = field(path, 100) + octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(time, 12)
        let end = field("0", 1) + field("", 100) + field("ustar", 6) + Array("00".utf8) + field("", 247)
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 8)
        let sum = (start + blanks + end).reduce(0) { $0 + Int($1) }
        return start + octal(sum, 7) + [UInt8(ascii: " ")] + end
    }
}
