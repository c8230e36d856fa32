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

@Suite("The container of a macOS app") struct MacContainerTests {
    /// Makes `com.example.app` as macOS does: Data with links to the user's folders, and beside it the note of whose it is.
    private func withMacContainer(_ body: (URL) throws -> Void) throws {
        try withScratch { scratch throws in
            let note = scratch.appending(path: "note")
            _ = try Container.create(at: FilePath(note.path), bundleIdentifier: "com.example.app")
            let app = scratch.appending(path: "com.example.app")
            try app.makeDirectories("Data/tmp", "Data/SystemData", "Data/Library/Preferences", "Data/Library/Caches")
            try FileManager.default.copyItem(
                at: note.appending(path: ".com.apple.mobile_container_manager.metadata.plist"),
                to: app.appending(path: ".com.apple.containermanagerd.metadata.plist"))
            for name in ["Desktop", "Downloads", "Movies", "Music", "Pictures"] {
                try app.makeLink("Data/\(name)", to: "../../../../\(name)")
            }
            try app.makeLink("Data/Library/Fonts", to: "../../../../Fonts")
            let preferences = "Preferences/.GlobalPreferences.plist"
            try app.makeLink("Data/Library/\(preferences)", to: "../../../../../\(preferences)")
            try app.write("Dear reader\n", to: "Data/Documents/letter.txt")
            try body(app)
        }
    }

    @Test("is opened at Data, and the metadata beside Data identifies it")
    func opened() throws {
        try withMacContainer { folder throws in
            let container = try Container.open(FilePath(folder.path))
            #expect(container.location == FilePath(folder.path).appending("Data"))
            #expect(container.bundleIdentifier == "com.example.app")
        }
    }

    @Test("has no unknown root entries: neither Data nor the links to the user's folders")
    func clean() throws {
        try withMacContainer { folder throws in
            let container = try Container.open(FilePath(folder.path))
            let report = try Linter(catalogue: .embedded(), threads: 1).lint(container)
            #expect(report.isComplete)
            let found = report.findings.filter { [.layout, .portability].contains($0.rule.group) }
            #expect(found.map(\.rule.id) == [])
        }
    }

    @Test("is not recognized without the container's directories in Data, or if Data is a link")
    func refused() throws {
        try withScratch { scratch throws in
            try scratch.makeDirectories("plain/Data/things", "linked", "real/Documents")
            try scratch.makeLink("linked/Data", to: "../real")
            for name in ["plain", "linked"] {
                let error = #expect(throws: ContainerError.self) {
                    try Container.open(FilePath(scratch.appending(path: name).path))
                }
                #expect(error?.code == .notAContainer)
            }
        }
    }
}
