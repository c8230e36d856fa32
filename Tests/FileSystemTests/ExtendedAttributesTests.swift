import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("ExtendedAttributes") struct ExtendedAttributesTests {
    @Test(
        "By descriptor and by name: written, listed without a prefix, read, removed; empty values are preserved",
        .needs(.process))
    func roundTrip() throws {
        try withScratch { url throws in
            let folder = try Folder(opening: FilePath(url.path))
            let file = try folder.createFile("f", permissions: 0o600)
            try ExtendedAttributes.write("com.apple.x", value: [1, 0, 255], to: file.descriptor, path: "f")
            try ExtendedAttributes.write("empty", value: [], in: folder.descriptor, entry: "f", path: "f")
            #expect(try ExtendedAttributes.list(of: file.descriptor, path: "f").sorted() == ["com.apple.x", "empty"])
            #expect(
                try ExtendedAttributes.list(in: folder.descriptor, entry: "f", path: "f").sorted()
                    == ["com.apple.x", "empty"])
            #expect(try ExtendedAttributes.read("com.apple.x", of: file.descriptor, path: "f") == [1, 0, 255])
            #expect(try ExtendedAttributes.read("empty", in: folder.descriptor, entry: "f", path: "f") == [])
            #expect(try ExtendedAttributes.read("none", of: file.descriptor, path: "f") == nil)
            let shown = try AttributeTool.attributes(of: "f", in: url)
            #expect(shown["user.com.apple.x"] == Data([1, 0, 255]) && shown["user.empty"] == Data())
            #expect(try ExtendedAttributes.remove("empty", of: file.descriptor, path: "f"))
            #expect(try !ExtendedAttributes.remove("empty", in: folder.descriptor, entry: "f", path: "f"))
        }
    }

    @Test("A value that exceeds the first buffer is read completely, and one that is too large is an error")
    func long() throws {
        try withScratch { url throws in
            let folder = try Folder(opening: FilePath(url.path))
            let file = try folder.createFile("f", permissions: 0o600)
            let value = [UInt8](repeating: 7, count: 3000)
            try ExtendedAttributes.write("long", value: value, to: file.descriptor, path: "f")
            #expect(try ExtendedAttributes.read("long", in: folder.descriptor, entry: "f", path: "f") == value)
            let error = #expect(throws: FileSystemError.self) {
                try ExtendedAttributes.write(
                    "x", value: .init(repeating: 0, count: 70_000), to: file.descriptor, path: "f")
            }
            #expect(error?.errno == .argListTooLong)
        }
    }

    @Test("A list that exceeds the first buffer is read completely")
    func longList() throws {
        try withScratch { url throws in
            let folder = try Folder(opening: FilePath(url.path))
            let file = try folder.createFile("f", permissions: 0o600)
            let names = (10..<30).map { "attribute-\($0)-" + String(repeating: "x", count: 40) }
            for name in names { try ExtendedAttributes.write(name, value: [1], to: file.descriptor, path: "f") }
            #expect(try ExtendedAttributes.list(of: file.descriptor, path: "f").sorted() == names)
            #expect(try folder.attributeNames(ofEntry: "f", path: "f").sorted() == names)
        }
    }

    @Test("A link is not followed")
    func link() throws {
        try withScratch { url throws in
            let folder = try Folder(opening: FilePath(url.path))
            let file = try folder.createFile("f", permissions: 0o600)
            try folder.createSymbolicLink("link", to: "f")
            #expect(throws: FileSystemError.self) {
                try ExtendedAttributes.write("x", value: [1], in: folder.descriptor, entry: "link", path: "link")
            }
            try ExtendedAttributes.write("x", value: [1], to: file.descriptor, path: "f")
            #expect(try ExtendedAttributes.list(in: folder.descriptor, entry: "link", path: "link").isEmpty)
        }
    }
}
