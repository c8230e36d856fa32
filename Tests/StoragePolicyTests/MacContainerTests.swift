import AppContainer
import Foundation
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
            let script = """
                set -e
                mkdir -p com.example.app/Data/{Documents,tmp,SystemData} com.example.app/Data/Library/{Preferences,Caches}
                cp note/.com.apple.mobile_container_manager.metadata.plist \
                  com.example.app/.com.apple.containermanagerd.metadata.plist
                cd com.example.app/Data
                for name in Desktop Downloads Movies Music Pictures; do ln -s ../../../../$name $name; done
                ln -s ../../../../Fonts Library/Fonts
                ln -s ../../../../../Preferences/.GlobalPreferences.plist Library/Preferences/.GlobalPreferences.plist
                echo 'Dear reader' > Documents/letter.txt
                """
            let made = try Command("bash", ["-c", script], in: scratch)
            #expect(made.code == 0, "\(made.errors)")
            try body(scratch.appending(path: "com.example.app"))
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
            let script = "mkdir -p plain/Data/things linked real/Documents; ln -s ../real linked/Data"
            #expect(try Command("bash", ["-c", script], in: scratch).code == 0)
            for name in ["plain", "linked"] {
                let error = #expect(throws: ContainerError.self) {
                    try Container.open(FilePath(scratch.appending(path: name).path))
                }
                #expect(error?.code == .notAContainer)
            }
        }
    }
}
