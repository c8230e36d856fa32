import Foundation

/// A server of someone else's, on a port of this machine's that the system chooses.
final class LoopbackServer {
    /// Where it listens.
    let address: String
    private let process = Process()

    /// Runs it until it says where it listens: the first part of `pattern`.
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
            // It must not wait for someone to read what it goes on to say.
            said.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
            return
        }
        address = ""
        throw MissingTool(description: "\(program): \(text)")
    }

    func end() {
        // A thread of the tests' own holds back what would ask it to end, and passes that on.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
