@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
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

    @Test("For an app whose identifier is unknown, a general name in any directory is no file of an SDK")
    func unknownIdentifier() throws {
        func names(_ path: String, _ identifier: String?) throws -> Set<String> {
            try Set(
                Catalogue.embedded().registry(bundleIdentifier: identifier).entries
                    .filter { $0.path.matches(Array("Library/Application Support/\(path)".utf8)) }.map(\.sdk))
        }
        let mapbox: Set<String> = ["MapLibre Native and Mapbox GL"]
        #expect(try names("com.example.app/cache.db", "com.example.app") == mapbox)
        #expect(try names("data_beta.example.cloud/cache.db", nil) == [])
        #expect(try names("data_beta.example.cloud/cache.db", "com.example.app") == [])
        #expect(try names("com.example.app/.mapbox/cache.db", nil) == mapbox)
    }

    @Test("An unknown kind of evidence is refused")
    func unknownEvidence() {
        #expect(throws: SourceError.self) {
            try Registry.entries(YAMLValue(file: "example.yml", text: Self.file(verified: "rumor")))
        }
    }
}

@Suite("Positions of the registry's patterns") struct RegistryPositionTests {
    @Test("The positions of a run are shared by directories, and end with the run")
    func shared() throws {
        weak var first: RegistryPositions?
        try {
            let positions = RegistryPositions(try Catalogue.embedded().registry(bundleIdentifier: "com.example.app"))
            first = positions
            func position(_ path: String) -> RegistryPosition {
                path.split(separator: "/").reduce(positions.root) { position, name in
                    Array(name.utf8).withUnsafeBytes { position.entering($0, positions: positions) }
                }
            }
            #expect(position("Library/Caches") === position("Library/Caches"))
            #expect(position("Documents/a/b") === position("Documents/c/d"))
            #expect(position("Library/Caches") !== position("Documents"))
        }()
        #expect(first == nil)
    }
}
