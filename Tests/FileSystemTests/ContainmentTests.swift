import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Folder, kept inside", .timeLimit(.minutes(60))) struct ContainmentTests {
    /// A folder with a file and a directory, and beside it a file that must not be accessible.
    private func withFolder(_ resolution: Resolution, _ body: (Folder, URL) throws -> Void) throws {
        try withScratch { scratch throws in
            let inside = scratch.appending(path: "inside")
            try FileManager.default.createDirectory(
                at: inside.appending(path: "a/b"), withIntermediateDirectories: true)
            try Data("in".utf8).write(to: inside.appending(path: "a/b/file"))
            try Data("secret".utf8).write(to: scratch.appending(path: "outside"))
            try body(try Folder(opening: FilePath(inside.path), resolution: resolution), inside)
        }
    }

    private func link(_ folder: URL, _ name: String, _ target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: name).path, withDestinationPath: target)
    }

    @Test("A path that leads out is refused", arguments: Resolution.allCases)
    func refused(resolution: Resolution) throws {
        try withFolder(resolution) { folder, url throws in
            let outside = url.deletingLastPathComponent().appending(path: "outside").path
            try link(url, "absolute", outside)
            try link(url, "relative", "../outside")
            try link(url, "a/chain", "../relative")
            try link(url, "directory", "..")
            try link(url, "home", "/")
            for path in [
                "../outside", "a/../../outside", "absolute", "relative", "a/chain", "directory/outside",
                "home/etc/passwd", "a/b/../../../outside", FilePath(outside), "..",
            ] as [FilePath] {
                let error = #expect(throws: FileSystemError.self) { try folder.open(path).contents() }
                #expect(error?.errno == .improperLink, "\(path): \(String(describing: error))")
            }
            #expect(throws: FileSystemError.self) { try folder.createFile("directory/made", permissions: 0o600) }
            #expect(!FileManager.default.fileExists(atPath: url.appending(path: "../made").path))
        }
    }

    @Test("A path that stays inside works, also with links and dots", arguments: Resolution.allCases)
    func allowed(resolution: Resolution) throws {
        try withFolder(resolution) { folder, url throws in
            try link(url, "to-b", "a/b")
            try link(url, "a/up", "../to-b")
            for path in ["a/b/file", "to-b/file", "a/up/file", "a/../a/b/file", "./a/./b/file"] as [FilePath] {
                #expect(try folder.open(path).contents() == Array("in".utf8), "\(path)")
            }
            #expect(throws: FileSystemError.self) { try folder.open("to-b", followingLinks: false) }
        }
    }

    @Test("A loop of links is an error", arguments: Resolution.allCases)
    func loop(resolution: Resolution) throws {
        try withFolder(resolution) { folder, url throws in
            try link(url, "x", "y")
            try link(url, "y", "x")
            let error = #expect(throws: FileSystemError.self) { try folder.open("x") }
            #expect(error?.errno == .tooManySymbolicLinkLevels)
        }
    }

    @Test(
        "A magic link of procfs is refused", .enabled(if: Platform.isLinux, "opens links of /proc"),
        arguments: Resolution.allCases)
    func magic(resolution: Resolution) throws {
        let process = try Folder(opening: "/proc/self", resolution: resolution)
        for path in ["root/etc/passwd", "cwd", "exe"] as [FilePath] {
            let error = #expect(throws: FileSystemError.self) { try process.open(path) }
            #expect(error?.errno == .improperLink || error?.errno == .tooManySymbolicLinkLevels)
        }
    }
}
