import AppContainer
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Hostile paths") struct HostilePathTests {
    @Test(
        "Appending a name keeps the bytes of the components before it",
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"))
    func bytes() throws {
        try withContainer { container throws in
            let folder = FilePath(bytes: [0x61, 0xff])
            try container.save("x", to: ContainerPath.documents.appending(entry: folder.appending("note")))
            let listed = try #require(try container.list(.documents).first)
            #expect(
                try container.relative(listed / "note").bytes == Array("Documents/a".utf8) + [0xff]
                    + Array("/note".utf8))
            #expect(try container.loadText(listed / "note") == "x")
        }
    }

    @Test("A name with a NUL, or one that leads out, is not appended", arguments: ["b\0c", "../b", "/etc/b", "b/.."])
    func refused(name: String) throws {
        let place = ContainerPath.documents / "a" / name
        let error = #expect(throws: ContainerError.self) { try place.validated() }
        #expect(place.error == error)
        #expect(error?.code == (name.contains("\0") ? .invalidPath : .leavesContainer))
    }

    @Test(
        "A container is not opened for an identifier that is a path",
        arguments: ["..", "../..", "a/b", "/a", "", "a\0"])
    func identifier(text: String) throws {
        try withContainer { container throws in
            let error = #expect(throws: ContainerError.self) {
                try Container.open(container.location, bundleIdentifier: text)
            }
            #expect(error?.code == .invalidPath)
        }
    }
}
