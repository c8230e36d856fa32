import Foundation

/// A third-party server on a free port of this machine.
final class LoopbackServer {
    /// The address of the server.
    let address: String
    private let process = Process()

    /// Runs the server until it prints its address, the first group of `pattern`.
    init(_ program: String, _ arguments: [String], saying pattern: Regex<(Substring, Substring)>) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        // A file instead of a pipe: the server cannot block on it, and no dispatch source watches it. Dispatch on Linux can crash
        // when a descriptor that it watches hangs up (`_dispatch_event_merge_fd` reads its note after a handler has removed it).
        let said = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data().write(to: said)
        defer { try? FileManager.default.removeItem(at: said) }
        let writer = try FileHandle(forWritingTo: said)
        (process.standardError, process.standardOutput) = (writer, writer)
        try process.run()
        var text = ""
        for _ in 0..<6000 {
            text = String(decoding: try Data(contentsOf: said), as: UTF8.self)
            if let found = text.firstMatch(of: pattern) {
                address = String(found.1)
                return
            }
            guard process.isRunning else { break }
            usleep(10_000)
        }
        address = ""
        end()
        throw ServerFailure(description: "\(program): \(text)")
    }

    func end() {
        // A test thread may block SIGTERM, and child processes inherit the signal mask.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}

/// A server that did not start.
struct ServerFailure: Error, CustomStringConvertible { let description: String }
