import ArchiveExtraction
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The name of the attribute that excludes a file from backup.
let exclusion = "com.apple.metadata:com_apple_backup_excludeItem"

/// An extracted archive in a folder `inside` of a temporary directory, which also contains `outside/secret`.
struct Extraction {
    let folder: Folder
    let url: URL
    let result: ExtractedArchive

    /// The paths of all extracted entries, sorted.
    var paths: [String] {
        get throws {
            var paths: [String] = []
            try folder.visit("") { entry throws(FileSystemError) in
                paths.append(String(decoding: entry.path.bytes, as: UTF8.self))
                return true
            }
            return paths.sorted()
        }
    }

    /// The incidents as text.
    var incidents: [String] { result.incidents.map(\.description) }

    func text(_ path: FilePath) throws -> String {
        String(decoding: try folder.open(path, followingLinks: false).contents(), as: UTF8.self)
    }

    func attribute(_ name: String, of path: FilePath) throws -> [UInt8]? {
        try folder.open(path, followingLinks: false).attribute(name)
    }

    func mode(_ path: FilePath) throws -> UInt16 { try folder.status(path).permissions }
}

/// Runs a shell script in an empty directory, and extracts the file `archive` that it creates. The body runs after a
/// check that nothing outside the folder has changed.
func withExtraction(
    _ script: String, limits: ExtractionLimits = ExtractionLimits(), in target: URL? = nil,
    _ body: (Extraction) throws -> Void
) throws {
    try withScratch { scratch throws in
        let root = URL(filePath: #filePath).appending(path: "../..").standardized
        try Command.setUp(
            "bash", ["-ec", "mkdir outside inside; echo secret >outside/secret; chmod 700 inside\n\(script)"],
            in: scratch, environment: ["MAKE": root.appending(path: "make-archives").path])
        let before = try Surroundings(scratch)
        let inside = target ?? scratch.appending(path: "inside")
        let folder = try Folder(opening: FilePath(inside.path))
        defer { #expect((try? Surroundings(scratch)) == before, "something outside the folder has changed") }
        let result = try ArchiveExtractor(limits: limits).extract(
            FilePath(scratch.appending(path: "archive").path), into: folder)
        try body(Extraction(folder: folder, url: inside, result: result))
    }
}

/// Everything in the temporary directory but the folder of the extraction.
private struct Surroundings: Equatable {
    private let names: [String]
    private let secret: Data
    private let links: Int

    init(_ scratch: URL) throws {
        names =
            try TestSupport.names(in: scratch) + TestSupport.names(in: scratch.appending(path: "outside"))
        let file = scratch.appending(path: "outside/secret")
        secret = try Data(contentsOf: file)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        links = Int((attributes[.referenceCount] as? NSNumber)?.int64Value ?? 0)
    }
}

/// Returns the error of an extraction.
func failure(_ script: String, limits: ExtractionLimits = ExtractionLimits()) throws -> ExtractionError? {
    do {
        try withExtraction(script, limits: limits) { extraction throws in
            Issue.record("extracted: \(try extraction.paths.prefix(10)) \(extraction.incidents)")
        }
    } catch let error as ExtractionError { return error }
    return nil
}

/// A script that creates an archive which no ordinary program creates.
func made(_ kind: String) -> String { "python3 $MAKE \(kind) archive" }
