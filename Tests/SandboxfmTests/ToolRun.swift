import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// Returns the JSON object that the file manager prints.
func object(_ arguments: String..., in folder: URL) throws -> NSDictionary {
    let run = try sandboxfm(arguments + ["--json"], in: folder)
    #expect(run.code == 0, "\(arguments): \(run.errors)")
    return try #require(try JSONSerialization.jsonObject(with: run.output) as? NSDictionary)
}

/// Runs the file manager in a pseudo-terminal.
func inTerminal(
    _ arguments: [String], columns: Int = 80, answering answer: (question: String, text: String)? = nil, in folder: URL
) throws -> Command {
    let runner = URL(fileURLWithPath: #filePath).appending(path: "../../in-terminal").standardized.path
    let answering = answer.map { ["--answer-at", $0.question, $0.text] } ?? []
    return try Command(
        runner, ["--columns", "\(columns)"] + answering + [Command.sandboxfm] + arguments, in: folder,
        environment: [
            "TERM": "xterm", "COLUMNS": "", "NO_COLOR": "1", "FORCE_COLOR": "", "CLICOLOR_FORCE": "", "CLICOLOR": "",
        ])
}

/// Creates a container `c` in a folder and passes both to the body.
func withContainer(_ body: (_ container: Container, _ folder: URL) throws -> Void) throws {
    try withScratch { folder throws in
        let container = try Container.create(
            at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
        try body(container, folder)
    }
}

/// Runs the file manager as a user who is not root, for whom modes count, while a directory is closed to everybody.
func withoutPrivileges(_ arguments: [String], closing directory: String, in folder: URL) throws -> Command {
    let closed = folder.appending(path: directory).path
    defer { try? setMode("700", of: closed) }
    guard getuid() == 0 else {
        try setMode("000", of: closed)
        return try sandboxfm(arguments, in: folder)
    }
    // The build folder may be closed to other users.
    let copy = folder.appending(path: "sandboxfm").path
    try FileManager.default.copyItem(atPath: Command.sandboxfm, toPath: copy)
    try folder.allowReading()
    try setMode("000", of: closed)
    return try Command("env", Command.unprivileged + [copy] + arguments, in: folder)
}
