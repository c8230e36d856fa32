import Foundation
import TestSupport
import Testing

@Suite("Blocking calls and their async versions", .needs(.externalProgram)) struct AsyncVersionsTests {
    /// Calls that do not use the disk and need no async version.
    private static let inMemory: Set<String> = [
        "Container.path(_:)", "Container.url(for:)", "Container.path(for:)",
        "ContainerPath.validated()", "ContainerPath.init(from:)", "ContainerPath.encode(to:)",
        "Container.preferences(suite:)", "ContainerLock.release()", "ContainerPath.database(named:)",
        "ContainerPath.appending(_:)",
        "ContentKind.path(named:)", "ContentKind.provenance(expires:)",
        "Overwrite.replacing(symbolicLink:hardLink:specialFile:)",
        "Preferences.register(defaults:)", "Preferences.register(launchArguments:)", "Preferences.changes(of:)",
        "Preferences.observe(_:_:)", "Preferences.observeErrors(_:)", "PreferenceChanges.makeAsyncIterator()",
        "PreferenceChanges.dropFirst(_:)", "PreferenceChanges.prefix(_:)",
        "PreferencesObservation.cancel()", "Provenance.derived(from:expires:)",
        "Provenance.downloaded(from:expires:)", "SaveBatch.save(_:to:overwrite:provenance:fileID:line:)",
        "SaveBatch.save(_:to:overwrite:provenance:limits:fileID:line:)", "ContainerChanges.makeAsyncIterator()",
        "Reader.Lines.makeAsyncIterator()",
        // Inherited from AsyncSequence; they use nothing before the iteration.
        "ContainerChanges.dropFirst(_:)", "ContainerChanges.prefix(_:)", "Reader.Lines.dropFirst(_:)",
        "Reader.Lines.prefix(_:)",
        "SaveBatch.save(_:to:encoding:overwrite:provenance:fileID:line:)",
        "SaveBatch.save(_:to:encoder:overwrite:provenance:limits:fileID:line:)",
        // An edit exists only within a change, whose closure is not async.
        "PreferencesEdit.value(forKey:)", "PreferencesEdit.set(_:forKey:)", "PreferencesEdit.removeValue(forKey:)",
        "PreferencesEdit.value(for:)", "PreferencesEdit.set(_:for:)", "PreferencesEdit.isSet(_:)",
        "PreferencesEdit.remove(_:)", "PreferencesEdit.removeAll()",
        // Calls that the library makes to a coder.
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
        "Each call that uses the disk has an async version, so that no blocking call is chosen silently in an async context",
        .enabled(
            if: (try? Command("which", ["swift-symbolgraph-extract"]).code) == 0,
            "needs swift-symbolgraph-extract, which comes with Swift's toolchains"))
    func versions() throws {
        // A simulated device is used in tests, and the macro's calls work in memory.
        let libraries = SymbolGraph.libraries.filter { $0 != "AutoArchived" && $0 != "ContainerLifecycle" }
        let symbols = try SymbolGraph.symbols(of: libraries)
        let calls = Dictionary(grouping: symbols.filter(Self.isCall), by: \.name)
        #expect(calls.count > 90)
        let missing = calls.filter { name, symbols in
            let awaited = symbols.count { $0.declaration.contains(" async") }
            return !Self.inMemory.contains(name) && awaited * 2 < symbols.count
        }
        #expect(missing.keys.sorted() == [], "these have no async version")
        #expect(Self.inMemory.subtracting(calls.keys) == [], "these are not calls of the libraries any more")
    }
}
