import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite(
    "Volumes with fewer features", .needs([.externalProgram, .root]), .enabled(if: Volume.canMount),
    .timeLimit(.minutes(60)))
struct VolumeTests {
    private func withFolder(_ volume: Volume, _ body: (Folder) throws -> Void) throws {
        try volume.mounted { disk throws in try body(try Folder(opening: FilePath(disk.path))) }
    }

    @Test("A rename replaces nothing where the kernel has no exclusive rename", arguments: Volume.allCases)
    func rename(volume: Volume) throws {
        try withFolder(volume) { folder throws in
            try folder.put("one", "a")
            try folder.put("two", "b")
            let error = #expect(throws: FileSystemError.self) { try folder.rename("a", to: "b", in: folder) }
            #expect(error?.errno == .fileExists)
            #expect(try folder.text("a") == "one" && folder.text("b") == "two")
            try folder.rename("a", to: "c", in: folder)
            try folder.createDirectory("d")
            try folder.createDirectory("taken")
            #expect(throws: FileSystemError.self) { try folder.rename("d", to: "taken", in: folder) }
            try folder.rename("d", to: "e", in: folder)
            #expect(try folder.names() == ["b", "c", "e", "taken"] && folder.text("c") == "one")
        }
    }

    @Test("A symbolic link is renamed, not its target")
    func link() throws {
        try withFolder(.ignoringCase) { folder throws in
            try folder.put("target", "file")
            try folder.createSymbolicLink("link", to: "file")
            try folder.rename("link", to: "moved", in: folder)
            #expect(try folder.status("moved").kind == .symbolicLink && folder.status("file").links == 1)
            #expect(throws: FileSystemError.self) { try folder.rename("moved", to: "file", in: folder) }
            #expect(try folder.names() == ["file", "moved"])
        }
    }

    @Test("A save replaces the file, and refuses on request", arguments: Volume.allCases)
    func save(volume: Volume) throws {
        try withFolder(volume) { folder throws in
            for text in ["old", "new"] { try folder.save(text, "file") }
            #expect(try folder.text("file") == "new")
            let refusal = AtomicWrite(conflicts: .nothing)
            #expect(throws: AtomicWriteError.self) { try folder.save("other", "file", refusal) }
            try folder.save("first", "free", refusal)
            #expect(try folder.names() == ["file", "free"] && folder.text("file") == "new")
            try folder.syncTree()
        }
    }

    @Test("A tree is copied and cloned where files can share neither content nor names")
    func clone() throws {
        try withFolder(.exFAT) { folder throws in
            try folder.createDirectories("o/d")
            try folder.put("own", "o/d/own")
            try folder.put("other", "o/other")
            try folder.openFolder("o").clone(as: "clone", in: folder, own: [Array("d/own".utf8)])
            try folder.copy("o", to: "copy", in: folder)
            for copy in ["clone", "copy"] {
                #expect(try folder.text(FilePath("\(copy)/d/own")) == "own")
                #expect(try folder.text(FilePath("\(copy)/other")) == "other")
            }
            try folder.save("changed", "clone/other")
            #expect(try folder.text("o/other") == "other")
        }
    }

    @Test("A volume without attributes is detected, and a file with attributes is not copied to it")
    func attributes() throws {
        try FileSystemTests.withFolder { source, _ throws in
            let file = try source.put("text", "file")
            try file.setAttribute("x", value: [1])
            try withFolder(.exFAT) { folder throws in
                let plain = try folder.put("text", "plain")
                #expect(throws: FileSystemError.self) { try plain.setAttribute("x", value: [1]) }
                #expect(throws: FileSystemError.self) { try plain.attributes() }
                let error = #expect(throws: AtomicWriteError.self) { try source.copy("file", to: "copy", in: folder) }
                #expect(error?.stage == .untouched && error?.cause.errno == .notSupportedOnSocket)
                #expect(try folder.names() == ["plain"])
            }
        }
    }

    @Test("A rename to another spelling of the same name succeeds and loses nothing")
    func caseOnly() throws {
        try withFolder(.ignoringCase) { folder throws in
            try folder.put("text", "letter")
            try folder.createDirectories("box/inner")
            try folder.rename("letter", to: "Letter", in: folder)
            try folder.rename("box", to: "Box", in: folder)
            try folder.move("letter", to: "LETTER", in: folder)
            #expect(try folder.text("letter") == "text" && folder.text("Letter") == "text")
            #expect(try folder.status("BOX/inner").kind == .directory && folder.names().count == 2)
            // Two hard links have the same inode too, but are two names.
            try folder.createHardLink(to: "letter", at: "other")
            let error = #expect(throws: FileSystemError.self) { try folder.rename("letter", to: "other", in: folder) }
            #expect(error?.errno == .fileExists)
            #expect(try folder.names().count == 3)
        }
    }

    @Test("The treatment of case is detected")
    func distinguishesCase() throws {
        for volume in Volume.allCases {
            try withFolder(volume) { folder throws in
                try folder.createDirectory("Library")
                #expect(!folder.distinguishesCase(known: ["Documents", "Library"]))
                // Without a known entry, the system of Linux does not provide it for such volumes.
                #expect(folder.distinguishesCase(known: ["Documents"]))
            }
        }
        try FileSystemTests.withFolder { folder, _ throws in
            try folder.createDirectory("Library")
            try folder.createDirectory("library")
            #expect(folder.distinguishesCase(known: ["Library"]))
        }
    }
}

@Suite("NameSpelling") struct NameSpellingTests {
    @Test(
        "Spellings that differ in case or Unicode composition are equal",
        arguments: [
            ("Documents", "documents"), ("\u{e9}t\u{e9}", "E\u{301}TE\u{301}"), ("ΟΔΟΣ", "οδος"), ("Straße", "STRASSE"),
            ("\u{212a}", "k"), ("com.example.App", "COM.EXAMPLE.APP"),
        ])
    func equal(left: String, right: String) { #expect(NameSpelling.isEqual(left, right)) }

    @Test(
        "Different names stay different",
        arguments: [("a", "b"), ("a", "a "), ("resume", "résumé"), ("Library", "Librarys"), ("", "a")])
    func different(left: String, right: String) { #expect(!NameSpelling.isEqual(left, right)) }
}
