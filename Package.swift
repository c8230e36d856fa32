// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let house: [SwiftSetting] =
    [.swiftLanguageMode(.v6)]
    + ["ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault"].map { .enableUpcomingFeature($0) }

/// The modules whose loops take most of the time of the tests. `scripts/swift-debug` optimizes them, because the compiler calls
/// generic code by tables otherwise. The modules that `scripts/check-stacks` examines are not among them: their frames are largest
/// without optimization. For another package nothing is set, because SwiftPM refuses such flags in a dependency.
let optimized: Set<String> =
    Context.environment["OPTIMIZED_LOOPS"] == nil
    ? []
    : [
        "ArchiveExtraction", "BackupPlan", "BackupRepository", "ContainerExplorer", "ContainerInputs", "ContainerTree",
        "DatabaseInspection", "HTMLReports", "PolicyFixes", "PolicyRecords", "PolicyReports", "PolicyTexts",
        "PolicyValues", "Secrets",
        "SourceCode", "StoragePolicy", "TextOutput",
    ]

func settings(_ name: String) -> [SwiftSetting] {
    house + (optimized.contains(name) ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])
}

// An app resolves and compiles a package only if it enables a trait that needs it. The root package is built with
// `--traits Tools`. Without it, the targets DatabasesTrait, LoggingTrait, MacrosTrait and ToolsTrait report an error that
// says so.
let databases: TargetDependencyCondition? = .when(traits: ["Databases"])
let logging: TargetDependencyCondition? = .when(traits: ["Logging"])
let macros: TargetDependencyCondition? = .when(traits: ["Macros"])
let tools: TargetDependencyCondition? = .when(traits: ["Tools"])

/// The packages of modules, apart from swift-syntax, and the traits that enable them.
let packages: [String: (package: String, trait: TargetDependencyCondition?)] = [
    "ArgumentParser": ("swift-argument-parser", tools), "Crypto": ("swift-crypto", tools),
    "CryptoExtras": ("swift-crypto", tools), "GRDB": ("GRDB.swift", databases),
    "GRDBSQLite": ("GRDB.swift", databases), "InMemoryLogging": ("swift-log", logging),
    "Logging": ("swift-log", logging), "SystemPackage": ("swift-system", nil), "Yams": ("Yams", tools),
]

/// The dependencies on modules, whose names are separated by spaces.
func modules(_ names: [String]) -> [Target.Dependency] {
    names.flatMap { $0.split(separator: " ") }.map(String.init).map { name in
        // A dependency on a build tool plugin can have a condition; the list of plugins cannot. Without it, SwiftPM
        // would build embed-files for every app.
        if name == "EmbedFiles" { return .target(name: name, condition: tools) }
        if name.hasPrefix("Swift") { return .product(name: name, package: "swift-syntax", condition: macros) }
        guard let (package, trait) = packages[name] else { return .byName(name: name) }
        return .product(name: name, package: package, condition: trait)
    }
}

func library(
    _ name: String, uses: String..., path: String? = nil, exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
    .target(
        name: name, dependencies: modules(uses), path: path, exclude: exclude, resources: resources,
        swiftSettings: settings(name))
}

/// A library of the tools. It also uses what nearly all of them use.
func part(_ name: String, uses: String..., exclude: [String] = []) -> Target {
    let used = modules(uses + ["AppContainer FileSystem TextOutput SystemPackage"])
    return .target(name: name, dependencies: used, exclude: exclude, swiftSettings: settings(name))
}

func program(_ name: String, uses: String, path: String? = nil, resources: [Resource]? = nil) -> Target {
    .executableTarget(
        name: name, dependencies: modules([uses]), path: path, resources: resources, swiftSettings: house)
}

func tests(_ name: String, uses: String..., path: String? = nil) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: modules(uses + ["TestSupport"]), path: path, swiftSettings: house)
}

/// An app that uses the library, and its tests.
func example(_ name: String, uses: String, tests used: String, resources: [Resource]? = nil) -> [Target] {
    let (folder, common) = ("Examples/\(name)", "AppContainer SystemPackage")
    return [
        program(name, uses: "\(uses) \(common)", path: folder + "/Sources", resources: resources),
        tests(name, uses: used, name, common, "StoragePolicy StoragePolicyTesting", path: folder + "/Tests"),
    ]
}

