import Foundation
import TestSupport
import Testing

@Suite("Calls that wait, and their versions to be awaited") struct AsyncVersionsTests {
    /// Calls that leave the disk alone, which an async context may use as they are.
    private static let inMemory: Set<String> = [
        "Container.path(_:)", "Container.url(_:)", "Container.preferences(suite:)", "ContainerLock.release()",
        "ContainerPath.init(_:)", "ContainerPath.init(_:_:namespaced:)", "ContainerPath.appending(_:)",
        "ContainerPath.documents(_:)", "ContainerPath.applicationSupport(_:)", "ContainerPath.caches(_:)",
        "ContainerPath.library(_:)", "ContainerPath.preferences(_:)", "ContainerPath.temporary(_:)",
        "ContentKind.place(named:)", "ContentKind.provenance(expires:)",
        "Overwrite.replacing(symbolicLink:hardLink:specialFile:)",
        "Preferences.register(defaults:)", "PreferencesObservation.cancel()", "Provenance.derived(from:expires:)",
        "Provenance.downloaded(from:expires:)", "SaveBatch.save(_:to:overwrite:provenance:fileID:line:)",
        "SaveBatch.save(_:to:encoding:overwrite:provenance:fileID:line:)",
        "SaveBatch.save(_:to:encoder:overwrite:provenance:limits:fileID:line:)",
        // An edit exists only within a change, whose closure is no async context.
        "PreferencesEdit.value(forKey:)", "PreferencesEdit.set(_:forKey:)", "PreferencesEdit.removeValue(forKey:)",
        // What a coder is asked for by the library.
        "ValueEncoder.encode(_:)", "ValueDecoder.decode(_:from:)",
    ]

    private static func isCall(_ symbol: SymbolGraph.Symbol) -> Bool {
        switch symbol.kind.identifier {
        case "swift.method", "swift.type.method", "swift.func": !symbol.pathComponents.contains("hash(into:)")
        case "swift.init", "swift.property", "swift.type.property", "swift.subscript":
            symbol.declaration.contains("throws")
        default: false
        }
    }

    @Test(
        "No call that touches the disk can be picked silently in an async context: each has a version to be awaited",
        .enabled(
            if: (try? Command("which", ["swift-symbolgraph-extract"]).code) == 0,
            "needs swift-symbolgraph-extract, which comes with Swift's toolchains"))
    func versions() throws {
        let symbols = try SymbolGraph.symbols(of: ["AppContainer", "ContainerArchives", "ContainerPreferences"])
        let calls = Dictionary(grouping: symbols.filter(Self.isCall), by: \.name)
        #expect(calls.count > 90)
        let missing = calls.filter { name, symbols in
            let awaited = symbols.count { $0.declaration.contains(" async") }
            return !Self.inMemory.contains(name) && awaited * 2 < symbols.count
        }
        #expect(missing.keys.sorted() == [], "these have no async version")
        #expect(Self.inMemory.subtracting(calls.keys) == [], "these are no calls of the library any more")
    }
}
