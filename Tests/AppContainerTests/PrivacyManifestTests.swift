import Foundation
import TestSupport
import Testing

/// The privacy manifests, without which an app that links the libraries cannot be uploaded.
///
/// Source: Apple, "Describing use of required reason API".
@Suite("Privacy manifests") struct PrivacyManifestTests {
    private static let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
    /// The calls of each category.
    private static let calls = [
        "FileTimestamp": #"\b(stat|fstat|fstatat|lstat|f?getattrlist(at|bulk)?)\(|creationDate|ModificationDate"#,
        "DiskSpace": #"\bf?stat(v)?fs\(|volumeAvailableCapacity|systemFreeSize"#,
        "UserDefaults": #"\b(NS)?UserDefaults\b"#,
        "SystemBootTime": #"\bsystemUptime\b|\bmach_absolute_time\("#,
        "ActiveKeyboards": #"\bactiveInputModes\b"#,
    ]
    /// The reasons that Apple accepts for each category in use.
    private static let reasons: [String: Set<String>] = [
        "FileTimestamp": ["DDA9.1", "C617.1", "3B52.1", "0A2A.1"],
        "DiskSpace": ["85F4.1", "E174.1", "7D9E.1", "B728.1"],
        "UserDefaults": ["CA92.1", "1C8F.1", "C56D.1", "AC6B.1"],
    ]

    private struct Manifest: Decodable {
        struct Access: Decodable {
            let NSPrivacyAccessedAPIType: String
            let NSPrivacyAccessedAPITypeReasons: [String]
        }
        let NSPrivacyTracking: Bool
        let NSPrivacyTrackingDomains: [String]
        let NSPrivacyCollectedDataTypes: [[String: String]]
        let NSPrivacyAccessedAPITypes: [Access]
    }

    /// Returns the categories of the calls in the sources of a target, without comments and the code for Linux.
    private func categories(in target: String) throws -> Set<String> {
        let folder = Self.root.appending(path: "Sources/\(target)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        var found: Set<String> = []
        for name in names where name.hasSuffix(".swift") || name.hasSuffix(".c") {
            if name.hasSuffix("_linux.c") || name.hasSuffix("+Linux.swift") { continue }
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            for (category, pattern) in Self.calls {
                let regex = try Regex(pattern)
                if code.contains(where: { $0.contains(regex) }) { found.insert(category) }
            }
        }
        return found
    }

    @Test(
        "A manifest declares the calls of its library and no others, for reasons that Apple accepts",
        arguments: [
            ("AppContainer", ["CFileSystem", "FileSystem", "PropertyLists", "AppContainer", "ContainerArchives"]),
            ("ContainerPreferences", ["ContainerPreferences"]),
        ])
    func declares(library: String, targets: [String]) throws {
        let file = Self.root.appending(path: "Sources/\(library)/PrivacyInfo.xcprivacy")
        let manifest = try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
        #expect(!manifest.NSPrivacyTracking)
        #expect(manifest.NSPrivacyTrackingDomains.isEmpty && manifest.NSPrivacyCollectedDataTypes.isEmpty)
        let used = try Set(targets.flatMap { try categories(in: $0) })
        let prefix = "NSPrivacyAccessedAPICategory"
        let declared = manifest.NSPrivacyAccessedAPITypes.map { $0.NSPrivacyAccessedAPIType }
        #expect(Set(declared) == Set(used.map { prefix + $0 }))
        #expect(declared.count == Set(declared).count)
        for access in manifest.NSPrivacyAccessedAPITypes {
            let accepted = try #require(Self.reasons[String(access.NSPrivacyAccessedAPIType.dropFirst(prefix.count))])
            #expect(!access.NSPrivacyAccessedAPITypeReasons.isEmpty)
            #expect(accepted.isSuperset(of: access.NSPrivacyAccessedAPITypeReasons))
        }
    }

    @Test("The calls in comments and in the files for Linux do not count", arguments: ["AppContainer", "TextOutput"])
    func comments(target: String) throws {
        // The documentation of AppContainer names UserDefaults.
        #expect(try categories(in: target).contains("UserDefaults") == false)
    }
}