// Apple's systems need a privacy manifest beside each library that uses certain calls. On Linux it is not copied, because
// a resource adds code to the library that loads Foundation's bundles.
#if os(Linux)
let (manifest, unused): ([Resource], [String]) = ([], ["PrivacyInfo.xcprivacy"])
#else
let (manifest, unused): ([Resource], [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#endif

let libraries: [Target] = [
    // Each fails to compile without its trait, so that nobody has to guess from a missing module.
    library("DatabasesTrait"), library("LoggingTrait"), library("MacrosTrait"), library("ToolsTrait"),

    // System calls, and the library that copies attributes.
    .systemLibrary(name: "CAttr", pkgConfig: "libattr", providers: [.apt(["libattr1-dev"])]),
    .target(name: "CFileSystem", dependencies: [.target(name: "CAttr", condition: .when(platforms: [.linux]))]),
    library("FileSystem", uses: "CFileSystem SystemPackage"),

    // The model of a container, and the library for apps.
    library("PropertyLists"),
    library("AppContainer", uses: "FileSystem PropertyLists SystemPackage", exclude: unused, resources: manifest),
    library("ContainerArchives", uses: "AppContainer FileSystem PropertyLists SystemPackage"),
    library(
        "ContainerPreferences", uses: "AppContainer ContainerArchives FileSystem PropertyLists SystemPackage",
        exclude: unused, resources: manifest),
    library("ContainerLogging", uses: "AppContainer FileSystem Logging LoggingTrait"),
    // The tests run these macros in the compiler. A test target that depends on a macro target would make SwiftPM build
    // all tests twice, and one that imports swift-syntax would make it build swift-syntax twice.
    .macro(
        name: "AutoArchivedMacros",
        dependencies: modules([
            "MacrosTrait SwiftCompilerPlugin SwiftDiagnostics SwiftParser SwiftSyntax SwiftSyntaxBuilder",
            "SwiftSyntaxMacros",
        ]), swiftSettings: house),
    library("AutoArchived", uses: "AutoArchivedMacros ContainerArchives"),
    library("ContainerTree", uses: "AppContainer FileSystem SystemPackage"),
    library("DatabaseInspection", uses: "DatabasesTrait FileSystem GRDB GRDBSQLite SystemPackage"),
    library("ContainerDatabases", uses: "AppContainer DatabaseInspection FileSystem GRDB SystemPackage"),

    // Output for users and programs.
    library("TextOutput", uses: "FileSystem Secrets SystemPackage"),
    // The forms of secrets, which no output shows.
    library("Secrets", uses: "CFileSystem"),
    // The main loop, the help and the errors of the tools.
    library(
        "CommandLineSupport", uses: "ArgumentParser ContainerInputs FileSystem Secrets SystemPackage TextOutput",
        "ToolsTrait"),
    // Programs that the tools run, such as restic and xcrun.
    library("ExternalPrograms", uses: "FileSystem SystemPackage"),
    // The containers in what a user specifies: directories, simulators, devices.
    part("ContainerInputs", uses: "ArchiveExtraction ContainerTree ExternalPrograms MobileBackup PropertyLists"),
    // The layout of iPhone and iPad backups.
    library(
        "MobileBackup", uses: "Crypto CryptoExtras DatabaseInspection FileSystem GRDB GRDBSQLite PropertyLists",
        "SystemPackage TextOutput ToolsTrait"),
    // Archives with a container, for the tools. Not part of a library for apps.
    .systemLibrary(
        name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    library("ArchiveExtraction", uses: "CArchive FileSystem SystemPackage"),

    // Rules, evaluation and reports.
    library(
        "PolicyRules", uses: "ToolsTrait EmbedFiles", path: "rules",
        exclude: [
            "archive", "backup", "database", "exceptions", "integrity", "layout", "loss", "portability", "preferences",
            "privacy", "registry", "evidence", "stale", "EVIDENCE.md", "FORMAT.md", "PRECISION.md", "README.md", "docs",
        ]),
    library("YAMLFiles", uses: "ToolsTrait Yams"),
    // The values of rules and configurations, with their positions and errors.
    part("PolicyValues", uses: "PolicyRules ToolsTrait YAMLFiles"),
    // The texts, names and addresses in files, and the words that are evidence.
    part("PolicyTexts", uses: "Crypto DatabaseInspection PolicyValues PropertyLists Secrets"),
    // The string literals of an app's source code.
    library("SourceCode", uses: "FileSystem SystemPackage TextOutput"),
    part(
        "StoragePolicy", uses: "ContainerLifecycle ContainerTree Crypto DatabaseInspection PolicyRules PolicyTexts",
        "PolicyValues PropertyLists Secrets SourceCode ToolsTrait"),
    // Reports and baselines that are read again, and what has changed since.
    part("PolicyRecords", uses: "ContainerLifecycle ContainerTree PolicyTexts PolicyValues Secrets StoragePolicy"),
    // The journals of changes beside a container, and their reversal.
    part("ChangeHistory"),
    part("PolicyFixes", uses: "ChangeHistory ContainerTree Crypto PolicyTexts StoragePolicy"),
    // The page of reports in HTML: its style and script are embedded.
    library("HTMLReports", uses: "ContainerTree Crypto EmbedFiles TextOutput ToolsTrait", exclude: ["Page"]),
    part(
        "PolicyReports", uses: "ContainerLifecycle ContainerTree HTMLReports PolicyFixes PolicyRecords PolicyTexts",
        "Secrets SourceCode StoragePolicy"),
    part("PolicyAuthoring", uses: "DatabaseInspection PolicyRecords StoragePolicy Yams"),
    // For the tests of apps.
    library("StoragePolicyTesting", uses: "AppContainer PolicyRecords StoragePolicy SystemPackage TextOutput"),

    // Backups: decisions, repository, operations, and the text and JSON of their results.
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    part("BackupPlan", uses: "ContainerTree DatabaseInspection"),
    // A simulated device around a container.
    library(
        "ContainerLifecycle", uses: "AppContainer BackupPlan ContainerTree FileSystem PropertyLists SystemPackage"),
    part(
        "BackupRepository",
        uses: "BackupPlan CFileSystem CZstd ContainerTree Crypto DatabaseInspection GRDB GRDBSQLite",
        exclude: ["FORMAT.md"]),
    part(
        "BackupOperations", uses: "BackupPlan BackupRepository ContainerTree Crypto DatabaseInspection",
        "ExternalPrograms MobileBackup PropertyLists", exclude: ["Exchange/LAYOUT.md"]),
    part("BackupReports", uses: "BackupOperations BackupPlan BackupRepository ContainerTree HTMLReports MobileBackup"),

    // The file manager.
    part(
        "ContainerExplorer", uses: "ChangeHistory ContainerLifecycle ContainerPreferences ContainerTree",
        "DatabaseInspection HTMLReports PolicyFixes PolicyTexts PropertyLists Secrets SourceCode StoragePolicy"),
    // Not a system library with pkg-config: SwiftPM warns of the macros among the flags of ncursesw.
    .target(
        name: "CTerminal",
        linkerSettings: [
            .linkedLibrary("ncursesw", .when(platforms: [.linux])), .linkedLibrary("tinfo", .when(platforms: [.linux])),
            .linkedLibrary("ncurses", .when(platforms: [.macOS])),
        ]),
]

let programs: [Target] = [
    // The commands of each tool are a library, which the tests call.
    part(
        "SandboxlintCommands", uses: "ArgumentParser ChangeHistory CommandLineSupport ContainerInputs",
        "ContainerLifecycle ContainerTree PolicyAuthoring PolicyFixes PolicyRecords PolicyReports SourceCode StoragePolicy"
    ),
    program("sandboxlint", uses: "CommandLineSupport SandboxlintCommands"),
    part(
        "SandboxbackupCommands", uses: "ArgumentParser BackupOperations BackupPlan BackupReports BackupRepository",
        "CommandLineSupport ContainerInputs ContainerTree MobileBackup StoragePolicy"),
    program("sandboxbackup", uses: "CommandLineSupport SandboxbackupCommands"),
    part(
        "SandboxfmCommands", uses: "ArgumentParser BackupOperations BackupRepository CTerminal CommandLineSupport",
        "ContainerExplorer ContainerInputs ContainerLifecycle ContainerTree Secrets SourceCode StoragePolicy"),
    program("sandboxfm", uses: "CommandLineSupport SandboxfmCommands"),

    program("embed-files", uses: "YAMLFiles"),
    .plugin(name: "EmbedFiles", capability: .buildTool(), dependencies: ["embed-files"]),
]

// `scripts/test-plugin` copies this constant into another package. A dependency on sandboxlint would make SwiftPM compile
// the tool and everything that it imports a second time, for plugins.
let plugins: [Target] = [
    .plugin(
        name: "SandboxlintCommand",
        capability: .command(
            intent: .custom(verb: "sandboxlint", description: "Lint the files in an app container."))),
    .plugin(
        name: "SandboxlintWriteCommand",
        capability: .command(
            intent: .custom(
                verb: "sandboxlint-write", description: "The commands of sandboxlint that write: fix, undo, …"),
            permissions: [
                .writeToPackageDirectory(
                    reason: "It writes the files that you specify: a fixed container, a baseline, a report.")
            ])),
]

let examples =
    example("HackerBooks", uses: "ContainerArchives ContainerPreferences", tests: "")
    + example("Students", uses: "AutoArchived ContainerArchives", tests: "ContainerArchives")
    + example(
        "Converter", uses: "ContainerPreferences", tests: "ContainerPreferences",
        resources: [.copy("Settings.bundle")])
    + example(
        "Passcode", uses: "ContainerLifecycle ContainerPreferences", tests: "ContainerLifecycle ContainerPreferences")
    + example("Messages", uses: "ContainerDatabases Crypto GRDB", tests: "GRDB")
    + example("Agenda", uses: "ContainerPreferences", tests: "ContainerPreferences")

let testing: [Target] = [
    library("TestSupport", uses: "CFileSystem DatabasesTrait FileSystem GRDBSQLite", path: "Tests/Support"),
    library(
        "ToolSupport", uses: "ArgumentParser CommandLineSupport FileSystem SandboxbackupCommands SandboxfmCommands",
        "SandboxlintCommands SystemPackage TestSupport", path: "Tests/ToolSupport"),
    library(
        "FaultedOperations", uses: "AppContainer ContainerPreferences SystemPackage", path: "Tests/FaultedOperations"),
    program(
        "container-probe", uses: "AppContainer ContainerPreferences FaultedOperations FileSystem SystemPackage",
        path: "Tests/ContainerProbe"),
    program(
        "database-probe", uses: "AppContainer ContainerDatabases GRDB SystemPackage", path: "Tests/DatabaseProbe"),
    program(
        "evidence-trial", uses: "AppContainer ArgumentParser SourceCode StoragePolicy SystemPackage",
        path: "Tests/EvidenceTrial"),
    program("power-cuts", uses: "AppContainer CFileSystem FileSystem SystemPackage", path: "Tests/PowerCuts"),
]

/// The tests of a target or a tool, and the modules that they use.
let tested: KeyValuePairs = [
    "FileSystem": "CFileSystem FileSystem SystemPackage",
    "PropertyLists": "PropertyLists",
    "ArchiveExtraction": "ArchiveExtraction FileSystem SystemPackage",
    "DatabaseInspection": "DatabaseInspection FileSystem GRDB GRDBSQLite SystemPackage",
    "MobileBackup": "CFileSystem FileSystem MobileBackup SystemPackage",
    "AppContainer": "AppContainer CFileSystem ContainerArchives ContainerPreferences FaultedOperations FileSystem "
        + "PropertyLists SystemPackage container-probe",
    "AutoArchived": "AppContainer AutoArchived ContainerArchives SystemPackage",
    "ContainerDatabases": "AppContainer ContainerDatabases FileSystem GRDB StoragePolicy StoragePolicyTesting "
        + "SystemPackage ToolSupport database-probe",
    "ContainerInputs": "AppContainer ContainerInputs ExternalPrograms FileSystem MobileBackup SystemPackage "
        + "ToolSupport sandboxbackup sandboxfm sandboxlint",
    "ContainerLogging": "AppContainer ContainerLogging FileSystem InMemoryLogging Logging SystemPackage",
    "ContainerLifecycle": "Agenda AppContainer ContainerLifecycle Converter FileSystem HackerBooks Messages "
        + "Passcode PropertyLists Students SystemPackage ToolSupport sandboxbackup sandboxlint",
    "Guide": "Agenda AppContainer AutoArchived ContainerArchives ContainerDatabases ContainerLifecycle "
        + "ContainerLogging ContainerPreferences FileSystem GRDB InMemoryLogging Logging StoragePolicy "
        + "StoragePolicyTesting SystemPackage",
    "Secrets": "Secrets",
    "SourceCode": "FileSystem SourceCode SystemPackage",
    "StoragePolicy":
        "AppContainer CFileSystem ChangeHistory ContainerLifecycle ContainerTree DatabaseInspection FileSystem "
        + "PolicyAuthoring PolicyFixes PolicyRecords PolicyRules PolicyTexts PolicyValues PropertyLists Secrets "
        + "StoragePolicy SystemPackage TextOutput ToolSupport YAMLFiles",
    "StoragePolicyTesting": "AppContainer FileSystem StoragePolicy StoragePolicyTesting SystemPackage ToolSupport",
    "HTMLReports": "AppContainer ContainerTree HTMLReports SystemPackage TextOutput ToolSupport sandboxbackup "
        + "sandboxfm sandboxlint",
    "Backup":
        "AppContainer BackupOperations BackupPlan BackupRepository CFileSystem ContainerTree ExternalPrograms FileSystem "
        + "GRDB GRDBSQLite SystemPackage TextOutput",
    "ContainerExplorer":
        "AppContainer ChangeHistory ContainerExplorer ContainerTree FileSystem PolicyFixes StoragePolicy "
        + "SystemPackage TextOutput",
    "CommandLineSupport": "AppContainer CommandLineSupport FileSystem SystemPackage TextOutput ToolSupport",
    "Sandboxlint": "AppContainer HackerBooks SystemPackage ToolSupport container-probe power-cuts sandboxbackup "
        + "sandboxfm sandboxlint",
    "Sandboxbackup": "AppContainer FileSystem SystemPackage TextOutput ToolSupport sandboxbackup",
    "Sandboxfm": "AppContainer SystemPackage ToolSupport sandboxfm",
]

let package = Package(
    name: "sandboxlint",
    platforms: [.macOS(.v13), .iOS(.v16)],
    products: ["sandboxlint", "sandboxbackup", "sandboxfm"].map { .executable(name: $0, targets: [$0]) }
        + [
            "AppContainer", "AutoArchived", "ContainerArchives", "ContainerDatabases", "ContainerLifecycle",
            "ContainerLogging", "ContainerPreferences", "StoragePolicy", "StoragePolicyTesting",
        ].map { .library(name: $0, targets: [$0]) }
        + ["SandboxlintCommand", "SandboxlintWriteCommand"].map { .plugin(name: $0, targets: [$0]) },
    traits: [
        .default(enabledTraits: []),
        .trait(name: "Databases", description: "ContainerDatabases and ContainerLifecycle (GRDB)."),
        .trait(name: "Logging", description: "ContainerLogging (swift-log)."),
        .trait(name: "Macros", description: "AutoArchived (swift-syntax)."),
        .trait(
            name: "Tools", description: "The tools, the plugins, StoragePolicy and StoragePolicyTesting.",
            enabledTraits: ["Databases", "Logging", "Macros"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // Only AutoArchivedMacros is built with it.
        .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    ],
    targets: libraries + programs + plugins + examples + testing + tested.map { tests($0.key, uses: $0.value) }
)

// The only targets of `scripts/stress fuzz`. They are built with libFuzzer's flags, which other programs do not support,
// and the fuzzer needs `package` declarations of this package. The format of device backups needs no package but swift-system.
if Context.environment["FUZZ"] != nil {
    let fuzzed: Set = [
        "ArchiveExtraction", "CArchive", "CAttr", "CFileSystem", "FileSystem", "PropertyLists", "AppContainer",
        "ContainerArchives", "Secrets", "TextOutput",
    ]
    let format = library("MobileBackup", uses: "PropertyLists SystemPackage TextOutput")
    format.sources = ["Format"]
    let fuzz = program(
        "fuzz", uses: "AppContainer ArchiveExtraction ContainerArchives MobileBackup PropertyLists Secrets",
        path: "Tests/Fuzz/Sources")
    package.products = []
    package.targets = package.targets.filter { fuzzed.contains($0.name) } + [format, fuzz]
}
