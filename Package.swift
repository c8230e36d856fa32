// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// An app resolves and compiles a package only if it enables a trait that needs it. The root package is built with
// `--traits Tools`. Without it, the targets DatabasesTrait, MacrosTrait and ToolsTrait report an error that says so.
let databases: TargetDependencyCondition? = .when(traits: ["Databases"])
let macros: TargetDependencyCondition? = .when(traits: ["Macros"])
let tools: TargetDependencyCondition? = .when(traits: ["Tools"])

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

let database: [Target.Dependency] = [
    .product(name: "GRDB", package: "GRDB.swift", condition: databases),
    .product(name: "GRDBSQLite", package: "GRDB.swift", condition: databases),
]

// Apple's systems need a privacy manifest beside each library that uses certain calls. On Linux it is not copied, because
// a resource adds code to the library that loads Foundation's bundles.
#if os(Linux)
let manifest: [Resource] = []
let unused = ["PrivacyInfo.xcprivacy"]
#else
let manifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let unused: [String] = []
#endif

let package = Package(
    name: "sandboxlint",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: [
        .executable(name: "sandboxlint", targets: ["sandboxlint"]),
        .executable(name: "sandboxbackup", targets: ["sandboxbackup"]),
        .executable(name: "sandboxfm", targets: ["sandboxfm"]),
        .library(name: "AppContainer", targets: ["AppContainer"]),
        .library(name: "AutoArchived", targets: ["AutoArchived"]),
        .library(name: "ContainerArchives", targets: ["ContainerArchives"]),
        .library(name: "ContainerDatabases", targets: ["ContainerDatabases"]),
        .library(name: "ContainerLifecycle", targets: ["ContainerLifecycle"]),
        .library(name: "ContainerPreferences", targets: ["ContainerPreferences"]),
        .library(name: "StoragePolicy", targets: ["StoragePolicy"]),
        .library(name: "StoragePolicyTesting", targets: ["StoragePolicyTesting"]),
        .plugin(name: "SandboxlintCommand", targets: ["SandboxlintCommand"]),
        .plugin(name: "SandboxlintWriteCommand", targets: ["SandboxlintWriteCommand"]),
    ],
    traits: [
        .default(enabledTraits: []),
        .trait(name: "Databases", description: "ContainerDatabases and ContainerLifecycle (GRDB)."),
        .trait(name: "Macros", description: "AutoArchived (swift-syntax)."),
        .trait(
            name: "Tools", description: "The tools, the plugins, StoragePolicy and StoragePolicyTesting.",
            enabledTraits: ["Databases", "Macros"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // Only AutoArchivedMacros and the tests of its expansions are built with it.
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: [
        // Each fails to compile without its trait, so that nobody has to guess from a missing module.
        .target(name: "DatabasesTrait", swiftSettings: house),
        .target(name: "MacrosTrait", swiftSettings: house),
        .target(name: "ToolsTrait", swiftSettings: house),

        // System calls, and the library that copies attributes.
        .systemLibrary(name: "CAttr", pkgConfig: "libattr", providers: [.apt(["libattr1-dev"])]),
        .target(
            name: "CFileSystem", dependencies: [.target(name: "CAttr", condition: .when(platforms: [.linux]))]),
        .target(name: "FileSystem", dependencies: ["CFileSystem", system], swiftSettings: house),

        // The model of a container, and the library for apps.
        .target(name: "PropertyLists", swiftSettings: house),
        .target(
            name: "AppContainer", dependencies: ["FileSystem", "PropertyLists", system], exclude: unused,
            resources: manifest, swiftSettings: house),
        .target(
            name: "ContainerArchives", dependencies: ["AppContainer", "FileSystem", "PropertyLists", system],
            swiftSettings: house),
        .target(
            name: "ContainerPreferences",
            dependencies: ["AppContainer", "ContainerArchives", "FileSystem", "PropertyLists", system],
            exclude: unused, resources: manifest, swiftSettings: house),
        // A library, because a test target that depends on a macro target would make SwiftPM build all tests twice.
        .target(
            name: "AutoArchivedExpansion",
            dependencies: [
                "MacrosTrait",
                .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: macros),
                .product(name: "SwiftParser", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntax", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: macros),
            ],
            swiftSettings: house),
        .macro(
            name: "AutoArchivedMacros",
            dependencies: [
                "AutoArchivedExpansion",
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: macros),
            ],
            swiftSettings: house),
        .target(
            name: "AutoArchived", dependencies: ["AutoArchivedMacros", "ContainerArchives"], swiftSettings: house),
        .target(
            name: "ContainerTree", dependencies: ["AppContainer", "FileSystem", system], swiftSettings: house),

        .target(
            name: "DatabaseInspection", dependencies: ["DatabasesTrait", "FileSystem", system] + database,
            swiftSettings: house),
        .target(
            name: "ContainerDatabases",
            dependencies: [
                "AppContainer", "DatabaseInspection", "FileSystem", system,
                .product(name: "GRDB", package: "GRDB.swift", condition: databases),
            ],
            swiftSettings: house),

        // Output for users and programs.
        .target(name: "TextOutput", dependencies: ["FileSystem", system], swiftSettings: house),

        .target(
            name: "CommandLineSupport",
            dependencies: [
                "FileSystem", "TextOutput", "ToolsTrait", system,
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tools),
            ],
            swiftSettings: house),

        // Programs that the tools run, such as restic and xcrun.
        .target(name: "ExternalPrograms", dependencies: ["FileSystem", system], swiftSettings: house),

        // The containers in what a user specifies: directories, simulators, devices.
        .target(
            name: "ContainerInputs",
            dependencies: [
                "AppContainer", "ArchiveExtraction", "ContainerTree", "ExternalPrograms", "FileSystem", "MobileBackup",
                "PropertyLists", "TextOutput", system,
            ],
            swiftSettings: house),

        // The layout of iPhone and iPad backups.
        .target(
            name: "MobileBackup",
            dependencies: [
                "DatabaseInspection", "FileSystem", "PropertyLists", "ToolsTrait", system,
                .product(name: "Crypto", package: "swift-crypto", condition: tools),
                .product(name: "CryptoExtras", package: "swift-crypto", condition: tools),
            ] + database,
            swiftSettings: house),

        // Archives with a container, for the tools. Not part of a library for apps.
        .systemLibrary(
            name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
        .target(
            name: "ArchiveExtraction", dependencies: ["CArchive", "FileSystem", system], swiftSettings: house),

        // Rules, evaluation and reports.

        // A dependency on a build tool plugin can have a condition; the list of plugins cannot. Without it, SwiftPM would
        // build embed-files for every app.
        .target(
            name: "PolicyRules", dependencies: ["ToolsTrait", .target(name: "EmbedFiles", condition: tools)],
            path: "rules",
            exclude: [
                "archive", "backup", "database", "exceptions", "integrity", "layout", "loss", "portability",
                "preferences", "privacy", "registry", "evidence", "stale", "EVIDENCE.md", "FORMAT.md", "PRECISION.md",
                "README.md", "docs",
            ],
            swiftSettings: house),
        .target(
            name: "YAMLFiles",
            dependencies: ["ToolsTrait", .product(name: "Yams", package: "Yams", condition: tools)],
            swiftSettings: house),
        .executableTarget(name: "embed-files", dependencies: ["YAMLFiles"], swiftSettings: house),
        .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"]),
        .target(
            name: "StoragePolicy",
            dependencies: [
                "AppContainer", "ContainerLifecycle", "ContainerTree", "DatabaseInspection", "FileSystem",
                "PolicyRules",
                "PropertyLists", "TextOutput", "ToolsTrait", "YAMLFiles", system,
                .product(name: "Crypto", package: "swift-crypto", condition: tools),
            ],
            swiftSettings: house),
        // The page of reports in HTML: its style and script are embedded.
        .target(
            name: "HTMLReports",
            dependencies: [
                "ContainerTree", "TextOutput", "ToolsTrait", .target(name: "EmbedFiles", condition: tools),
                .product(name: "Crypto", package: "swift-crypto", condition: tools),
            ],
            exclude: ["Page"], swiftSettings: house),
        .target(
            name: "PolicyReports",
            dependencies: [
                "AppContainer", "ContainerLifecycle", "ContainerTree", "FileSystem", "HTMLReports", "StoragePolicy",
                "TextOutput", system,
            ],
            swiftSettings: house),
        .target(
            name: "PolicyAuthoring",
            dependencies: [
                "AppContainer", "ContainerLifecycle", "DatabaseInspection", "FileSystem", "StoragePolicy", "TextOutput",
                system,
                .product(name: "Yams", package: "Yams", condition: tools),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "sandboxlint",
            dependencies: [
                "AppContainer", "CommandLineSupport", "ContainerInputs", "ContainerLifecycle", "ContainerTree",
                "ExternalPrograms", "FileSystem", "PolicyAuthoring", "PolicyReports", "StoragePolicy", "TextOutput",
                system,
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tools),
            ],
            swiftSettings: house),

        // Backups: decisions, repository, operations, and the text and JSON of their results.
        .systemLibrary(
            name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .target(
            name: "BackupPlan",
            dependencies: [
                "AppContainer", "ContainerTree", "DatabaseInspection", "FileSystem", "TextOutput", system,
            ],
            swiftSettings: house),
        // A simulated device around a container.
        .target(
            name: "ContainerLifecycle",
            dependencies: ["AppContainer", "BackupPlan", "ContainerTree", "FileSystem", "PropertyLists", system],
            swiftSettings: house),
        .target(
            name: "BackupRepository",
            dependencies: [
                "AppContainer", "BackupPlan", "CZstd", "DatabaseInspection", "FileSystem", "TextOutput", system,
                .product(name: "Crypto", package: "swift-crypto", condition: tools),
            ] + database,
            exclude: ["FORMAT.md"], swiftSettings: house),
        .target(
            name: "BackupOperations",
            dependencies: [
                "AppContainer", "BackupPlan", "BackupRepository", "DatabaseInspection", "ContainerTree",
                "ExternalPrograms", "FileSystem", "MobileBackup", "PropertyLists", "TextOutput", system,
                .product(name: "Crypto", package: "swift-crypto", condition: tools),
            ],
            exclude: ["Exchange/LAYOUT.md"], swiftSettings: house),
        .target(
            name: "BackupReports",
            dependencies: [
                "AppContainer", "BackupOperations", "BackupPlan", "BackupRepository", "ContainerTree", "FileSystem",
                "HTMLReports", "MobileBackup", "TextOutput", system,
            ],
            swiftSettings: house),
        .executableTarget(
            name: "sandboxbackup",
            dependencies: [
                "AppContainer", "BackupOperations", "BackupPlan", "BackupReports", "BackupRepository",
                "CommandLineSupport", "ContainerInputs", "ExternalPrograms", "FileSystem", "MobileBackup", "TextOutput",
                system,
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tools),
            ],
            swiftSettings: house),

        // The file manager.
        .target(
            name: "ContainerExplorer",
            dependencies: [
                "AppContainer", "ContainerLifecycle", "ContainerPreferences", "ContainerTree", "DatabaseInspection",
                "FileSystem", "HTMLReports", "PropertyLists", "StoragePolicy", "TextOutput", system,
            ],
            swiftSettings: house),
        // Not a system library with pkg-config: SwiftPM warns of the macros among the flags of ncursesw.
        .target(
            name: "CTerminal",
            linkerSettings: [
                .linkedLibrary("ncursesw", .when(platforms: [.linux])),
                .linkedLibrary("tinfo", .when(platforms: [.linux])),
                .linkedLibrary("ncurses", .when(platforms: [.macOS])),
            ]),
        .executableTarget(
            name: "sandboxfm",
            dependencies: [
                "AppContainer", "CTerminal", "CommandLineSupport", "ContainerExplorer", "ContainerLifecycle",
                "ContainerTree", "FileSystem", "StoragePolicy", "TextOutput", system,
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tools),
            ],
            swiftSettings: house),

        // Plugins, and a library for the tests of apps.
        .plugin(
            name: "SandboxlintCommand",
            capability: .command(
                intent: .custom(
                    verb: "sandboxlint", description: "Lint the files in an app container.")),
            dependencies: ["sandboxlint"]),
        .plugin(
            name: "SandboxlintWriteCommand",
            capability: .command(
                intent: .custom(
                    verb: "sandboxlint-write", description: "The commands of sandboxlint that write: fix, undo, …"),
                permissions: [
                    .writeToPackageDirectory(
                        reason: "It writes the files that you specify: a fixed container, a baseline, a report.")
                ]),
            dependencies: ["sandboxlint"]),
        .target(
            name: "StoragePolicyTesting", dependencies: ["AppContainer", "StoragePolicy", "TextOutput", system],
            swiftSettings: house),

        // Examples: apps that use the library.
        .executableTarget(
            name: "HackerBooks", dependencies: ["AppContainer", "ContainerArchives", "ContainerPreferences", system],
            path: "Examples/HackerBooks/Sources", swiftSettings: house),
        .testTarget(
            name: "HackerBooksTests",
            dependencies: [
                "AppContainer", "HackerBooks", "StoragePolicy", "StoragePolicyTesting", "TestSupport", system,
            ],
            path: "Examples/HackerBooks/Tests", swiftSettings: house),
        .executableTarget(
            name: "Students", dependencies: ["AppContainer", "AutoArchived", "ContainerArchives", system],
            path: "Examples/Students/Sources", swiftSettings: house),
        .testTarget(
            name: "StudentsTests",
            dependencies: [
                "AppContainer", "ContainerArchives", "StoragePolicy", "StoragePolicyTesting", "Students", "TestSupport",
                system,
            ],
            path: "Examples/Students/Tests", swiftSettings: house),
        .executableTarget(
            name: "Converter", dependencies: ["AppContainer", "ContainerPreferences", system],
            path: "Examples/Converter/Sources", resources: [.copy("Settings.bundle")], swiftSettings: house),
        .testTarget(
            name: "ConverterTests",
            dependencies: [
                "AppContainer", "ContainerPreferences", "Converter", "StoragePolicy", "StoragePolicyTesting",
                "TestSupport", system,
            ],
            path: "Examples/Converter/Tests", swiftSettings: house),
        .executableTarget(
            name: "Passcode", dependencies: ["AppContainer", "ContainerLifecycle", "ContainerPreferences", system],
            path: "Examples/Passcode/Sources", swiftSettings: house),
        .testTarget(
            name: "PasscodeTests",
            dependencies: [
                "AppContainer", "ContainerLifecycle", "ContainerPreferences", "Passcode", "StoragePolicy",
                "StoragePolicyTesting",
                "TestSupport", system,
            ],
            path: "Examples/Passcode/Tests", swiftSettings: house),
        .executableTarget(
            name: "Messages",
            dependencies: [
                "AppContainer", "ContainerDatabases", system,
                .product(name: "Crypto", package: "swift-crypto", condition: tools),
                .product(name: "GRDB", package: "GRDB.swift", condition: databases),
            ],
            path: "Examples/Messages/Sources", swiftSettings: house),
        .testTarget(
            name: "MessagesTests",
            dependencies: [
                "AppContainer", "Messages", "StoragePolicy", "StoragePolicyTesting", "TestSupport", system,
                .product(name: "GRDB", package: "GRDB.swift", condition: databases),
            ],
            path: "Examples/Messages/Tests", swiftSettings: house),
        .executableTarget(
            name: "Agenda", dependencies: ["AppContainer", "ContainerPreferences", system],
            path: "Examples/Agenda/Sources", swiftSettings: house),
        .testTarget(
            name: "AgendaTests",
            dependencies: [
                "Agenda", "AppContainer", "ContainerPreferences", "StoragePolicy", "StoragePolicyTesting",
                "TestSupport",
                system,
            ],
            path: "Examples/Agenda/Tests", swiftSettings: house),

        // Tests.
        .target(name: "TestSupport", dependencies: ["FileSystem"], path: "Tests/Support", swiftSettings: house),
        .target(
            name: "FaultedOperations", dependencies: ["AppContainer", "ContainerPreferences", system],
            path: "Tests/FaultedOperations",
            swiftSettings: house),
        .executableTarget(
            name: "container-probe",
            dependencies: ["AppContainer", "ContainerPreferences", "FaultedOperations", "FileSystem", system],
            path: "Tests/ContainerProbe", swiftSettings: house),
        .executableTarget(
            name: "evidence-trial",
            dependencies: [
                "AppContainer", "StoragePolicy", system,
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: tools),
            ],
            path: "Tests/EvidenceTrial", swiftSettings: house),
        .executableTarget(
            name: "power-cuts", dependencies: ["AppContainer", "CFileSystem", "FileSystem", system],
            path: "Tests/PowerCuts", swiftSettings: house),

        .testTarget(
            name: "FileSystemTests", dependencies: ["CFileSystem", "FileSystem", "TestSupport", system],
            swiftSettings: house),
        .testTarget(
            name: "PropertyListsTests", dependencies: ["PropertyLists", "TestSupport"], swiftSettings: house),
        .testTarget(
            name: "ContainerInputsTests",
            dependencies: [
                "AppContainer", "ContainerInputs", "ExternalPrograms", "FileSystem", "MobileBackup", "TestSupport",
                "sandboxbackup", "sandboxlint", system,
            ],
            swiftSettings: house),
        .testTarget(
            name: "DatabaseInspectionTests",
            dependencies: ["DatabaseInspection", "FileSystem", "TestSupport", system] + database,
            swiftSettings: house),
        .testTarget(
            name: "ArchiveExtractionTests",
            dependencies: ["ArchiveExtraction", "FileSystem", "TestSupport", system],
            swiftSettings: house),
        .testTarget(
            name: "MobileBackupTests",
            dependencies: ["CFileSystem", "FileSystem", "MobileBackup", "TestSupport", system],
            swiftSettings: house),
        .testTarget(
            name: "AppContainerTests",
            dependencies: [
                "AppContainer", "CFileSystem", "ContainerArchives", "ContainerPreferences", "FaultedOperations",
                "FileSystem", "PropertyLists", "TestSupport", "container-probe", system,
            ],
            swiftSettings: house),
        .testTarget(
            name: "AutoArchivedTests",
            dependencies: [
                "AppContainer", "AutoArchived", "AutoArchivedExpansion", "ContainerArchives", "TestSupport", system,
                .product(name: "SwiftSyntax", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxMacroExpansion", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxMacrosGenericTestSupport", package: "swift-syntax", condition: macros),
            ],
            swiftSettings: house),
        .testTarget(
            name: "ContainerLifecycleTests",
            dependencies: [
                "Agenda", "AppContainer", "ContainerLifecycle", "Converter", "FileSystem", "HackerBooks", "Messages",
                "Passcode", "PropertyLists", "Students", "TestSupport", "sandboxbackup", "sandboxlint", system,
            ],
            swiftSettings: house),
        .testTarget(
            name: "ContainerDatabasesTests",
            dependencies: [
                "AppContainer", "ContainerDatabases", "FileSystem", "StoragePolicy", "StoragePolicyTesting",
                "TestSupport",
                "database-probe", system, .product(name: "GRDB", package: "GRDB.swift", condition: databases),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "database-probe",
            dependencies: [
                "AppContainer", "ContainerDatabases", system,
                .product(name: "GRDB", package: "GRDB.swift", condition: databases),
            ],
            path: "Tests/DatabaseProbe", swiftSettings: house),
        .testTarget(
            name: "GuideTests",
            dependencies: [
                "Agenda", "AppContainer", "AutoArchived", "ContainerArchives", "ContainerDatabases",
                "ContainerLifecycle", "ContainerPreferences", "FileSystem", "StoragePolicy", "StoragePolicyTesting",
                "TestSupport", system, .product(name: "GRDB", package: "GRDB.swift", condition: databases),
            ],
            swiftSettings: house),
        .testTarget(
            name: "HTMLReportsTests",
            dependencies: [
                "AppContainer", "ContainerTree", "HTMLReports", "TestSupport", "TextOutput", "sandboxbackup",
                "sandboxfm", "sandboxlint", system,
            ],
            swiftSettings: house),
        .testTarget(
            name: "StoragePolicyTests",
            dependencies: [
                "AppContainer", "CFileSystem", "ContainerLifecycle", "ContainerTree", "DatabaseInspection",
                "FileSystem",
                "PolicyAuthoring", "PolicyRules", "PropertyLists", "StoragePolicy", "TestSupport", "TextOutput",
                "YAMLFiles", system,
            ],
            swiftSettings: house),
        .testTarget(
            name: "StoragePolicyTestingTests",
            dependencies: [
                "AppContainer", "FileSystem", "StoragePolicy", "StoragePolicyTesting", "TestSupport", system,
            ],
            swiftSettings: house),
        .testTarget(
            name: "ContainerExplorerTests",
            dependencies: [
                "AppContainer", "ContainerExplorer", "ContainerTree", "FileSystem", "StoragePolicy", "TestSupport",
                "TextOutput", system,
            ],
            swiftSettings: house),
        .testTarget(
            name: "SandboxfmTests", dependencies: ["AppContainer", "TestSupport", "sandboxfm", system],
            swiftSettings: house),
        .testTarget(
            name: "SandboxlintTests",
            dependencies: [
                "AppContainer", "TestSupport", "container-probe", "power-cuts", "sandboxbackup", "sandboxfm",
                "sandboxlint",
                system,
            ],
            swiftSettings: house),
        .testTarget(
            name: "BackupTests",
            dependencies: [
                "AppContainer", "BackupOperations", "BackupPlan", "BackupRepository", "CFileSystem", "ExternalPrograms",
                "FileSystem", "TestSupport", "TextOutput", system,
            ] + database,
            swiftSettings: house),
        .testTarget(
            name: "SandboxbackupTests",
            dependencies: ["AppContainer", "TestSupport", "TextOutput", "sandboxbackup", system],
            swiftSettings: house),
    ]
)

// The only targets of `make fuzz`. They are built with libFuzzer's flags, which other programs do not support, and the
// fuzzer needs `package` declarations of this package.
if Context.environment["FUZZ"] != nil {
    let fuzzed: Set = [
        "ArchiveExtraction", "CArchive", "CAttr", "CFileSystem", "FileSystem", "PropertyLists", "AppContainer",
        "ContainerArchives", "DatabaseInspection", "DatabasesTrait", "MobileBackup", "ToolsTrait",
    ]
    package.products = []
    package.targets.removeAll { !fuzzed.contains($0.name) }
    package.targets += [
        .executableTarget(
            name: "fuzz",
            dependencies: ["AppContainer", "ArchiveExtraction", "ContainerArchives", "MobileBackup", "PropertyLists"],
            path: "Tests/Fuzz/Sources",
            swiftSettings: house)
    ]
}
