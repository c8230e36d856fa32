import AppContainer
import ContainerExplorer
import ContainerTree
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Items that an argument names") struct ArgumentSelectionTests {
    @Test(
        "An argument is the item of that name, else a pattern, else a name as it is printed",
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"))
    func selection() throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c").path
            let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            let documents = URL(fileURLWithPath: path + "/Documents")
            try documents.write(to: "photo[1].jpg", "photo1.jpg", "a%41", "aA", "x\ny")
            try documents.write(toBytes: [0o377])
            let index = try ContainerIndex(of: DirectoryTree(container))
            func names(_ argument: String) throws -> [[UInt8]] {
                try index.select("Documents/" + argument).numbers.map { Array(index.name(of: $0)) }
            }
            #expect(try names("photo[1].jpg") == [Array("photo[1].jpg".utf8)])
            #expect(try names("photo[0-9].jpg") == [Array("photo1.jpg".utf8)])
            #expect(try names(#"photo\[1\].jpg"#) == [Array("photo[1].jpg".utf8)])
            #expect(try names("a%41") == [Array("a%41".utf8)])
            #expect(try names("a%2541") == [Array("a%41".utf8)])
            #expect(try names("%FF") == [[0xff]])
            #expect(try names("x%0Ay") == [Array("x\ny".utf8)])
            #expect(try names("*").count == 6)
        }
    }

    @Test(
        "A path that could lead out of the container is a usage error",
        arguments: ["..", "../c", "Documents/../..", "/etc/passwd", "Documents/./../x", "%2E%2E"])
    func leaving(argument: String) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let index = try ContainerIndex(of: DirectoryTree(container))
            let error = #expect(throws: ExplorerError.self) { try index.select(argument) }
            #expect(error?.code == .usage)
        }
    }

    @Test("No match is an error that names the pattern, with control characters escaped")
    func noMatch() throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            let index = try ContainerIndex(of: DirectoryTree(container))
            let error = #expect(throws: ExplorerError.self) { try index.select("Documents/*\u{1b}[2J.jpg") }
            #expect(error?.code == .notFound)
            #expect(error?.description.contains("“Documents/*%1B[2J.jpg”") == true)
        }
    }
}
