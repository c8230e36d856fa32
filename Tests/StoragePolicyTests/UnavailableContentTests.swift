import AppContainer
import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Preferences whose content is not available") struct UnavailableContentTests {
    /// Lints a container that has one file of preferences with this content.
    private func lint(_ content: [UInt8], _ name: String = "com.example.app.plist") throws -> LintReport {
        try withScratch { scratch throws in
            let folder = scratch.appending(path: "c")
            let container = try Container.create(at: FilePath(folder.path), bundleIdentifier: "com.example.app")
            try Data(content).write(to: folder.appending(path: "Library/Preferences/\(name)"))
            return try Linter(catalogue: .embedded(), threads: 1).lint(container)
        }
    }

    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    @Test("are an incident, not a finding, if they are all zeros", arguments: [64, 1000, 10_000])
    func zeros(size: Int) throws {
        let report = try lint([UInt8](repeating: 0, count: size))
        #expect(report.incidents.map(\.reason.rawValue) == ["content-missing"])
        #expect(report.incidents.map(\.displayPath) == ["Library/Preferences/com.example.app.plist"])
        #expect(!report.findings.contains { $0.displayPath.hasPrefix("Library/Preferences/") })
    }

    @Test("are an incident, not a finding, if they are encrypted", arguments: [200, 5000])
    func encrypted(size: Int) throws {
        let report = try lint(Self.noise(size))
        #expect(report.incidents.map(\.reason.rawValue) == ["content-encrypted"])
        #expect(!report.findings.contains { $0.displayPath.hasPrefix("Library/Preferences/") })
    }

    @Test(
        "are a finding if the content is present but not a property list",
        arguments: [
            Array("{\"theme\": \"dark\", \"size\": 12, \"font\": \"Georgia\", \"night\": true, \"page\": 314}".utf8),
            Array(Data(noise(300)).base64EncodedString().utf8), [0, 0, 0, 1],
        ])
    func present(content: [UInt8]) throws {
        let report = try lint(content)
        #expect(report.incidents.isEmpty)
        let rules = report.findings.filter { $0.displayPath.hasPrefix("Library/Preferences/") }.map(\.rule.id)
        #expect(Set(rules).isSuperset(of: ["non-plist-in-preferences", "preferences-unparsable"]))
    }
}
