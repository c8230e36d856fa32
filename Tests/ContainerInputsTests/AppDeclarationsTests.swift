import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("The Info.plist of --app", .timeLimit(.minutes(60))) struct AppDeclarationsTests {
    private static let rule = "internals-in-shared-documents"

    /// Lints a container with a database in Documents.
    private func finds(_ info: [String: Any], _ arguments: String..., owner: String = "com.example.reader") throws
        -> Bool
    {
        var isFound = false
        try withInputScene { scene throws in
            let container = try scene.make("c", owner)
            try container.save(
                Data("SQLite format 3\u{0}".utf8) + Data(count: 4_096), to: .documents / "books.sqlite",
                options: .init(durability: .none))
            try scene.write(
                info.merging(["CFBundleIdentifier": "com.example.reader"]) { $1 }, to: "Reader.app/Info.plist")
            let run = try sandboxlint(
                ["lint", "c", "--app", "Reader.app", "--select", Self.rule, "--format", "json"] + arguments,
                in: scene.folder)
            isFound = try !Report(run).findings.isEmpty
        }
        return isFound
    }

    private static let shared = ["UIFileSharingEnabled": true, "LSSupportsOpeningDocumentsInPlace": true]

    @Test("Documents is shared if the app declares it, and the configuration takes precedence")
    func sharing() throws {
        #expect(try finds(Self.shared))
        #expect(try finds(["UISupportsDocumentBrowser": true]))
        #expect(try !finds(["UIFileSharingEnabled": true]))
        #expect(try !finds([:]))
        #expect(try !finds(Self.shared, "--set", "shares-documents=false"))
        #expect(try !finds(Self.shared, owner: "org.example.other"))
    }

    @Test("Document types are those of CFBundleDocumentTypes, by extension and by type identifier")
    func types() throws {
        var info: [String: Any] = Self.shared
        info["CFBundleDocumentTypes"] = [["CFBundleTypeExtensions": ["SQLite"]]]
        #expect(try !finds(info))
        info["CFBundleDocumentTypes"] = [["LSItemContentTypes": ["com.example.books"]]]
        #expect(try finds(info))
        for specification in ["sqlite", ["db", "sqlite"]] as [Any] {
            info["UTExportedTypeDeclarations"] = [
                [
                    "UTTypeIdentifier": "com.example.books",
                    "UTTypeTagSpecification": ["public.filename-extension": specification],
                ]
            ]
            #expect(try !finds(info))
        }
        for broken in ["text", [["CFBundleTypeExtensions": 3]], [[1, 2]], [["LSItemContentTypes": "x"]]] as [Any] {
            info["CFBundleDocumentTypes"] = broken
            #expect(try finds(info))
        }
    }
}
