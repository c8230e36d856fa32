import AppContainer
import ContainerDatabases
import Foundation
import GRDB
import SystemPackage
import TestSupport
import Testing

/// Creates a container of `com.example.app`, passes it to the body, and removes it.
func withContainer<Result>(_ body: (Container) throws -> Result) throws -> Result {
    try withScratch { folder throws in
        try body(try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app"))
    }
}

/// The migrations of the tests: a table of notes.
let notes: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { database in
        try database.execute(sql: "CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)")
    }
    return migrator
}()

extension Container {
    /// Returns the file URL of an item.
    func file(_ item: ContainerPath) throws -> URL { URL(fileURLWithPath: try path(item).string) }

    /// Returns the names in the directory of a database.
    func files(of name: String) throws -> [String] {
        try names(in: file(.applicationSupport / "Databases" / name))
    }
}

/// Returns what the program `sqlite3` prints for statements, in its own process.
func sqlite(_ database: URL, _ statements: String) throws -> String {
    let run = try Command("sqlite3", ["-batch", database.path, statements])
    try #require(run.code == 0, "sqlite3: \(run.errors)")
    return run.text.trimmingCharacters(in: .newlines)
}

/// A process of `sqlite3` that has run statements on a database and stays connected. One thread uses it at a time.
final class Session: @unchecked Sendable {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Returns when the statements have run.
    init(_ database: URL, _ statements: String) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sqlite3", "-batch", database.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try run(statements)
    }

    /// Runs statements and waits for their end.
    func run(_ statements: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data("\(statements)\nSELECT 'end of statements';\n".utf8))
        var text = ""
        while !text.contains("end of statements") {
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "sqlite3 ended")
            text += String(decoding: data, as: UTF8.self)
        }
    }

    /// Ends the process.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    deinit { if process.isRunning { end() } }
}
