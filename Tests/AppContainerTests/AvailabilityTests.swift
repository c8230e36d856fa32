import Foundation
import TestSupport
import Testing

/// The systems that parts of the libraries need, apart from the minimum systems of the package.
///
/// `scripts/check-darwin-swift` compiles everything for the minimum systems, so that a part without an attribute needs no others.
@Suite("Availability") struct AvailabilityTests {
    /// An attribute with versions, and the declaration that follows.
    private struct Attribute {
        let versions: [String: Double]
        let isPublic: Bool
        let declaration: String
    }

    /// Returns the attributes with versions in source code.
    private static func attributes(in code: String) -> [Attribute] {
        code.matches(of: /@available\(\s*([A-Za-z]+ \d[^)]*)\)\s*((?:@[^\n]+\s*)*)([^\n]+)/).map { match in
            let pairs = match.1.split(separator: ",").compactMap { part -> (String, Double)? in
                let words = part.split(separator: " ")
                guard words.count == 2, let version = Double(words[1]) else { return nil }
                return (String(words[0]), version)
            }
            return Attribute(
                versions: Dictionary(pairs) { $1 }, isPublic: match.3.contains("public "),
                declaration: String(match.3))
        }
    }

    @Test("Each attribute names macOS and iOS, with versions after the minimum, and ends with all others")
    func versions() throws {
        let root = DocumentationPage.root
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let minimum = try #require(manifest.firstMatch(of: /\.macOS\(\.v(\d+)\), \.iOS\(\.v(\d+)\)/))
        let (macOS, iOS) = (try #require(Double(minimum.1)), try #require(Double(minimum.2)))
        let sources = root.appending(path: "Sources")
        var (found, open): ([Attribute], [String]) = ([], [])
        for name in try FileManager.default.subpathsOfDirectory(atPath: sources.path) where name.hasSuffix(".swift") {
            let code = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            for attribute in Self.attributes(in: code) {
                found.append(attribute)
                #expect(attribute.versions["macOS"] ?? 0 > macOS, "\(name): \(attribute.declaration)")
                #expect(attribute.versions["iOS"] ?? 0 > iOS, "\(name): \(attribute.declaration)")
                if attribute.isPublic { open.append(attribute.declaration) }
            }
        }
        #expect(found.count >= 2)
        // An app for the minimum systems cannot use these.
        let names = ["class ObservablePreference", "func next(isolation", "struct FileState", "struct PreferenceState"]
        #expect(open.count == names.count, "\(open)")
        for name in names { #expect(open.contains { $0.contains(name) }, "\(name): \(open)") }
    }

    @Test("An attribute is read with its declaration")
    func reading() throws {
        let code =
            "@available(macOS 14.0, iOS 17.0, *)\n@MainActor\npublic final class A {}\n@available(*, deprecated)\nfunc b()"
        let found = Self.attributes(in: code)
        #expect(found.map(\.versions) == [["macOS": 14, "iOS": 17]])
        #expect(found.first?.isPublic == true && found.first?.declaration == "public final class A {}")
    }
}
