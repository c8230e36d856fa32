import AppContainer
import ContainerArchives
import ContainerPreferences
import Foundation
import TestSupport
import Testing

@Suite("Errors in Foundation") struct FoundationErrorsTests {
    /// Returns errors of each public type, with the path that their text must contain.
    private func errors() throws -> [(error: any Error & CustomStringConvertible, path: String)] {
        var errors: [(error: any Error & CustomStringConvertible, path: String)] = []
        func note(_ path: String, _ body: () throws -> Void) {
            do { try body() } catch let error as any Error & CustomStringConvertible {
                errors.append((error, path))
            } catch { Issue.record(error) }
        }
        try withContainer { container throws in
            try container.save("x", to: .documents / "a")
            try container.save("x", to: .preferences / "com.example.app.plist")
            note("Documents/none") { _ = try container.load(.documents / "none") }
            note("Documents/a") { try container.save("x", to: .documents / "a", options: .init(overwrite: .never)) }
            note("Documents/a") { _ = try container.unarchive(NSArray.self, from: .documents / "a") }
            note("Documents/none") { _ = try container.unarchive(NSArray.self, from: .documents / "none") }
            note("Preferences") { _ = try container.preferences().bool(forKey: "a") }
            note("a/b") { _ = try container.preferences(suite: "a/b") }
            note("Documents/a") {
                try container.batch { batch in
                    try batch.save("y", to: .documents / "a", options: .init(overwrite: .never))
                }
            }
        }
        return errors
    }

    @Test("localizedDescription is the description of the error")
    func sentence() throws {
        let errors = try errors()
        #expect(errors.count == 7)
        for (error, path) in errors {
            #expect(error.localizedDescription == error.description)
            #expect((error as NSError).localizedDescription == error.description)
            #expect(error.localizedDescription.contains(path))
        }
    }

    @Test("As an NSError, each code has its own number and each type its own domain")
    func numbers() throws {
        let errors = try errors().map { $0.error as NSError }
        #expect(Set(errors.map { "\($0.domain) \($0.code)" }).count == errors.count)
        #expect(
            Set(errors.map(\.domain)) == [
                "AppContainer.ContainerError", "AppContainer.ArchiveError", "AppContainer.PreferencesError",
                "AppContainer.BatchError",
            ])
    }

    @Test("The error number of the kernel and the path are included")
    func userInfo() throws {
        let missing = try #require(try errors().first?.error) as NSError
        #expect(missing.userInfo[NSFilePathErrorKey] as? String == "Documents/none")
        let underlying = missing.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(underlying?.domain == NSPOSIXErrorDomain && underlying?.code == Int(ENOENT))
    }

    @Test("No public error of the libraries is missing")
    func complete() throws {
        let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        var (errors, seen): (Set<String>, Set<String>) = ([], [])
        for library in [
            "AppContainer", "ContainerArchives", "ContainerPreferences", "PolicyFixes", "PolicyRecords", "PolicyTexts",
            "PolicyValues",
            "StoragePolicy", "StoragePolicyTesting",
        ] {
            let files = FileManager.default.enumerator(atPath: sources.appending(path: library).path)
            for case let file as String in try #require(files) where file.hasSuffix(".swift") {
                let text = try String(contentsOf: sources.appending(path: "\(library)/\(file)"), encoding: .utf8)
                errors.formUnion(
                    text.matches(of: /public (?:struct|enum|final class) (\w+): (?:\w+, )*Error\b/).map { String($0.1) }
                )
                seen.formUnion(
                    text.matches(of: /extension (\w+): (?:LocalizedError, CustomNSError|_StorageError, StatedError)/)
                        .map { String($0.1) })
            }
        }
        #expect(errors.count > 6 && errors == seen)
    }
}
