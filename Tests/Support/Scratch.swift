public import Foundation

/// Makes an empty directory, gives it to the body, and removes it, also when the body fails.
public func withScratch<Result>(
    in parent: URL = FileManager.default.temporaryDirectory, _ body: (URL) throws -> Result
) throws -> Result {
    let folder = parent.appending(path: "sandboxlint-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}

/// Returns the sorted names of the items in a directory.
public func names(in directory: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
}
