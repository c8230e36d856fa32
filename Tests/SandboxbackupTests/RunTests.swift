import Foundation
import TestSupport
import Testing
import ToolSupport

/// The output of a long run for users, programs and terminals.
@Suite("A run of sandboxbackup", .needs([.process, .long]), .timeLimit(.minutes(60))) struct RunTests {
    /// Runs a command with content that takes more than 300 ms, and passes the result to `body`.
    private func slowly(_ script: String, _ body: (Command, URL) throws -> Void) throws {
        try withRepositorySample { folder, _, _ throws in
            try Command.setUp(
                "bash", ["-c", "head -c 400000000 /dev/urandom > container/Documents/large.bin"], in: folder)
            let run = try Command("bash", ["-uc", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            try body(run, folder)
        }
    }

    @Test("Progress, speed and remaining time are shown on standard error on request")
    func progress() throws {
        let script = """
            "$TOOL" create container --repository store --progress always
            "$TOOL" verify --repository store --progress always
            "$TOOL" restore 1 --repository store --to out --progress always
            "$TOOL" export 1 --udid A --repository store --to backups --progress always
            "$TOOL" import backups/A --repository second --progress always
            "$TOOL" verify --repository store --progress always --quiet
            "$TOOL" verify --repository store
            """
        try slowly(script) { run, _ throws in
            let lines = run.errors.components(separatedBy: "\r\u{1b}[K")
            // On a busy machine the total may be unknown yet, or an hour may remain.
            let shown = try Regex(
                #"^(sandboxbackup  )?(\[#*-*\]  )?(\d+ %  \d+ of )?\d+ (file|object)s?  .+/s(  .+ left|  …)?$"#)
            #expect(lines.contains { $0.contains("MB/s") }, "\(run.errors)")
            let told = lines.filter { !$0.isEmpty }
            #expect(!told.isEmpty && told.allSatisfy { $0.wholeMatch(of: shown) != nil }, "\(run.errors)")
            // Only the number of files of a backup is known beforehand: all except one with an unsupported name.
            let count = try #require(told.first?.firstMatch(of: /of (\d+) files/).flatMap { Int($0.1) })
            #expect(told.contains { $0.contains("of \(count - 1) files") && $0.contains("MB/s") }, "\(run.errors)")
            // The progress line is removed at the end, and a quiet run without problems prints nothing.
            #expect(run.errors.hasSuffix("\r\u{1b}[K"))
            #expect(run.text.components(separatedBy: "no damage").count == 3, "\(run.text)")
        }
    }

    @Test("JSON lines contain status, errors and a summary")
    func lines() throws {
        let script = """
            "$TOOL" create container --repository store --format jsonl
            "$TOOL" export 1 --udid A --repository store --to backups --format jsonl --progress never
            "$TOOL" import backups/A --repository second --format jsonl --progress never
            for f in $(find store/objects -type f | sort | tail -1); do size=$(wc -c < $f); dd if=/dev/null of=$f bs=1 seek=$((size - 1)) 2> /dev/null; done
            "$TOOL" verify --repository store --format jsonl --progress never
            """
        try slowly(script) { run, _ throws in
            let lines = try run.text.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: [String: Any]])
            }
            let keys = lines.compactMap(\.keys.first)
            #expect(
                Array(keys.drop { $0 == "status" }) == ["summary", "error", "summary", "summary", "error", "summary"],
                "\(run.text)")
            #expect(keys.first == "status")
            #expect(lines[0]["status"]?["bytesInAll"] as? Int ?? 0 > 400_000_000)
            #expect(lines[keys.count - 2]["error"]?["how"] != nil && run.code == 12, "\(run.errors)")
        }
    }

    @Test(
        "A signal ends it with its exit code, and nothing incomplete remains",
        arguments: [("INT", 130), ("TERM", 143)],
        [
            "create container --repository store", "restore 1 --repository store --to out",
            "export 1 --repository store --to out", "import backups/A --repository store",
        ])
    func ended(signal: (name: String, code: Int), command: String) throws {
        let script = """
            case '\(command)' in
            restore* | export*) "$TOOL" create container --repository store > /dev/null ;;
            import*)
                "$TOOL" create container --repository first > /dev/null
                "$TOOL" export 1 --udid A --repository first --to backups > /dev/null ;;
            esac
            set -m
            "$TOOL" \(command) > said 2> errors &
            tool=$!
            # Until it is at work.
            until [ -n "$(find store/staging out .sandboxbackup-restore-* -type f 2> /dev/null | head -1)" ] || ! kill -0 $tool 2> /dev/null; do :; done
            kill -\(signal.name) $tool; wait $tool; echo $?
            cat errors
            ls -A store | grep -v '^catalogue.sqlite\\|^objects$\\|^packs$\\|^reserve$\\|^snapshots$'
            find . -name '*staging*' -o -name '*.unfinished'
            """
        try slowly(script) { run, folder throws in
            let lines = run.text.split(separator: "\n")
            #expect(lines.first == "\(signal.code)", "\(run.text)\(run.errors)")
            #expect(lines.count == 2 && lines.last?.hasPrefix("sandboxbackup: ") == true, "\(run.text)")
            let verified = try sandboxbackup("verify", "--repository", folder.appending(path: "store").path)
            #expect(verified.code == 0, "\(verified.text)")
        }
    }

    @Test(
        "It exits with 1 if standard output cannot be written",
        arguments: ["snapshots --repository store", "verify --repository store", "plan container"])
    func fullOutput(command: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let run = try Command(
                "bash", ["-c", "\"$TOOL\" \(command) > /dev/full"], in: folder,
                environment: ["TOOL": Command.sandboxbackup])
            #expect(run.code == 1 && run.errors.contains("standard output cannot be written"), "\(run.errors)")
        }
    }
}
