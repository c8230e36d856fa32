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
        let said = Pipe()
        (process.standardError, process.standardOutput) = (said, said)
        try process.run()
        var text = ""
        while let piece = try said.fileHandleForReading.read(upToCount: 1), !piece.isEmpty {
            text += String(decoding: piece, as: UTF8.self)
            guard let found = text.firstMatch(of: pattern) else { continue }
            address = String(found.1)
            // The server must not block on its output.
            said.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
            return
        }
        address = ""
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
