@testable import StoragePolicy
import Testing

@Suite("Registry files") struct RegistryFileTests {
    private static func file(verified: String) -> String {
        """
        sdk: Example
        summary: an example
        sources:
          - url: https://example.com
            shows: the path
        entries:
          - path: Library/example/**
            holds: diagnostics
            flagged: unknown
            verified: \(verified)
        """
    }

    @Test("An entry may be based on paths in the containers of several apps")
    func layouts() throws {
        let entries = try Registry.entries(YAMLValue(file: "example.yml", text: Self.file(verified: "layouts")))
        #expect(entries.map(\.verified) == [.layouts])
    }

    @Test("An unknown kind of evidence is refused")
    func unknownEvidence() {
        #expect(throws: SourceError.self) {
            try Registry.entries(YAMLValue(file: "example.yml", text: Self.file(verified: "rumor")))
        }
    }
}
