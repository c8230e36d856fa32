import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Appender, processes", .timeLimit(.minutes(60))) struct AppenderProcessTests {
    private let place = ContainerPath.library / "Logs/app.log"

    /// Starts a process that adds lines of `length` bytes, flushes each, and prints its number.
    private func start(
        _ container: Container, _ name: String, count: Int, length: Int
    ) throws -> (Process, FileHandle) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: Command.probe)
        process.arguments = ["log", container.location.string, name, String(count), String(length)]
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    /// Returns the lines, each of which must be whole.
    private func lines(_ container: Container, length: Int) throws -> [String] {
        let text = try container.load(place)
        #expect(text.isEmpty || text.last == 0x0a)
        return text.split(separator: 0x0a).map { line in
            #expect(line.count == length && line.last == UInt8(ascii: "."))
            return String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        }
    }

    @Test(
        "A process that is killed in the middle of a line leaves whole lines, with all that it reported",
        .needs(.process))
    func killed() throws {
        try withContainer { container throws in
            // So long that a signal interrupts the write.
            let length = 900_000
            var told: [String] = []
            for run in 0..<25 {
                let (process, output) = try start(container, "r\(run)", count: 1_000_000, length: length)
                var text = output.availableData
                let end = ContinuousClock.now + .microseconds(Int.random(in: 0..<8_000))
                while ContinuousClock.now < end {}
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                text += output.readDataToEndOfFile()
                told += String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
                // The next appender removes what is torn.
                _ = try container.appender(to: place)
                let found = try lines(container, length: length)
                #expect(Set(told).isSubset(of: found) && Set(found).count == found.count)
                // At most one line per run was written and not reported.
                #expect(found.count <= told.count + run + 1 && told.count > run)
                if found.count > 60 { break }
            }
        }
    }

    @Test("Processes that add to one log at the same time lose and mix nothing", .needs(.process))
    func concurrent() throws {
        try withContainer { container throws in
            let writers = try ["a", "b", "c"].map { try start(container, $0, count: 200, length: 5_000) }
            for (process, output) in writers {
                _ = output.readDataToEndOfFile()
                process.waitUntilExit()
                #expect(process.terminationStatus == 0)
            }
            let found = try lines(container, length: 5_000)
            for name in ["a", "b", "c"] {
                #expect(found.filter { $0.hasPrefix(name) } == (0..<200).map { "\(name)-\($0)" })
            }
        }
    }

    private static let canMount =
        Platform.isLinux && (try? Command("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).code) == 0

    @Test(
        "A full disk leaves whole lines and a clear error, and logging continues when there is space",
        .needs([.externalProgram, .root]),
        .enabled(if: canMount, "needs a mount namespace"), arguments: ["tmpfs", "ext4"])
    func full(fileSystem: String) throws {
        try withScratch { folder throws in
            let mount =
                fileSystem == "tmpfs"
                ? "mount -t tmpfs -o size=1m none disk"
                : "truncate -s 2M image; mkfs.ext4 -q image; mount -o loop image disk"
            let script = """
                set -eu
                mkdir disk; \(mount)
                mkdir -p disk/c/Library disk/c/Documents
                "$PROBE" fill disk/c
                tail -c1 disk/c/Library/Logs/app.log | od -An -c
                awk 'length != 700 { bad = 1 } END { print (NR > 100), bad + 0 }' disk/c/Library/Logs/app.log
                """
            let run = try Command(
                "unshare", ["-m", "bash", "-c", script], in: folder, environment: ["PROBE": Command.probe])
            #expect(
                run.code == 0 && run.text == "noSpace\nsaved after space was freed\n  \\n\n1 0\n",
                "\(run.text)\(run.errors)")
        }
    }
}
