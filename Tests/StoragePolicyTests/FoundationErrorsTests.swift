import Foundation
import StoragePolicy
import TestSupport
import Testing

@Suite("Errors of rules and configurations in Foundation") struct FoundationErrorsTests {
    @Test("localizedDescription is the description of the error")
    func text() throws {
        try withScratch { folder throws in
            let file = folder.appending(path: "c.yml")
            try Data("strictt: true\n".utf8).write(to: file)
            let source = #expect(throws: SourceError.self) { _ = try Configuration.read(file.path) }
            let unreadable = #expect(throws: UnreadableSource.self) {
                _ = try Configuration.read(folder.appending(path: "none.yml").path)
            }
            let unknown = #expect(throws: UnknownRule.self) { _ = try Catalogue.embedded().rule("stale-tpm") }
            for error in [source, unreadable, unknown] as [(any Error & CustomStringConvertible)?] {
                let error = try #require(error)
                #expect(error.localizedDescription == error.description)
                #expect((error as NSError).localizedDescription == error.description)
                #expect((error as NSError).domain == "StoragePolicy.\(type(of: error))")
            }
        }
    }
}
