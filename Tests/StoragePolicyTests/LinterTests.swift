import AppContainer
import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing
import TextOutput

@Suite("Linter") struct LinterTests {
    private func lint(_ container: Container, threads: Int = 2, _ rules: String...) throws -> LintReport {
        var catalogue = try Catalogue.embedded()
        try catalogue.restrict(select: rules, ignore: [])
        return try Linter(catalogue: catalogue, now: ExampleRun.now, threads: threads).lint(container)
    }

    private func container(_ folder: URL) throws -> Container {
        try Container.create(at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
    }

    @Test("Many findings of one directory become one, with any number of threads and in any order")
    func aggregated() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            for number in 0..<150 {
                try container.save(
                    Data(count: 1 + number % 7), to: .documents / "images/\(number).jpg",
                    options: .init(durability: .none, provenance: Provenance(.downloaded)))
            }
            let reports = try [1, 2, 8].map { try lint(container, threads: $0, "regenerable-in-documents") }
            for report in reports {
                let finding = try #require(report.findings.first)
                #expect(report.findings.count == 1)
                #expect(finding.displayPath == "Documents/images" && finding.items == 150)
                #expect(finding.largest == Array("Documents/images/104.jpg".utf8))
                #expect(finding.bytes == report.regenerableBackedUpBytes)
                #expect(finding.fingerprint == reports[0].findings[0].fingerprint)
            }
        }
    }

    @Test("Among many files of one size the equal ones are found, each with the first equal one")
    func duplicates() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            for number in 0..<12 {
                var bytes = Data(count: 1 << 20)
                // Some differ in their beginning, some only at the end.
                bytes[number % 2 == 0 ? 10 : 1_000_000] = UInt8(number / 4)
                try container.save(bytes, to: .documents / "\(number + 10).bin", options: .init(durability: .none))
            }
            let report = try lint(container, "duplicate-in-backup")
            #expect(report.isComplete)
            let pairs = report.findings.map { "\($0.displayPath) \($0.evidence.last?.value ?? "")" }
            #expect(
                pairs.sorted() == [
                    "Documents/11.bin Documents/10.bin", "Documents/12.bin Documents/10.bin",
                    "Documents/13.bin Documents/10.bin", "Documents/16.bin Documents/14.bin",
                    "Documents/17.bin Documents/15.bin", "Documents/20.bin Documents/18.bin",
                    "Documents/21.bin Documents/19.bin",
                ])
        }
    }

    @Test(
        "Numbered names have a common form by their prefix, in directories with at most 256 prefixes",
        arguments: [(beginnings: 255, isFound: true), (beginnings: 256, isFound: false)])
    func numbered(beginnings: Int, isFound: Bool) throws {
        try withScratch { folder throws in
            let container = try container(folder)
            for number in 0..<beginnings {
                try container.save(
                    Data(), to: .documents / "film/\(number)-chapter-1", options: .init(durability: .none))
            }
            for number in 1...5 {
                let path = ContainerPath.documents / "film/segment-\(number)"
                try container.save(Data(), to: path, options: .init(durability: .none))
                if number != 3 { try container.excludeFromBackup(path) }
            }
            for threads in [1, 4] {
                let found = try lint(container, threads: threads, "exclusion-lost").findings.map(\.displayPath)
                #expect(found == (isFound ? ["Documents/film/segment-3"] : []))
            }
        }
    }

    @Test("A directory with many files is reported as if each file were listed")
    func counted() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            for number in 0..<130 {
                try container.save(Data(), to: .documents / "many/\(number).json", options: .init(durability: .none))
            }
            try container.save(Data(), to: .documents / "one.json", options: .init(durability: .none))
            let report = try lint(container, "zero-length-structured")
            #expect(report.findings.map(\.displayPath) == ["Documents/many", "Documents/one.json"])
            #expect(report.findings.map(\.items) == [130, 1])
            #expect(report.findings.map(\.severity) == [.warning, .warning])
            #expect(report.findings.first?.largest == Array("Documents/many/0.json".utf8))
            #expect(report.findings.first?.isBackedUp == true)
        }
    }

    @Test("Findings above a rule's limit are counted at their directories, in any order")
    func overflow() throws {
        let rule = try Catalogue.embedded().rule("stale-tmp")
        let all = (0..<50).map { number in
            FindingCandidate(
                rule: rule, severity: .warning, path: Array("tmp/d\(number / 10)/f\(number % 10)".utf8), bytes: 2,
                size: DirectorySize(), exclusion: .included, location: .temporary, isBackedUp: false)
        }
        for order in [all, all.reversed()] {
            let store = FindingAccumulator(limit: 15)
            for finding in order { store.add([finding], of: .only) }
            let before = all.map { $0.size?.bytes ?? 0 }
            for finding in all { finding.size?.add(3) }
            let kept = try #require(store.takeAll()[.only]).map(\.candidate)
            #expect(kept.prefix(15).map(\.path) == all.prefix(15).map(\.path))
            let rest = kept.dropFirst(15)
            #expect(rest.map { String(decoding: $0.path, as: UTF8.self) } == (1...4).map { "tmp/d\($0)" })
            #expect(rest.map(\.items) == [5, 10, 10, 10] && rest.map(\.bytes) == [10, 20, 20, 20])
            // A directory may have been read before or after its finding was left out.
            #expect(rest.reduce(0) { $0 + ($1.size?.bytes ?? 0) } == before.dropFirst(15).reduce(35 * 3, +))
        }
    }

    @Test("Findings above the limit in too many directories are counted at those above")
    func overflowInManyDirectories() throws {
        let rule = try Catalogue.embedded().rule("stale-tmp")
        func finding(_ path: String) -> FindingCandidate {
            FindingCandidate(
                rule: rule, severity: .warning, path: Array(path.utf8), bytes: 1, size: DirectorySize(),
                exclusion: .included, location: .temporary, isBackedUp: false)
        }
        let many = (0..<200).map { finding("tmp/a/d\($0)/x/f") }
        let all = [finding("a/first")] + many + [finding("tmp/b/alone"), finding("tmp/c/e/1"), finding("tmp/c/e/2")]
        for order in [all, all.reversed(), all.shuffled()] {
            let store = FindingAccumulator(limit: 1)
            for finding in order { store.add([finding], of: .only) }
            let kept = try #require(store.takeAll()[.only]).map(\.candidate)
            #expect(
                kept.map { "\(String(decoding: $0.path, as: UTF8.self)) \($0.items) \($0.part.word)" }
                    == ["a/first 1 ", "tmp/a 200 rest", "tmp/b/alone 1 rest", "tmp/c/e 2 rest"])
        }
    }

    @Test("A name that is not text, or could control a terminal, is escaped")
    func escaping() {
        #expect(ByteText.escaped(Array("a é 日".utf8)) == "a é 日")
        #expect(ByteText.escaped([0x61, 0xff, 0x62]) == "a%FFb")
        #expect(ByteText.escaped(Array("a\u{1b}[31m\n%\u{202e}".utf8)) == "a%1B[31m%0A%25%E2%80%AE")
    }

    @Test(
        "On a file system without extended attributes, findings of the group backup are notes",
        .needs([.externalProgram, .root]))
    func unknownExclusion() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            for number in 0..<6 {
                let name = "com.onevcat.Kingfisher.ImageCache.default/\(number)"
                try container.save(Data([1]), to: .documents / name, options: .init(durability: .none))
            }
            // A squashfs image made without attributes answers that it cannot have any; mounting it takes root.
            let image = folder.appending(path: "image").path
            let mounted = folder.appending(path: "mounted").path
            let source = container.location.string
            #expect(try Command("mksquashfs", [source, image, "-no-xattrs", "-quiet", "-no-progress"]).code == 0)
            try folder.makeDirectories("mounted")
            guard try Command("mount", ["-o", "loop,ro", image, mounted]).code == 0 else {
                print("not run: mounting a file system without attributes takes root and a loop device")
                return
            }
            defer { _ = try? Command("umount", [mounted]) }
            let report = try lint(try Container.open(FilePath(mounted)), "regenerable-in-documents")
            #expect(report.inputs.first?.carriesAttributes == false)
            #expect(report.findings.count == 6)
            #expect(report.findings.allSatisfy { $0.severity == .note && $0.exclusion.state == .unknown })
        }
    }
}
