import Foundation
import TestSupport
import Testing
import ToolSupport

/// Runs the tool and requires an exit code.
@discardableResult
func backed(_ arguments: String..., code: Int32 = 0) throws -> String {
    let run = try sandboxbackup(arguments)
    try #require(run.code == code, "\(arguments): \(run.text)\(run.errors)")
    return run.text
}

/// Creates and exports a snapshot, and returns the directory of the backup.
func exported(_ container: String, _ store: String, to folder: URL, code: Int32 = 0) throws -> URL {
    try backed("create", container, "--repository", store)
    let identifier = "00008110-000A1B2C3D4E5F60"
    try backed(
        "export", "latest", "--to", folder.path, "--udid", identifier, "--repository", store,
        code: code)
    return folder.appending(path: identifier)
}

/// Runs Python in a directory.
@discardableResult
func python(_ code: String, _ arguments: String..., in folder: URL) throws -> String {
    let run = try Command("python3", ["-c", code] + arguments, in: folder)
    try #require(run.code == 0, "\(run.errors)")
    return run.text
}
