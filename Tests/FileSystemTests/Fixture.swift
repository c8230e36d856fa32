import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// A folder `inside` and, beside it, `outside` with a file `secret` that must not be accessible.
func withFolder(
    calls: Syscalls = .live, resolution: Resolution? = nil, _ body: (Folder, URL) throws -> Void
) throws {
    try withScratch { scratch throws in
        for name in ["inside", "outside"] {
            try FileManager.default.createDirectory(
                at: scratch.appending(path: name), withIntermediateDirectories: false)
        }
        try Data("outside".utf8).write(to: scratch.appending(path: "outside/secret"))
        let inside = scratch.appending(path: "inside")
        try body(try Folder(opening: FilePath(inside.path), calls: calls, resolution: resolution), inside)
    }
}

extension Folder {
    /// Creates a file without the steps of a durable save.
    @discardableResult
    func put(_ text: String, _ path: FilePath) throws -> OpenFile {
        let file = try createFile(path, permissions: 0o644)
        try file.write(Array(text.utf8))
        return file
    }

    /// Saves a file as the library does.
    func save(_ text: String, _ path: FilePath, _ replace: AtomicWrite = AtomicWrite()) throws(AtomicWriteError) {
        try replace.write(to: path, in: self, modelledOn: nil) { file throws(FileSystemError) in
            try file.write(Array(text.utf8))
        }
    }

    func text(_ path: FilePath) throws -> String { String(decoding: try open(path).contents(), as: UTF8.self) }
}

/// Runs a system program, requires that it succeeds, and returns its output.
@discardableResult
func shown(_ program: String, _ arguments: String...) throws -> String {
    let command = try Command(program, arguments)
    try #require(command.code == 0, "\(program) \(arguments): \(command.errors)")
    return command.text
}

extension ConflictPolicy {
    /// A policy that refuses all existing items.
    static var nothing: ConflictPolicy {
        var conflicts = ConflictPolicy()
        conflicts.any = .refuse
        return conflicts
    }
}
