import AppContainer
import ContainerPreferences
import Foundation
import StoragePolicy
import StoragePolicyTesting
import SystemPackage
import TestSupport
import Testing

@testable import Converter

@Suite("Converter") struct ConverterTests {
    private func withContainer(_ body: (Container) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sandboxlint-\(UUID().uuidString)")
        let container = try Container.create(
            at: FilePath(folder.path), bundleIdentifier: "com.example.Converter")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(container)
    }

    @Test(
        "The titles of the settings are in the user's language",
        arguments: [
            ("en", ["Symbol of the unit", "Feet", "Decimals"]),
            ("pt", ["Símbolo da unidade", "Pés", "Casas decimais"]),
        ])
    func titles(language: String, titles: [String]) async throws {
        try await withContainer { container in
            let app = try Converter(in: container, language: language)
            let shown = app.settings.filter { !$0.key.isEmpty }
            #expect(shown.map(\.key) == ["unit", "imperial", "decimals"])
            #expect(shown.map(\.title) == titles)
            #expect(shown.map(\.kind) == [.textField, .toggleSwitch, .slider])
        }
    }

    @Test("A value that is not set has the default of the settings bundle, which is not stored")
    func defaults() async throws {
        try await withContainer { container in
            let app = try Converter(in: container)
            #expect(try app.convert(1) == "1.000 m")
            #expect(try !app.preferences.isSet(.decimals))
            #expect(try !container.exists(.preferences / "com.example.Converter.plist"))
        }
    }

    @Test("A change is saved and reported to its observers, and the container has no findings")
    func changes() async throws {
        try await withContainer { container in
            let app = try Converter(in: container)
            var changes = app.preferences.changes(of: .isImperial).makeAsyncIterator()
            try app.preferences.set(true, for: .isImperial)
            let change = await changes.next()
            #expect(change?.old == false && change?.new == true)
            #expect(try app.convert(0.3048) == "1.000 ft")
            #expect(try Converter(in: container).convert(0.3048) == "1.000 ft")
            expectCompliant(container, failOn: .note)
        }
    }

    @Test("A setting of another type is an error with its key, and nothing is lost")
    func wrongType() async throws {
        try await withContainer { container in
            let app = try Converter(in: container)
            try app.preferences.set("two", forKey: "decimals")
            let error = #expect(throws: PreferencesError.self) { _ = try app.convert(1) }
            #expect(error?.code == .wrongType)
            #expect(error?.description.contains("decimals") == true)
            #expect(try app.preferences.string(forKey: "decimals") == "two")
            // The remedy: the user selects a value again.
            try app.preferences.remove(.decimals)
            #expect(try app.convert(1) == "1.000 m")
        }
    }
}
