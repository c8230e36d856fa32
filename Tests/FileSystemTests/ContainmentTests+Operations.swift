import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

extension ContainmentTests {
    /// All operations that change something, applied to the name of a directory that leads out.
    enum Change: CaseIterable, Sendable {
        case create, save, createDirectories, moveTo, moveFrom, remove, createSymbolicLink, createFIFO, setTimes,
            copyTo, copyFrom

        func run(_ out: FilePath, in folder: Folder) throws {
            let (new, secret) = (out.appending("new"), out.appending("secret"))
            let stamp = Timestamp(seconds: 1)
            switch self {
            case .create: _ = try folder.createFile(new, permissions: 0o600)
            case .save: try Self.cause { () throws(AtomicWriteError) in try folder.save("new", secret) }
            case .createDirectories: try folder.createDirectories(new)
            case .moveTo: try Self.cause { () throws(AtomicWriteError) in try folder.move("own", to: new, in: folder) }
            case .moveFrom:
                try Self.cause { () throws(AtomicWriteError) in try folder.move(secret, to: "new", in: folder) }
            case .remove: try folder.remove(secret)
            case .createSymbolicLink: try folder.createSymbolicLink(new, to: "x")
            case .createFIFO: try folder.createFIFO(new)
            case .setTimes: try folder.setTimes(secret, accessed: stamp, modified: stamp)
            case .copyTo: try Self.cause { () throws(AtomicWriteError) in try folder.copy("own", to: new, in: folder) }
            case .copyFrom:
                try Self.cause { () throws(AtomicWriteError) in try folder.copy(secret, to: "new", in: folder) }
            }
        }

        private static func cause(_ body: () throws(AtomicWriteError) -> Void) throws(FileSystemError) {
            do throws(AtomicWriteError) { try body() } catch { throw error.cause }
        }
    }

    @Test(
        "No operation changes or reads anything outside, through dots or through a link",
        arguments: Resolution.allCases,
        Change.allCases)
    func operations(resolution: Resolution, change: Change) throws {
        try withFolder(resolution: resolution) { folder, url throws in
            let outside = url.deletingLastPathComponent().appending(path: "outside").path
            try folder.put("own", "own")
            try folder.createSymbolicLink("relative", to: "../outside")
            try folder.createSymbolicLink("absolute", to: FilePath(outside))
            let beside = try Folder(opening: FilePath(outside))
            let before = try beside.status("secret")
            for out in ["../outside", "relative", "absolute", FilePath(outside)] as [FilePath] {
                let error = #expect(throws: FileSystemError.self, "\(out)") { try change.run(out, in: folder) }
                // Directories are created name by name, and `..` is not a name.
                let allowed: [Errno] =
                    change == .createDirectories ? [.improperLink, .invalidArgument] : [.improperLink]
                if let error { #expect(allowed.contains(error.errno), "\(out): \(error)") }
            }
            let after = try beside.status("secret")
            #expect(try beside.names() == ["secret"])
            #expect(try beside.text("secret") == "outside")
            #expect(after.modified == before.modified && after.changed == before.changed)
            #expect(try folder.names() == ["absolute", "own", "relative"])
        }
    }

    @Test("A file is not created or saved through a link with its name", arguments: Resolution.allCases)
    func throughLink(resolution: Resolution) throws {
        try withFolder(resolution: resolution) { folder, url throws in
            let outside = try Folder(opening: FilePath(url.path + "/../outside"))
            try folder.createSymbolicLink("to-new", to: "../outside/new")
            try folder.createSymbolicLink("to-secret", to: "../outside/secret")
            for link in ["to-new", "to-secret"] as [FilePath] {
                let made = #expect(throws: FileSystemError.self) { try folder.createFile(link, permissions: 0o600) }
                #expect(made?.errno == .fileExists)
                let saved = #expect(throws: AtomicWriteError.self) { try folder.save("new", link) }
                #expect(saved?.cause.errno == .tooManySymbolicLinkLevels)
                #expect(saved?.stage == .untouched)
            }
            #expect(try outside.names() == ["secret"])
            #expect(try outside.text("secret") == "outside")
            #expect(try folder.names() == ["to-new", "to-secret"])
        }
    }

    @Test(
        "A path that does not end in a name is refused", arguments: Resolution.allCases,
        ["..", ".", "", "/", "a/..", "a/."])
    func nameless(resolution: Resolution, path: String) throws {
        try withFolder(resolution: resolution) { folder, _ throws in
            try folder.createDirectories("a")
            let error = #expect(throws: FileSystemError.self) { try folder.locate(FilePath(path)) }
            #expect(error?.errno == .invalidArgument)
        }
    }

    @Test(
        "Both methods of path resolution have the same results",
        arguments: [
            ("a/b/../file", nil), ("to-a/../a/file", nil), ("to-a/b/..", nil), ("a/b/../../to-file", nil), (".", nil),
            ("missing", .noSuchFileOrDirectory), ("a/missing/../file", .noSuchFileOrDirectory),
            ("dangling", .noSuchFileOrDirectory), ("a/file/below", .notDirectory), ("a/file/..", .notDirectory),
            ("to-file/below", .notDirectory), ("to-a/../..", .improperLink), ("a/b/../../..", .improperLink),
        ] as [(String, Errno?)])
    func sameAnswer(path: String, expected: Errno?) throws {
        for resolution in Resolution.allCases {
            try withFolder(resolution: resolution) { folder, _ throws in
                try folder.createDirectories("a/b")
                try folder.put("in", "a/file")
                for (link, target) in [("to-a", "a"), ("to-file", "a/file"), ("dangling", "nowhere")] {
                    try folder.createSymbolicLink(FilePath(link), to: FilePath(target))
                }
                var found: Errno?
                do throws(FileSystemError) { _ = try folder.open(FilePath(path)) } catch { found = error.errno }
                #expect(found == expected, "\(resolution)")
            }
        }
    }

    @Test("Forty links in a row are followed, and one more is not", arguments: Resolution.allCases)
    func chain(resolution: Resolution) throws {
        try withFolder(resolution: resolution) { folder, _ throws in
            try folder.put("end", "0")
            for link in 1...41 { try folder.createSymbolicLink(FilePath("\(link)"), to: FilePath("\(link - 1)")) }
            #expect(try folder.text("40") == "end")
            let error = #expect(throws: FileSystemError.self) { try folder.open("41") }
            #expect(error?.errno == .tooManySymbolicLinkLevels)
        }
    }

    @Test("A directory with an absolute path is not created beneath the folder")
    func absoluteFolder() throws {
        try withFolder { folder, url throws in
            #expect(throws: FileSystemError.self) { try folder.createDirectories(FilePath(url.path + "/made")) }
            #expect(try folder.names().isEmpty)
        }
    }
}
