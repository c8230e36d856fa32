import Foundation
import TestSupport
import Testing

@Suite("sandboxbackup create --engine restic and a REST server") struct EngineServerTests {
    @Test("What lies behind a server comes back as it was; its password is in no message and no list of processes")
    func server() throws {
        try withStoreSample { folder, container, _ throws in
            let served = folder.appending(path: "served")
            try FileManager.default.createDirectory(at: served, withIntermediateDirectories: true)
            let (process, address) = try Self.serve(served)
            defer {
                process.terminate()
                process.waitUntilExit()
            }
            var sample = EngineSample(
                tool: "restic", folder: folder, container: URL(fileURLWithPath: container),
                repository: "rest:http://reader:hush@\(address)/nobody/")
            let none = try sample.create()
            #expect(none.code == 10 && !none.errors.contains("hush"), "\(none.errors)")
            sample.repository = "rest:http://reader:hush@\(address)/"
            #expect(try sample.makeRepository().code == 0)
            try sample.stand(in: #"printf '%s\n' "$*" >> "$(dirname "$0")/words"; exec "$REAL" "$@""#)
            try Data("secret\n".utf8).write(to: folder.appending(path: "password"))
            let run = try sample.create(
                "--format", "json", "--password-file", "password", environment: ["RESTIC_PASSWORD": ""])
            #expect(run.code == 0, "\(run.text) \(run.errors)")
            let words = try Command("cat", ["programs/words"], in: folder).text
            let target = folder.appending(path: "restored")
            _ = try sample.restore(EngineReport(run).snapshot, to: target)
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
            #expect(words.contains("backup") && !words.contains("hush") && !words.contains("secret"))
            let wrong = try sample.create(environment: ["RESTIC_PASSWORD": "wrong"])
            #expect(wrong.code == 1 && !wrong.errors.contains("hush"), "\(wrong.errors)")
        }
    }

    /// Starts a server on a port that the system chooses.
    private static func serve(_ folder: URL) throws -> (Process, address: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "rclone", "serve", "restic", "--addr", "127.0.0.1:0", "--user", "reader", "--pass", "hush", folder.path,
        ]
        let said = Pipe()
        (process.standardError, process.standardOutput) = (said, FileHandle.nullDevice)
        try process.run()
        var text = ""
        while let piece = try said.fileHandleForReading.read(upToCount: 1), !piece.isEmpty {
            text += String(decoding: piece, as: UTF8.self)
            if let found = text.firstMatch(of: /http:\/\/(127\.0\.0\.1:[0-9]+)\//) { return (process, String(found.1)) }
        }
        throw MissingTool(description: "rclone: \(text)")
    }
}
