import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// The attributes of `AttributeTool`, which makes system calls, compared with those of the system's programs.
@Suite("AttributeTool", .needs(.externalProgram), .enabled(if: Platform.isLinux, "compares with getfattr and setfattr"))
struct AttributeToolTests {
    /// Values by name: text, empty, with the characters that getfattr escapes, not UTF-8, and as long as Linux allows in
    /// files of all systems.
    private static let values: [String: Data] = [
        "user.a": Data("text".utf8), "user.empty": Data(), "user.b=\\c": Data("0x41 \"q\" \\101\n'é'\u{1}".utf8),
        "user.nul": Data([0, 1, 0]), "user.lines": Data([10, 10]), "user.bytes": Data([0xff, 0xfe, 0xc3, 0x28]),
        "user.new\nline": Data("1".utf8), "user.tab\t\u{1}'\"": Data("2".utf8), "user.é": Data("3".utf8),
        "user.long": Data((0..<2000).map { UInt8(truncatingIfNeeded: $0) }),
    ]

    /// The attributes of an item as getfattr prints them, also those of a link itself.
    private func shown(_ path: String, in folder: URL) throws -> [String: Data] {
        let run = try Command(
            "getfattr", ["-h", "-d", "-m", "-", "-e", "hex", "--absolute-names", path], in: folder,
            environment: ["LC_ALL": "C"])
        try run.succeeded()
        let lines = run.text.split(separator: "\n").dropFirst()
        return try Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let digits = Array((parts.count > 1 ? parts[1] : "").dropFirst(2).utf8)
                let value = try stride(from: 0, to: digits.count, by: 2).map {
                    try #require(UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16))
                }
                return (Self.unescaped(parts[0]), Data(value))
            })
    }

    /// Returns a name without the escapes of getfattr, which are a backslash and three octal digits.
    private static func unescaped(_ name: Substring) -> String {
        let pieces = name.components(separatedBy: "\\")
        var bytes = Array(pieces[0].utf8)
        for piece in pieces.dropFirst() { bytes += [UInt8(piece.prefix(3), radix: 8) ?? 0] + piece.utf8.dropFirst(3) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Attributes that it sets are those that getfattr shows, for files and directories")
    func sets() throws {
        try withScratch { folder throws in
            try folder.write(to: "f")
            try folder.makeDirectories("d")
            for path in ["f", "d"] {
                for (name, value) in Self.values { try AttributeTool.set(name, to: value, of: path, in: folder) }
                #expect(try shown(path, in: folder).filter { $0.key.hasPrefix("user.") } == Self.values)
            }
            try AttributeTool.set("user.a", to: "other", of: "f", in: folder)
            try AttributeTool.remove("user.empty", of: "f", "d", in: folder)
            #expect(try shown("f", in: folder)["user.a"] == Data("other".utf8))
            for path in ["f", "d"] { #expect(try shown(path, in: folder)["user.empty"] == nil) }
        }
    }

    @Test("It reads the attributes that setfattr sets, and FileSystem reads the same")
    func reads() throws {
        try withScratch { url throws in
            let folder = try Folder(opening: FilePath(url.path))
            let file = try folder.createFile("f", permissions: 0o600)
            for (name, value) in Self.values {
                let words = value.isEmpty ? [] : ["-v", "0s" + value.base64EncodedString()]
                try Command.setUp("setfattr", ["-n", name] + words + ["f"], in: url)
            }
            let path = url.path + "/f"
            #expect(try AttributeTool.attributes(of: path).filter { $0.key.hasPrefix("user.") } == Self.values)
            #expect(try AttributeTool.attributes(of: "f", in: url) == AttributeTool.attributes(of: path))
            for (name, value) in Self.values {
                let read = try ExtendedAttributes.read(String(name.dropFirst(5)), of: file.descriptor, path: "f")
                #expect(read == Array(value), "\(name)")
            }
            #expect(try AttributeTool.text("user.a", of: path) == "text")
            #expect(try AttributeTool.text("user.none", of: path) == nil)
            try Command.setUp("setfattr", ["-x", "user.a", "f"], in: url)
            #expect(try AttributeTool.text("user.a", of: path) == nil)
            #expect(throws: (any Error).self) { try AttributeTool.remove("user.a", of: path) }
            #expect(throws: (any Error).self) { try AttributeTool.attributes(of: path + "/missing") }
            #expect(throws: (any Error).self) { try AttributeTool.attributes(of: url.path + "/missing") }
        }
    }

    @Test("Setting follows a link, and reading does not, as with the programs")
    func links() throws {
        try withScratch { folder throws in
            try folder.write(to: "d/f")
            try folder.makeLink("to-file", to: "d/f")
            try folder.makeLink("to-directory", to: "d")
            for (name, link) in [("user.file", "to-file"), ("user.directory", "to-directory")] {
                try AttributeTool.set(name, to: "x", of: link, in: folder)
                #expect(try AttributeTool.attributes(of: link, in: folder).isEmpty)
                #expect(try shown(link, in: folder).isEmpty)
            }
            #expect(try shown("d/f", in: folder)["user.file"] == Data("x".utf8))
            #expect(try shown("d", in: folder)["user.directory"] == Data("x".utf8))
            #expect(try AttributeTool.text("user.file", of: "to-directory/f", in: folder) == "x")
            for path in [".", "to-directory/.", "d/"] {
                let shown = try AttributeTool.attributes(of: path, in: folder)
                #expect(shown["user.directory"] == (path == "." ? nil : Data("x".utf8)), "\(path)")
            }
        }
    }

    @Test("A tree is listed by relative paths, and shell commands set and remove attributes of many items")
    func tree() throws {
        try withScratch { url throws in
            let (set, removed) = (
                AttributeTool.command(setting: "user.it's", to: "$HOME `x` '"),
                AttributeTool.command(removing: "user.it's")
            )
            let script = """
                mkdir -p 'd/new\nline'; touch d/a d/b 'd/new\nline/c'; ln -s a d/link
                \(set) . d/a d/b 'd/new\nline/c'; \(removed) d/b
                """
            try Command.setUp("sh", ["-ec", script], in: url)
            let paths = Set(["", "d/a", "d/new\nline/c"].map { Array($0.utf8) })
            let found = try AttributeTool.attributes(below: url)
            #expect(Set(found.keys) == paths)
            #expect(found.values.allSatisfy { $0 == ["user.it's": Data("$HOME `x` '".utf8)] }, "\(found)")
            let listing = try AttributeTool.listing(below: url)
            #expect(listing.hasPrefix(" user.it's=0x24484f4d") && listing.contains("\nd/a user.it's=0x24484f4d"))
            let all = try Command(
                "getfattr", ["-hR", "-d", "-m", "user.", "-e", "hex", "."], in: url, environment: ["LC_ALL": "C"])
            #expect(all.text.components(separatedBy: "# file: ").count - 1 == found.count, "\(all.text)")
            #expect(try AttributeTool.listing(of: "d/b", in: url).isEmpty)
        }
    }
}

/// The lines of `TreeListing`, compared with those of GNU find.
@Suite("TreeListing", .needs(.externalProgram), .enabled(if: Platform.isLinux, "compares with GNU find"))
struct TreeListingTests {
    private static let script = """
        mkdir -p 'd/e e' empty; echo text > d/file; printf '\\351' > 'd/e e/content'; ln d/file d/name; mkfifo pipe
        ln -s 'e e' d/link; ln -s /nowhere dangling; chmod 4750 d/file; chmod 1777 empty; touch "$(printf 'new\\nline')"
        touch -d '2020-02-03 04:05:06.000000789' d/file; touch -h -d '1971-12-31 23:59:58.5' d/link; chmod 0 'd/e e/content'
        """

    @Test("It lists what find lists: kinds, modes, owners, sizes, names of a file, times and targets of links")
    func items() throws {
        try withScratch { folder throws in
            try Command.setUp("bash", ["-ec", Self.script], in: folder)
            let format = #"""
                find . -type l -printf '%P %y %m %U %G %T@ %l\0' -o -printf '%P %y %m %U %G %s %n %T@ %A@\0'
                """#
            // The first listing of a directory changes its access time.
            _ = try TreeListing(of: folder)
            let found = try Command("sh", ["-c", format], in: folder)
            // find prints ten digits of the seconds' fraction.
            let expected = Set(
                found.text.split(separator: "\0").map { String($0.replacing(/(\.\d{9})0(?= |$)/) { $0.1 }) })
            let lines = try TreeListing(of: folder, withAccessTimes: true).items
            #expect(Set(lines) == expected && lines.count == 11)
        }
    }

    @Test("Each change is a difference: content of the same size and time, mode, attribute, target, and a new item")
    func differences() throws {
        try withScratch { folder throws in
            try folder.write("one", to: "a/file")
            try folder.makeLink("a/link", to: "file")
            try folder.setAllTimes("2020-01-01")
            try folder.setMode("644", of: "a/file")
            let before = try TreeListing(of: folder)
            #expect(try TreeListing(of: folder) == before)
            try folder.write("two", to: "a/file")
            try folder.setAllTimes("2020-01-01")
            #expect(try TreeListing(of: folder).differences(from: before).count == 2)
            try folder.write("one", to: "a/file")
            try folder.setAllTimes("2020-01-01")
            #expect(try TreeListing(of: folder) == before)
            try folder.setMode("600", of: "a/file")
            #expect(try TreeListing(of: folder).differences(from: before).count == 2)
            try folder.setMode("644", of: "a/file")
            try AttributeTool.set("user.a", to: "x", of: "a", in: folder)
            #expect(try TreeListing(of: folder).differences(from: before) == ["+ a user.a=0x78"])
            try AttributeTool.remove("user.a", of: "a", in: folder)
            try folder.remove("a/link")
            try folder.makeLink("a/link", to: "other")
            try folder.setAllTimes("2020-01-01")
            let changed = try TreeListing(of: folder).differences(from: before)
            #expect(changed.count == 2 && changed.allSatisfy { $0.contains("a/link l ") }, "\(changed)")
        }
    }
}
