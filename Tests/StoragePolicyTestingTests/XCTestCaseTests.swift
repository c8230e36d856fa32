import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

/// On Linux, XCTest cannot inspect its own failures, so another process fails and its output is read.
@Suite(
    "expectCompliant in an XCTestCase", .needs(.process), .enabled(if: CommandLine.arguments[0].hasSuffix(".xctest")))
struct XCTestCaseTests {
    private func run(_ test: String) throws -> Command {
        try withScratch { folder throws in
            let container = try Container.create(
                at: FilePath(folder.appending(path: "bad").path), bundleIdentifier: "com.example.app")
            let url = try #require(URL(string: "https://example.com/a.jpg"))
            try container.save(
                Data([0xff, 0xd8]), to: .documents / "a.jpg", options: .init(provenance: .downloaded(from: url)))
            return try Command(
                CommandLine.arguments[0], ["StoragePolicyTestingTests.SceneXCTests/\(test)"],
                environment: ["SANDBOXLINT_SCENE": container.location.string])
        }
    }

    @Test("A finding fails the test at the caller's line")
    func method() throws {
        let run = try run("testMethod")
        #expect(run.code == 1)
        let line = SceneXCTests.expected.method
        #expect(run.text.contains("SceneXCTests.swift:\(line): error: SceneXCTests.testMethod : "), "\(run.text)")
        #expect(run.text.contains("after the first run\nerror[regenerable-in-documents]: "))
        #expect(run.text.contains("with 1 failure "))
    }

    @Test("A directory that is not a container fails the test")
    func directory() throws {
        let run = try run("testDirectory")
        #expect(run.code == 1)
        let line = SceneXCTests.expected.directory
        #expect(run.text.contains("SceneXCTests.swift:\(line): error: SceneXCTests.testDirectory : "), "\(run.text)")
        #expect(run.text.contains("is not an app container"))
    }

    @Test("A call outside a method of a test case fails the test, with its location")
    func function() throws {
        let run = try run("testFunction")
        #expect(run.code == 1)
        #expect(run.text.contains("error[regenerable-in-documents]: "), "\(run.text)")
        #expect(run.text.contains("\nat SceneXCTests.swift:35:"), "\(run.text)")
    }

    @Test("A container without findings passes")
    func good() throws {
        let run = try run("testGood")
        #expect(run.code == 0 && run.text.contains("with 0 failures"), "\(run.text)")
    }
}
