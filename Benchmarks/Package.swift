// swift-tools-version: 6.2
import PackageDescription

let system: [CSetting] = [.define("_GNU_SOURCE")]

// Otherwise the flag for static linking of Swift makes C programs load the C++ library.
let bare: [LinkerSetting] = [.unsafeFlags(["-static-executable"])]

let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sandboxlint", path: "..", traits: ["Macros"]),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // The generator of the tree.
        .executableTarget(name: "generate-container", cSettings: system, linkerSettings: bare),

        // The references.
        .executableTarget(name: "walker", cSettings: system, linkerSettings: bare),
        .executableTarget(
            name: "hello",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: house),

        // Saves, and their references.
        .executableTarget(
            name: "save-bench",
            dependencies: [
                .product(name: "AppContainer", package: "sandboxlint"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "preference-bench",
            dependencies: [
                .product(name: "AppContainer", package: "sandboxlint"),
                .product(name: "ContainerPreferences", package: "sandboxlint"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "archive-bench",
            dependencies: [
                .product(name: "AppContainer", package: "sandboxlint"),
                .product(name: "AutoArchived", package: "sandboxlint"),
                .product(name: "ContainerArchives", package: "sandboxlint"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .executableTarget(
            name: "cache-bench",
            dependencies: [
                .product(name: "AppContainer", package: "sandboxlint"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: house),
        .executableTarget(name: "cache-c", cSettings: system, linkerSettings: bare),
        .executableTarget(name: "save-c", cSettings: system, linkerSettings: bare),

        // The measurement.
        .executableTarget(name: "measure", cSettings: system, linkerSettings: bare),
    ],
    cLanguageStandard: .c11
)
