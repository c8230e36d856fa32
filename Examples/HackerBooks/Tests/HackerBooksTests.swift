import AppContainer
import ContainerArchives
import Foundation
import StoragePolicy
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

@testable import HackerBooks

@Suite("HackerBooks") struct HackerBooksTests {
    private func withContainer(_ body: (Container) throws -> Void) throws {
        try withScratch { folder throws in
            try body(
                Container.create(
                    at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.HackerBooks"))
        }
    }

    @Test("The app as written saves its covers in Documents, and the finding has the line of code that saved them")
    func asWritten() throws {
        try withContainer { container throws in
            try BooksAsWritten(in: container).run()
            let findings = try Linter().lint(container).findings
            #expect(Set(findings.map(\.rule.id)) == ["regenerable-in-documents"])
            #expect(findings.count == 9)
            #expect(Set(findings.map { $0.source?.fileID }) == ["HackerBooks/BooksAsWritten.swift"])
        }
    }

    @Test("The compliant app has no findings after its first session")
    func compliant() throws {
        try withContainer { container throws in
            let app = try CompliantBooks(in: container)
            try app.launch()
            try app.setFavorite(true, title: "SICP")
            _ = try app.pdf(of: "Pro Git")
            expectCompliant(container, failOn: .note)
            #expect(try Linter().lint(container).findings.isEmpty)
        }
    }

    @Test("Favorites survive the next launch, and the list is downloaded once")
    func favorites() throws {
        try withContainer { container throws in
            try CompliantBooks(in: container).launch()
            try CompliantBooks(in: container).setFavorite(true, title: "Pro Git")
            let later = try CompliantBooks(in: container)
            try later.launch()
            #expect(try later.library().favorites.map(\.title) == ["Pro Git"])
            #expect(try later.library().books.count == 8)
        }
    }

    @Test("Everything that the system deletes from Caches is downloaded again, and the favorites remain")
    func purge() throws {
        try withContainer { container throws in
            let app = try CompliantBooks(in: container)
            try app.launch()
            try app.setFavorite(true, title: "SICP")
            let (cover, pdf) = (try app.cover(of: "SICP"), try app.pdf(of: "SICP"))
            try container.removeAll(in: .caches)
            #expect(try app.cover(of: "SICP") == cover)
            #expect(try app.pdf(of: "SICP") == pdf)
            #expect(try app.library().favorites.map(\.title) == ["SICP"])
        }
    }

    @Test("A damaged library is an error, and its file remains for a repair")
    func damaged() throws {
        try withContainer { container throws in
            let app = try CompliantBooks(in: container)
            try app.launch()
            try container.save("not an archive", to: CompliantBooks.archive)
            let error = #expect(throws: ArchiveError.self) { try app.setFavorite(true, title: "SICP") }
            #expect(error?.code == .notAnArchive)
            #expect(error?.description.contains("The file is unchanged.") == true)
            #expect(try container.load(CompliantBooks.archive) == Data("not an archive".utf8))
        }
    }
}
