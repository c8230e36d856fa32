import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Processes that are killed at random moments: 10 times in each test. `scripts/stress process-kills` kills more often.
@Suite("Killed processes", .serialized, .needs(.process), .timeLimit(.minutes(60)))
struct KilledProcessTests {
    private static let full = ProcessInfo.processInfo.environment["KILLS"].flatMap(Int.init)
    private static let runs = full ?? 10

    /// Prints a figure of the full form.
    private func report(_ figure: String) { if Self.full != nil { print("\(Self.runs) runs: \(figure)") } }

    private struct Counters: Codable, Sendable, Equatable {
        var counts: [String: Int] = [:]
        var text = ""
    }

    /// Runs processes at once, kills them after at most 100 ms, and returns what each has printed after “begun”.
    private func kill(_ commands: [[String]]) throws -> [[Substring]] {
        let started = try commands.map { arguments in
            let (process, pipe) = (Process(), Pipe())
            process.executableURL = URL(filePath: Command.probe)
            process.arguments = arguments
            process.standardOutput = pipe
            try process.run()
            return (process, pipe.fileHandleForReading)
        }
        var outputs = started.map { $0.1.availableData }
        usleep(.random(in: 0..<100_000))
        for (index, (process, output)) in started.enumerated() {
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal)
            outputs[index] += try output.readToEnd() ?? Data()
        }
        return outputs.map { output in
            let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
            #expect(lines.first == "begun")
            return Array(lines.dropFirst())
        }
    }

    /// The second words of the lines that begin with a word.
    private func words(after word: String, in lines: [Substring]) -> [String] {
        lines.map { $0.split(separator: " ") }.filter { $0.first == word[...] }.compactMap { $0.last.map(String.init) }
    }

    private func names(in directory: ContainerPath, _ container: Container) throws -> [String] {
        guard try container.exists(directory) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: container.path(directory).string)
    }

    @Test("A flush that has returned is kept, and the file is whole")
    func flushes() throws {
        try withContainer { container throws in
            let item = ContainerPath.applicationSupport / "counters.json"
            var (reported, flushes) = (["a": 0, "b": 0], 0)
            for _ in 0..<Self.runs {
                let outputs = try kill(
                    ["a", "b"].map { ["flush-counters", container.location.string, item.description, $0] })
                for (name, lines) in zip(["a", "b"], outputs) {
                    let numbers = lines.compactMap { Int($0) }
                    flushes += numbers.count
                    reported[name] = numbers.last ?? reported[name]
                }
                guard try container.exists(item) else {
                    #expect(reported == ["a": 0, "b": 0])
                    continue
                }
                let saved = try container.load(Counters.self, from: item)
                for (name, count) in reported {
                    // The last flush may have been killed after its rename and before its report.
                    #expect([count, count + 1].contains(saved.counts[name] ?? 0), "\(name)")
                    reported[name] = saved.counts[name] ?? 0
                }
                #expect(Set(saved.text).count <= 1)
                try container.sweepLeftovers()
                #expect(try names(in: .applicationSupport, container) == ["counters.json"])
            }
            #expect(flushes > 0)
            report("flushes reported: \(flushes)")
        }
    }

    @Test("A file that was added to an inbox is taken until it is finished, and then never again")
    func inbox() throws {
        try withContainer { container throws in
            let directory = ContainerPath.documents / "Inbox of shares"
            var (added, finishing, finished) = (Set<String>(), Set<String>(), Set<String>())
            var counts = (added: 0, finished: 0)
            for run in 0..<Self.runs {
                let path = container.location.string
                let outputs = try kill([
                    ["add-to-inbox", path, directory.description, "\(run)"],
                    ["finish-inbox", path, directory.description], ["finish-inbox", path, directory.description],
                ])
                let lines = Array(outputs.joined())
                #expect(words(after: "torn", in: lines) == [])
                added.formUnion(words(after: "added", in: lines))
                finishing.formUnion(words(after: "finishing", in: lines))
                finished.formUnion(words(after: "finished", in: lines))
                // In every other run, the processes of the next one take what these have left.
                guard run % 2 == 1 || run == Self.runs - 1 else { continue }
                do {
                    let items = try Inbox(directory, in: container).take()
                    for item in items {
                        #expect(try item.load() == Data(String(repeating: "\(item.name) ", count: 500).utf8))
                        try item.finish()
                    }
                    let taken = Set(items.map(\.name))
                    #expect(taken.count == items.count)
                    #expect(added.subtracting(finishing).subtracting(taken) == [], "lost")
                    #expect(finished.intersection(taken) == [], "taken again")
                }
                try container.sweepLeftovers()
                #expect(try names(in: directory, container) == [])
                counts = (counts.added + added.count, counts.finished + finished.count)
                (added, finishing, finished) = ([], [], [])
            }
            #expect(counts.added > 0)
            report("files added: \(counts.added), finished by the killed processes: \(counts.finished)")
        }
    }

    @Test("A finished download is where it was or stored, whole and with its address", arguments: [false, true])
    func downloads(fromOtherVolume: Bool) throws {
        try withContainer { container throws in
            let other = (Platform.isLinux ? ["/dev/shm", "/var/tmp"] : ["/var/tmp"]).first { path in
                (try? Folder(opening: FilePath(path)).status("").identity.device)
                    != (try? container.folder.status("").identity.device)
                    && access(path, W_OK) == 0
            }
            let parent = fromOtherVolume ? other : container.location.removingLastComponent().string
            // All folders of this system may be on one volume.
            guard let parent else { return }
            let outside = URL(filePath: parent).appending(path: "sandboxlint-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(at: outside) }
            let films = ContentKind.downloaded(from: try origin(), keepOffline: true).path(named: "films")
            var (first, stored, count) = (0, [Int: Int](), 0)
            for _ in 0..<Self.runs {
                let lines = try kill([["store-downloads", container.location.string, outside.path, "\(first)"]])[0]
                let ready = words(after: "ready", in: lines).compactMap { Int($0) }
                for number in words(after: "stored", in: lines).compactMap({ Int($0) }) {
                    stored[number % 5] = number
                    count += 1
                    #expect(!FileManager.default.fileExists(atPath: source(number, in: outside)))
                }
                first = (ready.last ?? first) + 1
                for slot in 0..<5 {
                    let item = films / "\(slot)"
                    guard try container.exists(item) else {
                        #expect(stored[slot] == nil)
                        continue
                    }
                    let text = try container.loadText(item)
                    let number = try #require(Int(text.prefix { $0 != " " }))
                    #expect(text == String(repeating: "\(number) ", count: 2_000))
                    #expect(try container.provenance(of: item)?.origin == "https://example.com/film")
                    #expect(number >= stored[slot] ?? 0)
                    if number != ready.last { #expect(number == stored[slot]) }
                    stored[slot] = number
                }
                if let last = ready.last, stored[last % 5] != last {
                    let content = try Data(contentsOf: URL(filePath: source(last, in: outside)))
                    #expect(content == Data(String(repeating: "\(last) ", count: 2_000).utf8))
                }
                try container.sweepLeftovers()
                #expect(try names(in: films, container).allSatisfy { Int($0).map((0..<5).contains) ?? false })
            }
            #expect(count > 0)
            report("downloads stored: \(count)\(fromOtherVolume ? ", from another volume" : "")")
        }
    }

    private func origin() throws -> URL { try #require(URL(string: "https://example.com/film")) }

    private func source(_ number: Int, in folder: URL) -> String {
        folder.appending(path: "CFNetworkDownload_\(number).tmp").path
    }
}
