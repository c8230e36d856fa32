import Foundation

/// A failed system program, with its output.
struct ProgramFailure: Error, CustomStringConvertible {
    let description: String
}

/// Runs a system program, found by the search path, to its end.
///
/// - Throws: Its standard error if the exit code is not 0.
func run(_ program: String, _ arguments: String...) throws(ProgramFailure) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    // The output is shown to users, in one language.
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
    let errors = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    // Foundation's wait polls every 50 ms.
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do { try process.run() } catch { throw ProgramFailure(description: "\(program): \(error)") }
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    ended.wait()
    guard process.terminationStatus != 0 else { return }
    let said = text.split(whereSeparator: \.isNewline).joined(separator: "; ")
    throw ProgramFailure(description: "\(program) failed: \(said.isEmpty ? "it does not say why" : said)")
}
