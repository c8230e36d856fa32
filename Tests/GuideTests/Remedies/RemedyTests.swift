import Foundation
import StoragePolicy
import TestSupport
import Testing

@Suite("Swift code in the advice of the rules") struct RemedyTests {
    /// Frameworks that neither Linux nor the declarations of Apple's systems have, with the reason.
    private static let uncompiled = ["RealmSwift": "a package of another maker, which this package does not depend on"]

    /// The code of every remedy of this build, by the name of the remedy and the module.
    static var shown: [Snippet] {
        SwiftRemedy.builtIn.flatMap { name, remedy in
            remedy.codes.map {
                Snippet(file: "\(name)/\($0.module)", line: 1, lines: $0.text.components(separatedBy: "\n"))
            }
        }
    }

    @Test("A remedy has the code of Apple's frameworks first, and this package's beside it")
    func order() {
        let ours = [
            "AppContainer", "ContainerArchives", "ContainerDatabases", "ContainerPreferences",
        ]
        for (name, remedy) in SwiftRemedy.builtIn {
            let modules = remedy.codes.map(\.module)
            #expect(modules.count <= 2 && modules.dropFirst().allSatisfy(ours.contains), "\(name)")
        }
        let alone = SwiftRemedy.builtIn.filter { $0.value.codes.count == 1 }.map(\.key).sorted()
        #expect(
            alone == [
                // Apple's frameworks alone: no file of the container, or one that this package does not write.
                "cover-content", "delete-managed-objects", "delete-realm", "disable-url-cache", "limit-url-cache",
                "link-relatively", "move-core-data", "move-database", "remove-origin",
                // This package alone.
                "remove-suppression",
                "store-in-keychain", "store-portable-key", "suppress", "sweep-leftovers",
            ])
    }

    @Test("Every framework of a remedy is compiled here or for Apple's systems, or listed with the reason")
    func compiled() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let script = try String(contentsOf: root.appending(path: "scripts/check-darwin-swift"), encoding: .utf8)
        #expect(script.contains("Tests/GuideTests/Remedies") && script.contains("AppleRemedies*.swift"))
        let stubs = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Tests/Darwin/Stubs").path)
        let apple = Set(SwiftRemedy.builtIn.values.flatMap(\.codes).map(\.module)).filter {
            !$0.hasPrefix("AppContainer") && !$0.hasPrefix("Container")
        }
        #expect(apple.count > 5)
        for module in apple where Self.uncompiled[module] == nil {
            #expect(stubs.contains("\(module).swift") || stubs.contains(module), "\(module)")
        }
    }
}
