import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Calls `body` with a container that has every kind of item, created without this library, and a path for a repository.
func withRepositorySample<Result>(_ body: (URL, _ container: String, _ store: String) throws -> Result) throws -> Result
{
    try withScratch { folder throws in
        let container = folder.appending(path: "container")
        _ = try Container.create(at: FilePath(container.path), bundleIdentifier: "com.example.app")
        try container.makeDirectories("Documents/notes", "Documents/empty", "Library/Application Support/x")
        try container.write("Dear reader", to: "Documents/letter.txt")
        for number in 1...40 {
            try container.write((number...200).map { "\($0)\n" }.joined(), to: "Documents/notes/\(number).txt")
        }
        try container.write(randomData(9_000_000), to: "Documents/film.bin")
        let photo = try randomData(100_000)
        for name in ["photo", "again"] { try container.write(photo, to: "Documents/\(name).bin") }
        try container.makeHole("Documents/sparse.bin", size: 30 << 20)
        try container.write(Data("end".utf8), to: "Documents/sparse.bin", at: 20_000_000)
        try container.makeHole("Documents/hole.bin", size: 9 << 20)
        try container.write(to: "Documents/nothing")
        try container.makeName("Documents/notes/same.txt", of: "Documents/letter.txt")
        try container.makeLink("Documents/notes/link", to: "../letter.txt")
        try container.makeLink("Documents/dangling", to: "/nowhere/at/all")
        try container.write("x", to: "Documents/new\nline")
        if Platform.allowsAnyNames {
            try container.write("y", toBytes: Array("Documents/".utf8) + [0o377] + Array("bytes".utf8))
        }
        try AttributeTool.set(
            "user.com.example.mark", to: "kept", of: "Documents/letter.txt", "Documents/notes", in: container)
        try AttributeTool.set("user.com.example.empty", to: "", of: "Documents/photo.bin", in: container)
        try container.setMode("600", of: "Documents/letter.txt")
        try container.setMode("1750", of: "Documents/notes")
        try container.setMode("444", of: "Documents/photo.bin")
        try executeSQL(
            "CREATE TABLE note(a); INSERT INTO note VALUES('kept')", in: container.path + "/Documents/rest.sqlite")
        try executeSQL(
            "PRAGMA journal_mode = WAL; CREATE TABLE note(a)", in: container.path + "/Documents/log.sqlite")
        try container.setTimes(
            "2020-02-03T04:05:06.123456789Z", of: "Documents/letter.txt", "Documents/dangling", followingLinks: false)
        try container.setTimes("1969-12-31T23:59:58.5Z", of: "Documents/nothing")
        try container.write("cached", to: "Library/Caches/a")
        try container.write("gone", to: "tmp/b")
        return try body(folder, container.path, folder.appending(path: "store").path)
    }
}

/// Damages the fourth part of `film.bin`.
func damageFilm(of store: String) throws {
    let query = """
        SELECT lower(hex(o.sha256)) FROM entry e JOIN part p ON p.object = e.object
        JOIN object o ON o.id = p.part WHERE CAST(e.name AS TEXT) = 'film.bin' ORDER BY p.position LIMIT 1 OFFSET 3
        """
    let hash = try executeSQL(query, in: store + "/catalogue.sqlite").dropLast()
    try URL(fileURLWithPath: store).write(Data("damage".utf8), to: "objects/\(hash.prefix(2))/\(hash)", at: 5000)
}

/// Overwrites the frames of small objects in the packs with zeros.
///
/// - Parameters:
///   - condition: The SQL condition that selects rows of `frame`.
///   - store: The repository.
/// - Throws: If the catalogue or a pack cannot be read or written.
func zeroFrames(where condition: String = "true", of store: String) throws {
    let query = """
        SELECT lower(hex(sha256)), position, frame.size FROM frame JOIN pack ON pack.id = pack WHERE \(condition)
        """
    let rows = try executeSQL(query, in: store + "/catalogue.sqlite").split(separator: "\n")
    try #require(!rows.isEmpty)
    for row in rows {
        let fields = row.split(separator: "|")
        let (position, size) = (try #require(UInt64(fields[1])), try #require(Int(fields[2])))
        try URL(fileURLWithPath: store).write(Data(count: size), to: "packs/\(fields[0])", at: position)
    }
}

/// Returns a listing of the items that must be restored exactly.
func listing(_ folder: URL) throws -> TreeListing { try TreeListing(of: folder.appending(path: "Documents")) }
