import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("AttributeTool") struct AttributeToolTests {
    private static let values = ["user.a": "text", "user.empty": "", "user.b=\\c": "0x41 \"q\" \\101\n'é'\u{1}"]

    @Test("Attributes that it sets are those that FileSystem reads, and the other way round")
    func bothWays() throws {
        try withScratch { url throws in
            let folder = try Folder(opening: FilePath(url.path))
            let file = try folder.createFile("f", permissions: 0o600)
            for (name, value) in Self.values { try AttributeTool.set(name, to: value, of: "f", in: url) }
            for (name, value) in Self.values {
                let read = try ExtendedAttributes.read(String(name.dropFirst(5)), of: file.descriptor, path: "f")
                #expect(read == Array(value.utf8), "\(name)")
            }
            try ExtendedAttributes.write("bytes", [0, 255, 10, 10], to: file.descriptor, path: "f")
            var expected = Self.values.mapValues { Data($0.utf8) }
            expected["user.bytes"] = Data([0, 255, 10, 10])
            let path = url.path + "/f"
            #expect(try AttributeTool.attributes(of: path).filter { $0.key.hasPrefix("user.") } == expected)
            #expect(try AttributeTool.text("user.a", of: path) == "text")
            #expect(try AttributeTool.text("user.none", of: path) == nil)
            try AttributeTool.remove("user.a", of: path)
            #expect(try ExtendedAttributes.read("a", of: file.descriptor, path: "f") == nil)
            #expect(throws: (any Error).self) { try AttributeTool.remove("user.a", of: path) }
            #expect(throws: (any Error).self) { try AttributeTool.attributes(of: path + "/missing") }
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
                mkdir -p 'd/new\nline'; touch d/a d/b 'd/new\nline/c'
                \(set) . d/a d/b 'd/new\nline/c'; \(removed) d/b
                """
            try Command.setUp("sh", ["-ec", script], in: url)
            let paths = Set(["", "d/a", "d/new\nline/c"].map { Array($0.utf8) })
            let found = try AttributeTool.attributes(below: url)
            #expect(Set(found.keys) == paths)
            #expect(found.values.allSatisfy { $0 == ["user.it's": Data("$HOME `x` '".utf8)] }, "\(found)")
            let listing = try AttributeTool.listing(below: url)
            #expect(listing.hasPrefix(" user.it's=0x24484f4d") && listing.contains("\nd/a user.it's=0x24484f4d"))
        }
    }
}
