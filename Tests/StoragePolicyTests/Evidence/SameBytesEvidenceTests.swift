import AppContainer
import ContainerTree
import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("SameBytesEvidence") struct SameBytesEvidenceTests {
    /// Content of 1,000 bytes that only equal numbers have alike.
    private func content(_ number: Int) -> Data {
        Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* number &+ number) })
    }

    private func withBundle<Result>(_ body: (URL, AppBundle) throws -> Result) throws -> Result {
        try withScratch { folder throws in
            let app = folder.appending(path: "Reader.app")
            try FileManager.default.createDirectory(
                at: app.appending(path: "Assets"), withIntermediateDirectories: true)
            let list = ["CFBundleIdentifier": "com.example.app", "CFBundlePackageType": "APPL"]
            try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
                .write(to: app.appending(path: "Info.plist"))
            return try body(app, try AppBundle(at: FilePath(app.path)))
        }
    }

    @Test("A file that is also in the app bundle has evidence for, whatever its name")
    func bundle() throws {
        try withBundle { app, bundle throws in
            try content(1).write(to: app.appending(path: "Assets/seed.bin"))
            try Data([1, 2]).write(to: app.appending(path: "Assets/small.bin"))
            try withEvidence { fixture throws in
                try fixture.write("Documents/one/unzipped.bin", content(1))
                try fixture.write("Documents/two/own.bin", content(2))
                try fixture.write("Documents/three/small.bin", Data([1, 2]))
                let with = try fixture.findings(app: bundle)
                #expect(with.map(\.displayPath) == ["Documents/one/unzipped.bin"])
                #expect(with[0].evidence.contains { $0.value == "the app bundle contains a file with equal content" })
                #expect(with[0].severity < .error)
                #expect(try fixture.findings().isEmpty)
            }
        }
    }

    @Test("The bundle of another app is not evidence")
    func otherApp() throws {
        try withBundle { app, bundle throws in
            try content(1).write(to: app.appending(path: "Assets/seed.bin"))
            try withEvidence("org.other.app") { fixture throws in
                try fixture.write("Documents/one/unzipped.bin", content(1))
                #expect(try fixture.findings(app: bundle).isEmpty)
            }
        }
    }

    @Test("Equal files of two users of an app are evidence for; two containers of one account are not evidence")
    func otherUser() throws {
        func found(alike: Int, apart: Int) throws -> [Bool] {
            try withEvidence { first throws in
                try withEvidence { second throws in
                    for number in 0..<(alike + apart) {
                        let path = "Documents/\(number)/file.bin"
                        try first.write(path, content(number))
                        try second.write(path, content(number < alike ? number : number + 1_000))
                    }
                    let linter = try Linter()
                    let references = linter.references(
                        for: first.container, nil, others: [first.container, second.container])
                    #expect(references.count == 1)
                    var directories = try EvidenceVisitor.directories(of: first.container).values.filter {
                        $0.location == .documents
                    }
                    for index in directories.indices { directories[index].finish() }
                    let evidence = try SameBytesEvidence(
                        directories, of: DirectoryTree(first.container), in: references)
                    return (0..<(alike + apart)).map { number in
                        let directory = directories.first { $0.path == Array("Documents/\(number)".utf8) }
                        return directory.map { !evidence.pieces(on: $0.groups[0], in: $0).isEmpty } ?? false
                    }
                }
            }
        }
        #expect(try found(alike: 3, apart: 7) == (0..<10).map { $0 < 3 })
        #expect(try found(alike: 9, apart: 1) == (0..<10).map { $0 < 9 })
        // More than nine in ten: the same account.
        #expect(try found(alike: 19, apart: 1).allSatisfy { !$0 })
        #expect(try found(alike: 30, apart: 10) == (0..<40).map { $0 < 30 })
        #expect(try found(alike: 2, apart: 0).allSatisfy { !$0 })
    }

    @Test("Files beyond the limit of bytes are not compared, which is reported")
    func cut() throws {
        try withEvidence { first throws in
            try withEvidence { second throws in
                for number in 0..<4 {
                    for fixture in [first, second] { try fixture.write("Documents/\(number)/f.bin", content(number)) }
                }
                var directories = try EvidenceVisitor.directories(of: first.container).values.filter {
                    $0.location == .documents
                }
                for index in directories.indices { directories[index].finish() }
                let reference = ReferenceTree(.app, tree: DirectoryTree(second.container))
                let tree = DirectoryTree(first.container)
                var limits = SameBytesEvidence.Limits()
                #expect(try !SameBytesEvidence(directories, of: tree, in: [reference], limits: limits).isCut)
                limits.allBytes = 7_500
                #expect(try SameBytesEvidence(directories, of: tree, in: [reference], limits: limits).isCut)
            }
        }
    }

    @Test(
        "A path that is not an app bundle is refused with a reason",
        arguments: [
            nil, "CFBundleIdentifier: 5", "not a list",
            #"{"CFBundleIdentifier": "com.example.app", "CFBundlePackageType": "FMWK"}"#,
            #"{"CFBundleIdentifier": "../x"}"#,
        ])
    func noBundle(list: String?) throws {
        try withScratch { folder throws in
            if let list {
                var data = Data(list.utf8)
                if let object = try? JSONSerialization.jsonObject(with: data) {
                    data = try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0)
                }
                try data.write(to: folder.appending(path: "Info.plist"))
            }
            let error = #expect(throws: ContainerError.self) { try AppBundle(at: FilePath(folder.path)) }
            #expect(error?.code == .notAContainer && error?.description.contains("is not an app bundle") == true)
        }
    }

    @Test("On macOS the property list of a bundle is in Contents; a missing path is not found")
    func macOS() throws {
        try withScratch { folder throws in
            let contents = folder.appending(path: "Contents")
            try FileManager.default.createDirectory(at: contents, withIntermediateDirectories: true)
            try PropertyListSerialization.data(
                fromPropertyList: ["CFBundleIdentifier": "com.example.app"], format: .xml, options: 0
            ).write(to: contents.appending(path: "Info.plist"))
            #expect(try AppBundle(at: FilePath(folder.path)).bundleIdentifier == "com.example.app")
            let error = #expect(throws: ContainerError.self) { try AppBundle(at: FilePath(folder.path + "/none")) }
            #expect(error?.code == .notFound)
        }
    }
}
