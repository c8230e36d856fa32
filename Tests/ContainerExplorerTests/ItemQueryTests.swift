import AppContainer
import ContainerExplorer
import ContainerTree
import FileSystem
import Foundation
import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Conditions on items") struct ItemQueryTests {
    private static let now = Int64(Date().timeIntervalSince1970)

    /// Creates a container with files of known sizes, ages and exclusions, and passes its index.
    private func withIndex(_ body: (ContainerIndex, Container) throws -> Void) throws {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            for (path, size) in [
                ("Documents/Photo 1.JPG", 3_000), ("Documents/notes.txt", 20), ("Documents/Videos/b.mp4", 70_000),
                ("tmp/upload.jpg", 10),
            ] { try container.save(Data(count: size), to: ContainerPath(path), options: .init(durability: .none)) }
            try container.excludeFromBackup(.documents / "Videos")
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/c/Documents/link", withDestinationPath: "notes.txt")
            for (path, age) in [("Documents/notes.txt", 40), ("tmp/upload.jpg", 1)] {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: Double(Self.now - Int64(age) * 86_400))],
                    ofItemAtPath: folder.path + "/c/" + path)
            }
            try body(ContainerIndex(of: DirectoryTree(container)), container)
        }
    }

    private func files(_ query: String, in index: ContainerIndex) throws -> [String] {
        try ItemQuery(query + " !kind:directory !name:.com.apple.*").items(in: index, now: Self.now)
            .map { String(decoding: index.path(of: $0), as: UTF8.self) }
    }

    @Test(
        "A query selects the items for which all terms hold",
        arguments: [
            ("photo", ["Documents/Photo 1.JPG"]), ("*.jpg", ["Documents/Photo 1.JPG", "tmp/upload.jpg"]),
            ("name:*.jpg path:Documents/**", ["Documents/Photo 1.JPG"]), ("\"photo 1\"", ["Documents/Photo 1.JPG"]),
            ("documents/v", ["Documents/Videos/b.mp4"]), ("path:Documents/Videos/*", ["Documents/Videos/b.mp4"]),
            ("size>2.5k", ["Documents/Photo 1.JPG", "Documents/Videos/b.mp4"]),
            ("size>=70000", ["Documents/Videos/b.mp4"]),
            ("size<1KiB kind:file", ["Documents/notes.txt", "tmp/upload.jpg"]), ("age>30d", ["Documents/notes.txt"]),
            ("age<2d age>=1d", ["tmp/upload.jpg"]), ("age>5w", ["Documents/notes.txt"]),
            ("kind:link", ["Documents/link"]),
            ("excluded", ["Documents/Videos/b.mp4"]), ("backup:no", ["Documents/Videos/b.mp4", "tmp/upload.jpg"]),
            ("!*.jpg kind:file size>30", ["Documents/Videos/b.mp4"]), ("photo notes", []),
        ])
    func selection(query: String, paths: [String]) throws {
        try withIndex { index, _ throws in
            #expect(try files(query, in: index) == paths)
            #expect(try ItemQuery(query).needsClasses == false)
        }
    }

    @Test("Classes and findings are those of one lint run; without a run their terms hold for nothing, also negated")
    func linted() throws {
        try withIndex { _, container throws in
            let list = try PropertyListSerialization.data(
                fromPropertyList: ["password": "Zk3mT9qLx7Pw2Rv8Yn4B"], format: .binary, options: 0)
            try container.save(list, to: ContainerPath("Library/Preferences/com.example.app.plist"))
            let index = try ContainerIndex(of: DirectoryTree(container))
            let (report, classes) = try Linter().lintWithClasses(container)
            let plain = try Linter().lint(container)
            #expect(report.findings.map(\.path) == plain.findings.map(\.path))
            #expect(report.findings.map(\.rule.id) == plain.findings.map(\.rule.id) && !report.findings.isEmpty)
            let findings = BrowserFindings(report, in: index)
            func numbers(_ query: String, classes: ItemClasses?) throws -> [Int] {
                try ItemQuery(query).items(in: index, now: Self.now, classes: classes, findings: findings.findings)
            }
            var sum = 0
            for itemClass in ItemClass.allCases {
                let found = try numbers("class:\(itemClass.rawValue)", classes: classes)
                for item in found { #expect(classes[index.path(of: item)]?.itemClass == itemClass) }
                sum += found.count
            }
            #expect(sum == index.count - 1)
            #expect(try numbers("class:system!", classes: classes).count == 1)
            #expect(try numbers("class:temporary", classes: nil).isEmpty)
            #expect(try numbers("!class:temporary", classes: nil).isEmpty)
            let reported = Set(report.findings.map(\.path).filter { !$0.isEmpty })
            #expect(Set(try numbers("finding", classes: nil).map { index.path(of: $0) }) == reported)
            let rule = try #require(report.findings.first { !$0.path.isEmpty }).rule
            #expect(try !numbers("finding:\(rule.id)", classes: nil).isEmpty)
            #expect(
                try numbers("finding:\(rule.id)", classes: nil) == numbers("finding:\(rule.number)", classes: nil))
            let severities = try ["error", "warning", "note"].flatMap { try numbers("finding:\($0)", classes: nil) }
            #expect(Set(severities) == Set(try numbers("finding", classes: nil)))
        }
    }

    @Test(
        "A wrong term is an error that names it and what is allowed",
        arguments: [
            ("sze>3", "size>"), ("size:3", "size>10M"), ("size>ten", "KiB"), ("size>99999999999999999999T", "KiB"),
            ("age>3", "30d"), ("age>9999999999999999999y", "30d"), ("class:nice", "user-data"),
            ("backup:maybe", "backup:no"),
            ("kind:folder", "directory"), ("finding:a b", "finding:error"), ("name:a/b", "path:"), ("name:", "path:"),
            ("path:/", "Documents"), ("", "part of a name"),
            (String(repeating: "x", count: 5_000), "4096 bytes"), ("http://example.com", "name:"),
        ])
    func wrong(term: String, allowed: String) throws {
        for term in [term, "!" + term] {
            let error = #expect(throws: ExplorerError.self) { try ItemQuery(terms: [term]) }
            #expect(error?.code == .usage && error?.description.contains(allowed) == true, "\(term): \(error as Any)")
        }
        #expect(throws: ExplorerError.self) { try ItemQuery(terms: Array(repeating: "a", count: 65)) }
    }

    @Test(
        "Hostile names are found: escapes, combining and wide characters, 4 KiB of path, bytes outside UTF-8",
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"))
    func hostile() throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c").path
            let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            let documents = URL(fileURLWithPath: path + "/Documents")
            let long = String(repeating: "界", count: 84)
            try documents.write(to: "e\u{301}t\u{e9}.txt", "x\u{1b}[2Jy", long, "100%")
            try documents.write(toBytes: [0x61, 0xff])
            let deep = (0..<14).map { _ in String(repeating: "d", count: 250) }.joined(separator: "/")
            try documents.makeDirectories(deep)
            let index = try ContainerIndex(of: DirectoryTree(container))
            func names(_ terms: String...) throws -> [[UInt8]] {
                try ItemQuery(terms: terms).items(in: index, now: Self.now).map { Array(index.name(of: $0)) }
            }
            #expect(try names("\u{e9}t\u{e9}").count == 1 && names("E\u{301}T*.TXT").count == 1)
            #expect(try names("\u{1b}[").count == 1 || names("name:x*\u{1b}*").count == 1)
            #expect(try names("%1B").count == 1 && names("%FF") == [[0x61, 0xff]])
            #expect(try names("界界") == [Array(long.utf8)] && names("100%") == [Array("100%".utf8)])
            #expect(try names("path:Documents/\(deep)").count == 1)
            #expect(try names("path:Documents/**/d*").count == 14)
        }
    }
}
