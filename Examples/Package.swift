// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "sandboxlint", path: ".."),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        .executableTarget(
            name: "HackerBooks", dependencies: [.product(name: "AppContainer", package: "sandboxlint")],
            swiftSettings: [.swiftLanguageMode(.v6)]),

        // Uses each library product, with all checks of concurrency, and is built without a warning.
        .target(
            name: "EveryProduct",
            dependencies: [
                .product(name: "AppContainer", package: "sandboxlint"),
                .product(name: "ContainerArchives", package: "sandboxlint"),
                .product(name: "ContainerLifecycle", package: "sandboxlint"),
                .product(name: "ContainerPreferences", package: "sandboxlint"),
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
