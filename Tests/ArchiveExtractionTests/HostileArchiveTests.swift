import ArchiveExtraction
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Hostile archives", .timeLimit(.minutes(60))) struct HostileArchiveTests {
    private func reasons(_ extraction: Extraction) -> [String: ExtractionIncident.Reason] {
        Dictionary(
            extraction.result.incidents.map { ($0.path.string, $0.reason) }, uniquingKeysWith: { first, _ in first })
    }

    @Test(
        "Entries with “..” are skipped and reported, and absolute names are read relative to the folder",
        .needs(.externalProgram))
    func traversal() throws {
        try withExtraction(made("traversal")) { extraction throws in
            #expect(try extraction.paths == ["absolute", "ok"])
            let expected = ["../out", "a/../../out", "..", "a/b/../c"]
            #expect(extraction.result.incidents.map(\.path.string) == expected)
            #expect(extraction.result.incidents.allSatisfy { $0.reason == .unsafePath })
            #expect(extraction.incidents[0] == "“../out”: not extracted, because its path leads out of the archive")
        }
    }

    @Test("Links are created but never followed, and hard links reach only extracted files", .needs(.externalProgram))
    func links() throws {
        try withExtraction(made("links")) { extraction throws in
            #expect(try extraction.paths == ["file", "hard-file", "hard-link", "root", "secret", "up"])
            #expect(try extraction.folder.linkTarget("hard-link") == Array("../outside/secret".utf8))
            #expect(try extraction.folder.linkTarget("root") == Array("/".utf8))
            let reasons = reasons(extraction)
            #expect(reasons["up/outside/through"] == .throughLink && reasons["root/tmp/through"] == .throughLink)
            #expect(reasons["secret"] == .duplicate && reasons["up"] == .duplicate)
            for name in ["hard-out", "hard-through"] { #expect(reasons[name] == .noLinkTarget, "\(name)") }
            #expect(try extraction.folder.status("hard-file").links == 2 && extraction.text("file") == "content")
            #expect(!FileManager.default.fileExists(atPath: "/tmp/through"))
        }
    }

    @Test("Of two entries with one name, the first is extracted and the second reported", .needs(.externalProgram))
    func duplicates() throws {
        try withExtraction(made("duplicates")) { extraction throws in
            #expect(try extraction.paths == ["a", "d"] && extraction.text("a") == "first")
            #expect(try extraction.mode("d") == 0o755)
            let expected: [ExtractionIncident.Reason] = [.duplicate, .duplicate, .throughLink]
            #expect(extraction.result.incidents.map(\.reason) == expected)
            #expect(extraction.result.incidents.map(\.path.string) == ["./a", "d", "a/below"])
        }
    }

    @Test("Names that differ only in case are two files", .needs(.externalProgram))
    func cases() throws {
        try withExtraction(made("cases")) { extraction throws in
            #expect(try extraction.text("Documents/Note") == "first" && extraction.text("Documents/note") == "second")
            #expect(try extraction.text("documents/other") == "third" && extraction.incidents == [])
        }
    }

    @Test(
        "Names that differ only in case are reported where the file system ignores case",
        .needs([.externalProgram, .root]), .enabled(if: Volume.canMount))
    func ignoredCase() throws {
        try Volume.ignoringCase.mounted { disk throws in
            try withExtraction(made("cases"), in: disk) { extraction throws in
                // The driver may list names in lower case.
                #expect(try extraction.paths.map { $0.lowercased() } == ["documents", "documents/note"])
                #expect(try extraction.text("Documents/Note") == "first")
                #expect(extraction.result.incidents.map(\.reason) == [.duplicate, .throughLink])
            }
        }
    }

    @Test("Devices and pipes are skipped and reported", .needs(.externalProgram))
    func kinds() throws {
        try withExtraction(made("kinds")) { extraction throws in
            #expect(try extraction.paths == ["closed", "closed/in", "set-id", "unreadable"])
            #expect(extraction.result.incidents.map(\.path.string) == ["pipe", "tty", "disk"])
            #expect(extraction.result.incidents.allSatisfy { $0.reason == .unsupportedKind })
        }
    }

    @Test("Names that are too long or too deep are skipped, and the report is short", .needs(.externalProgram))
    func longNames() throws {
        try withExtraction(made("long-names")) { extraction throws in
            #expect(try extraction.paths == [String(repeating: "n", count: 255)])
            #expect(extraction.result.incidents.map(\.reason) == [.longName, .longName, .deepPath, .longName])
            #expect(extraction.incidents.allSatisfy { $0.utf8.count < 1200 })
        }
        try withExtraction(made("long-name-zip")) { extraction throws in
            #expect(try extraction.paths == ["ok"] && extraction.result.incidents.map(\.reason) == [.longName])
        }
    }

    @Test(
        "A bomb is refused before it fills the disk", .needs(.externalProgram),
        arguments: [
            ("zeros", "the content is more than 200 times as large as the archive"),
            ("empty-files", "the content is more than 200 times as large as the archive"),
            ("huge-hole", "the files in the archive have more than"),
        ])
    func bombs(kind: String, reason: String) throws {
        let error = try failure(made(kind))
        #expect(error?.code == .limitExceeded && error?.reason.contains(reason) == true, "\(String(describing: error))")
        #expect(error?.description.contains("extract it yourself") == true)
    }

    @Test("A limit of entries and of content is exact", .needs(.externalProgram))
    func limits() throws {
        let script = "mkdir d; for i in 1 2 3; do head -c 1000 /dev/urandom >d/$i; done; tar -cf archive d/1 d/2 d/3"
        var limits = ExtractionLimits()
        (limits.entries, limits.contentSize) = (3, 3000)
        try withExtraction(script, limits: limits) { extraction throws in #expect(extraction.result.files == 3) }
        limits.entries = 2
        #expect(try failure(script, limits: limits)?.reason == "the archive has more than 2 entries")
        (limits.entries, limits.contentSize) = (3, 2999)
        #expect(try failure(script, limits: limits)?.reason == "the files in the archive have more than 2999 bytes")
    }

    @Test("The memory for the names of directories is limited", .needs(.externalProgram))
    func names() throws {
        var limits = ExtractionLimits()
        limits.deferredNames = 10_000
        let error = try failure("mkdir -p d/{1..100}; tar -cf archive d", limits: limits)
        #expect(error?.code == .limitExceeded)
    }

    @Test("An extended header of a gigabyte is refused", .needs(.externalProgram))
    func paxGigabyte() throws {
        let error = try failure(made("pax-gigabyte"))
        #expect(error?.code == .damaged && error?.reason == "the archive is damaged: Special header too large")
    }

    @Test("Only so many incidents are described, and all are counted", .needs(.externalProgram))
    func manyIncidents() throws {
        var limits = ExtractionLimits()
        limits.incidents = 2
        try withExtraction(made("traversal"), limits: limits) { extraction throws in
            #expect(extraction.result.incidents.count == 2 && extraction.result.incidentCount == 4)
        }
    }

    private static let files = "for i in 1 2 3; do head -c 50000 /dev/urandom >$i; done"

    @Test(
        "A truncated archive is an error that names the damage", .needs(.process),
        arguments: [
            ("tar -c 1 2 3 | head -c 90000 >archive", "the archive is damaged: "),
            ("tar -cz 1 2 3 | head -c 90000 >archive", "the archive is damaged: "),
            ("tar -c --zstd 1 2 3 | head -c 140000 >archive", "the archive is damaged: "),
            ("tar -cz 1 2 3 | head -c 15 >archive", "the gzip archive is truncated or damaged: "),
            ("zip -qr all.zip 1 2 3; head -c 90000 all.zip >archive", "the zip archive is truncated or damaged: "),
        ])
    func truncated(command: String, reason: String) throws {
        let error = try failure("\(Self.files)\n\(command)")
        #expect(error?.code == .damaged && error?.reason.hasPrefix(reason) == true, "\(String(describing: error))")
    }

    @Test("A file with a wrong checksum is removed and reported", .needs(.externalProgram))
    func checksum() throws {
        try withExtraction(made("wrong-checksum")) { extraction throws in
            #expect(try extraction.paths == [] && extraction.incidents.count == 1)
            #expect(extraction.incidents[0].contains("not extracted, because its content is damaged (ZIP bad CRC"))
        }
    }

    @Test("An encrypted zip is refused by name", .needs(.externalProgram))
    func encrypted() throws {
        let error = try failure("echo x >a; zip -qP password all.zip a; mv all.zip archive")
        #expect(error?.code == .encrypted && error?.reason == "the archive is encrypted")
    }

    @Test(
        "A file that is not an archive is refused by name", .needs(.externalProgram),
        arguments: ["echo text >archive", ": >archive", "head -c 100000 /dev/urandom >archive", "cp /bin/ls archive"])
    func noArchive(command: String) throws {
        let error = try failure(command)
        #expect(error?.code == .notAnArchive && error?.reason == "the file is not an archive")
        #expect(error?.description.contains("Supported are zip, and tar") == true)
    }

    @Test(
        "An archive without entries is refused", .needs(.process),
        arguments: ["tar -cf archive -T /dev/null", "head -c 99999 /dev/zero >archive"])
    func empty(command: String) throws {
        let error = try failure(command)
        #expect(error?.code == .notAnArchive && error?.reason == "the file has no entries of an archive")
    }

    @Test(
        "Formats that libarchive reads, but that are not enabled, are refused", .needs(.process),
        arguments: [
            "bsdtar --format=cpio -cf archive a", "bsdtar --format=7zip -cf archive a",
            "bsdtar --format=iso9660 -cf archive a", "bsdtar --format=mtree -cf archive a",
            "tar -c a | bsdtar --lzma -cf archive @-", "bsdtar --format=xar -cf archive a",
        ])
    func otherFormats(command: String) throws {
        let code = try failure("echo x >a; \(command)")?.code
        #expect(code == .notAnArchive || code == .unsupported)
    }
}
