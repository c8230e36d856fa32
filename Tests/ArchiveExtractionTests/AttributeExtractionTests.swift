import ArchiveExtraction
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("Attributes of archives", .needs(.externalProgram), .timeLimit(.minutes(60))) struct AttributeExtractionTests {
    private static let value = [UInt8]("bplist00".utf8) + [0x5f, 0x10, 0x11] + [UInt8]("com.apple.backupd".utf8)

    @Test("Both spellings of pax are read, with the names of macOS and of Linux")
    func pax() throws {
        try withExtraction(made("pax-attributes")) { extraction throws in
            #expect(try extraction.attribute(exclusion, of: "schily")?.starts(with: Self.value) == true)
            #expect(try extraction.attribute(exclusion, of: "schily")?.count == 61)
            #expect(try extraction.attribute(exclusion, of: "libarchive") == Array("bplist00".utf8))
            #expect(try extraction.attribute(exclusion, of: "linux") == Array("x".utf8))
            #expect(try extraction.attribute("DosStream.\(exclusion):$DATA", of: "linux") == Array("y".utf8))
            #expect(extraction.result.spellings == [.pax])
        }
    }

    @Test("Attributes beyond a limit are skipped and reported; those of the kernel are skipped")
    func limits() throws {
        try withExtraction(made("pax-attributes")) { extraction throws in
            let file = try extraction.folder.open("kernel")
            #expect(try file.attributes() == [])
            #expect(try extraction.folder.open("large").attributes() == ["small"])
            #expect(try extraction.folder.open("name").attributes() == [])
            let reported = extraction.result.incidents.filter {
                if case .badAttribute = $0.reason { true } else { false }
            }
            #expect(Set(reported.map(\.path.string)) == ["large", "many", "name"])
            #expect(reported.count == 1 + 44 + 1)
        }
    }

    @Test("Attributes of the kernel alone do not show that the archive carries attributes")
    func kernelOnly() throws {
        try withExtraction(made("kernel-only")) { extraction throws in
            #expect(extraction.result.spellings == [] && !extraction.result.carriesAttributes)
            #expect(extraction.incidents == [])
        }
    }

    @Test("AppleDouble files in a tar of macOS become attributes of files, directories and the folder")
    func macTar() throws {
        try withExtraction(made("mac-tar")) { extraction throws in
            #expect(try extraction.attribute("com.example.root", of: ".") == Array("1".utf8))
            #expect(try extraction.attribute(exclusion, of: "Documents")?.count == 61)
            #expect(try extraction.attribute(exclusion, of: "Documents/read-only")?.count == 61)
            #expect(try extraction.mode("Documents/read-only") == 0o444)
            #expect(try extraction.folder.status("Documents").modified.seconds == 1_700_000_000)
            let other = try extraction.attribute("com.apple.TextEncoding", of: "Documents/read-only")
            #expect(other == Array("utf-8;134217984".utf8))
            let expected =
                ["Documents", "Documents/._notes", "Documents/._orphan"]
                + ["link", "notes", "read-only"].map {
                    "Documents/\($0)"
                }
            #expect(try extraction.paths == expected.sorted())
            #expect(try extraction.text("Documents/._notes") == "a file of the app")
            #expect(extraction.result.spellings == [.appleDouble] && extraction.incidents == [])
            #expect(extraction.result.files == 4)
        }
    }

    @Test("The AppleDouble files under __MACOSX of a zip become attributes")
    func ditto() throws {
        try withExtraction(made("ditto")) { extraction throws in
            let decomposed = "App/Documents/Ka\u{308}se"
            let paths = ["App", "App/Documents", "App/Documents/big.bin", decomposed, "App/link"]
            #expect(
                try extraction.paths.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
                    == paths.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
            for path in ["App/Documents/big.bin", decomposed] {
                #expect(try extraction.attribute(exclusion, of: .init(path))?.count == 61)
                let finder = try extraction.attribute("com.apple.FinderInfo", of: .init(path))
                #expect(finder == Array("TEXTttxt".utf8) + [UInt8](repeating: 0, count: 24))
            }
            #expect(try extraction.attribute("com.example.app", of: "App") == Array("1".utf8))
            #expect(extraction.result.spellings == [.appleDouble] && extraction.result.format == .zip)
            #expect(extraction.incidents == ["“App”: extracted without the resource fork"])
        }
    }

    @Test("A damaged AppleDouble file is reported and remains a file")
    func lying() throws {
        try withExtraction(made("lying")) { extraction throws in
            let damaged = extraction.result.incidents.compactMap { incident -> String? in
                if case .damagedAppleDouble = incident.reason { incident.path.string } else { nil }
            }
            let names = [
                "entries", "finder", "short", "fork", "offset", "length", "name", "empty", "total", "attributes",
                "overlap", "cut-header", "cut-table",
            ]
            #expect(damaged.sorted() == names.map { "._" + $0 }.sorted())
            #expect(try extraction.paths == (names + names.map { "._" + $0 }).sorted())
            #expect(try names.allSatisfy { try extraction.folder.open(.init($0)).attributes() == [] })
            #expect(extraction.result.spellings == [])
        }
    }

    @Test("A folder that cannot store attributes is stated", .needs(.root), .enabled(if: Volume.canMount))
    func noAttributes() throws {
        try Volume.exFAT.mounted { disk throws in
            try withExtraction(made("pax-attributes"), in: disk) { extraction throws in
                #expect(extraction.result.spellings == [.pax])
                #expect(!extraction.result.storesAttributes && !extraction.result.carriesAttributes)
                #expect(try extraction.text("schily") == "x")
            }
        }
    }
}
