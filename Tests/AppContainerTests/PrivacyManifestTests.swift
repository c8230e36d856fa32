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

    /// The functions and classes of each category, as an object file imports them.
    private static let symbols = [
        "FileTimestamp":
            #"^_?(stat|fstat|lstat|fstatat|f?getattrlist(at|bulk)?)(64|x)?$|NSURL(Creation|ContentModification)DateKey"#,
        "DiskSpace": #"^_?f?stat(v)?fs(64)?$|NSFileSystemFreeSize|NSURLVolumeAvailableCapacity"#,
        "UserDefaults": #"_NSUserDefaults$|^_?\$s10Foundation12UserDefaultsC"#,
        "SystemBootTime": #"^_?mach_absolute_time$|^_?\$s10Foundation11ProcessInfoC12systemUptime"#,
    ]

    /// The categories of symbols.
    private static func categories(of names: [Substring]) throws -> Set<String> {
        var found: Set<String> = []
        for (category, pattern) in symbols {
            let regex = try Regex(pattern)
            if names.contains(where: { $0.contains(regex) }) { found.insert(category) }
        }
        return found
    }

    /// The symbols that the objects of a target import, in the folder in which this program was built.
    private func imports(of target: String) throws -> [Substring] {
        let folder = Self.root.appending(path: ".build/debug/\(target).build")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".o") }
        try #require(!names.isEmpty, "\(folder.path) has no objects")
        // A number of files that fits in a command.
        let run = try Command("nm", ["-u"] + names.map { folder.appending(path: $0).path })
        try #require(run.code == 0, "\(run.errors)")
        return run.text.split(separator: "\n").compactMap { $0.split(separator: " ").last }
    }

    @Test(
        "The objects import no call of a category that no manifest declares, and those of the file system are found",
        .needs(.externalProgram),
        .enabled(if: FileManager.default.fileExists(atPath: root.appending(path: ".build/debug").path)),
        arguments: [
            (
                "AppContainer", ["CFileSystem", "FileSystem", "PropertyLists", "AppContainer", "ContainerArchives"],
                ["FileTimestamp", "DiskSpace"]
            ),
            ("ContainerPreferences", ["ContainerPreferences"], ["UserDefaults"]),
        ] as [(String, [String], Set<String>)])
    func objects(library: String, targets: [String], expected: Set<String>) throws {
        let file = Self.root.appending(path: "Sources/\(library)/PrivacyInfo.xcprivacy")
        let manifest = try PropertyListDecoder().decode(Manifest.self, from: Data(contentsOf: file))
        let prefix = "NSPrivacyAccessedAPICategory"
        let declared = Set(
            manifest.NSPrivacyAccessedAPITypes.map { $0.NSPrivacyAccessedAPIType.dropFirst(prefix.count) })
        let found = try targets.reduce(into: Set<String>()) { found, target in
            found.formUnion(try Self.categories(of: imports(of: target)))
        }
        #expect(found.isSubset(of: Set(declared.map(String.init))))
        #expect(found.isSuperset(of: expected))
    }

    @Test(
        "A symbol has the category that Apple lists it in, and similar names have none",
        arguments: [
            ("_fstatat", ["FileTimestamp"]), ("fstat64", ["FileTimestamp"]), ("_getattrlistbulk", ["FileTimestamp"]),
            ("_fstatfs", ["DiskSpace"]), ("statvfs", ["DiskSpace"]), ("_mach_absolute_time", ["SystemBootTime"]),
            ("_OBJC_CLASS_$_NSUserDefaults", ["UserDefaults"]), ("cfs_status_at", []), ("_restat", []),
        ] as [(String, Set<String>)])
    func categories(symbol: String, expected: Set<String>) throws {
        #expect(try Self.categories(of: [Substring(symbol)]) == expected)
    }

    @Test("The calls in comments and in the files for Linux do not count", arguments: ["AppContainer", "TextOutput"])
    func comments(target: String) throws {
        // The documentation of AppContainer names UserDefaults.
        #expect(try categories(in: target).contains("UserDefaults") == false)
    }
}
