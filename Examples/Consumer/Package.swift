// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Consumer",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sandboxlint", path: "../..", traits: ["Tools"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // Uses each library product, with all checks of concurrency, and is built without a warning.
        .target(
            name: "EveryProduct",
            dependencies: [
                .product(name: "AppContainer", package: "sandboxlint"),
                .product(name: "AutoArchived", package: "sandboxlint"),
                .product(name: "ContainerArchives", package: "sandboxlint"),
                .product(name: "ContainerDatabases", package: "sandboxlint"),
                .product(name: "ContainerLifecycle", package: "sandboxlint"),
                .product(name: "ContainerLogging", package: "sandboxlint"),
                .product(name: "ContainerPreferences", package: "sandboxlint"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "StoragePolicy", package: "sandboxlint"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EveryProductTests",
            dependencies: [
                "EveryProduct", .product(name: "AppContainer", package: "sandboxlint"),
                .product(name: "StoragePolicyTesting", package: "sandboxlint"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
    ]
)
