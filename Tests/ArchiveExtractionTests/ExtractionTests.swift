import ArchiveExtraction
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Extracted archives", .timeLimit(.minutes(60))) struct ExtractionTests {
    /// A container with files of several sizes, links, odd names, modes and an excluded directory.
    private static let container = """
        mkdir -p tree/Documents tree/Library/Caches tree/Library/empty; cd tree
        echo note >Documents/note.txt; head -c 3000000 /dev/urandom >Documents/large.bin; : >Documents/empty
        printf x >$'Documents/caf\\xc3\\xa9'; printf x >$'Documents/cafe\\xcc\\x81'; ln -s ../Documents/note.txt Library/link
        ln Documents/note.txt Library/hard; chmod 640 Documents/note.txt; chmod 750 Library
        \(AttributeTool.command(setting: "user.\(exclusion)", to: "bplist")) Library/Caches Documents/large.bin \
            Documents/empty
        chmod 444 Documents/empty
        find . -exec touch -h -d '2024-05-06 07:08:09.123456789 UTC' {} +; cd ..
        """

    @Test(
        "A container is extracted exactly from each format that carries attributes", .needs(.externalProgram),
        arguments: [
            "tar --xattrs --format=pax -C tree -cf archive .",
            "tar --xattrs --format=pax -C tree -czf archive .",
            "tar --xattrs --format=pax -C tree --zstd -cf archive .",
            "tar --xattrs --format=pax -C tree -cJf archive Documents Library .",
            "bsdtar --format=pax -C tree -cjf archive .",
        ])
    func exact(command: String) throws {
        try withExtraction("\(Self.container)\n\(command)") { extraction throws in
            let original = extraction.url.appending(path: "../tree").standardized
            let lines = try MtreeListing(of: original).differences(in: try MtreeListing(of: extraction.url))
            // The folder itself remains private.
            #expect(lines == ["mode 755 is 700: "], "\(lines)")
            #expect(extraction.result.spellings == [.pax] && extraction.result.carriesAttributes)
            #expect(extraction.incidents.filter { !$0.contains("was extracted before") } == [])
        }
    }

    @Test(
        "Archives without attributes are extracted, and state that the exclusion is unknown", .needs(.externalProgram),
        arguments: [
            "tar -C tree -cf archive .", "tar -C tree --format=ustar -cf archive .",
            "bsdtar -C tree --no-xattrs -cf archive .",
            "cd tree; zip -qry ../archive.zip .; mv ../archive.zip ../archive",
            "bsdtar -C tree --format=zip -cf archive .",
        ])
    func plain(command: String) throws {
        try withExtraction("\(Self.container)\n\(command)") { extraction throws in
            let original = extraction.url.appending(path: "../tree").standardized
            let lines = try MtreeListing(of: original).differences(in: try MtreeListing(of: extraction.url))
            // Zip stores a hard link as a second file, and no fractions of a second.
            let isLost = { (line: String) in
                [exclusion, "time", "nlink", "first", "mode 755 is 700"].contains { line.contains($0) }
            }
            #expect(lines.filter { !isLost($0) } == [])
            #expect(extraction.result.spellings.isEmpty && !extraction.result.carriesAttributes)
            #expect(extraction.incidents == [])
            let modified = try extraction.folder.status("Documents/note.txt").modified
            #expect(modified.seconds == 1_714_979_289)
            #expect(try extraction.mode("Documents/note.txt") == 0o640)
        }
    }

    @Test("The counts are those of the archive", .needs(.externalProgram))
    func counts() throws {
        try withExtraction("\(Self.container)\ntar --xattrs --format=pax -C tree -cf archive .") { extraction throws in
            let result = extraction.result
            #expect(result.files == 6 && result.directories == 5 && result.symbolicLinks == 1)
            #expect(result.contentSize == 3_000_007 && result.attributes == 3 && result.incidentCount == 0)
        }
    }

    @Test(
        "Names and link targets keep their bytes", .needs(.externalProgram),
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"),
        arguments: ["pax-names", "utf8-zip"])
    func names(kind: String) throws {
        try withExtraction(made(kind)) { extraction throws in
            let names = Set(try extraction.folder.names().map(\.bytes))
            let decomposed: [UInt8] = Array("e".utf8) + [0xcc, 0x81]
            #expect(names.isSuperset(of: [decomposed, [0xc3, 0xa9], [0xff], [0xc3, 0xbc]]))
            #expect(names.count == 5 && extraction.incidents == [])
            #expect(try extraction.folder.linkTarget(FilePath(bytes: [0xc3, 0xbc])) == decomposed)
        }
    }

    @Test("A name in another character set is read from the field of Info-ZIP", .needs(.externalProgram))
    func unicodeField() throws {
        try withExtraction(made("unicode-field-zip")) { extraction throws in
            #expect(try extraction.paths == ["ré"] && extraction.incidents == [])
        }
    }

    @Test("A container in a subfolder is extracted into the subfolder", .needs(.externalProgram))
    func subfolder() throws {
        try withExtraction("\(Self.container)\nzip -qr archive.zip tree; mv archive.zip archive") { extraction throws in
            #expect(try extraction.folder.names() == ["tree"])
            #expect(try extraction.text("tree/Documents/note.txt") == "note\n")
        }
    }

    @Test(
        "Files keep their mode without set-id bits, and can be read and removed by their owner",
        .needs(.externalProgram))
    func modes() throws {
        try withExtraction(made("kinds")) { extraction throws in
            #expect(try extraction.mode("set-id") == 0o755 && extraction.mode("unreadable") == 0o400)
            #expect(try extraction.mode("closed") == 0o700 && extraction.mode("closed/in") == 0o444)
            #expect(try extraction.mode("") == 0o700)
        }
    }

    @Test("A parent directory without an entry is private", .needs(.externalProgram))
    func implicitParent() throws {
        try withExtraction("mkdir -p a/b; echo x >a/b/c; tar -cf archive a/b/c") { extraction throws in
            #expect(try extraction.mode("a") == 0o700 && extraction.mode("a/b") == 0o700)
            #expect(try extraction.text("a/b/c") == "x\n" && extraction.result.directories == 0)
        }
    }

    @Test("A sparse file keeps its size and its holes", .needs(.externalProgram))
    func sparse() throws {
        let script = """
            dd if=/dev/null of=sparse bs=1 seek=67108864; printf data | dd of=sparse bs=1 seek=33554432 conv=notrunc
            tar --sparse --format=pax -cf archive sparse
            """
        try withExtraction(script) { extraction throws in
            let status = try extraction.folder.status("sparse")
            #expect(status.size == 64 << 20 && status.allocated < 1 << 20)
            #expect(try extraction.folder.open("sparse").read(upTo: 4, from: 32 << 20) == Array("data".utf8))
        }
    }

    @Test("The archive may be a link, but not a directory or a pipe", .needs(.externalProgram))
    func archiveKind() throws {
        try withExtraction("echo x >a; tar -cf real.tar a; ln -s real.tar archive") { extraction throws in
            #expect(try extraction.text("a") == "x\n")
        }
        #expect(try failure("mkdir archive")?.code == .failed)
        #expect(try failure("mkfifo archive")?.code == .failed)
        #expect(try failure("true")?.reason.contains("No such file") == true)
    }
}
