// swift-tools-version: 6.2
import PackageDescription

let system: [CSetting] = [.define("_GNU_SOURCE")]

// Otherwise the flag that links Swift statically makes bare C programs load the C++ library.
let bare: [LinkerSetting] = [.unsafeFlags(["-static-executable"])]

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        // What is measured on.
        .executableTarget(name: "generate-container", cSettings: system, linkerSettings: bare),

        // What is measured against.
        .executableTarget(name: "walker", cSettings: system, linkerSettings: bare),
        .executableTarget(
            name: "hello",
            dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
            ]),

        // What measures.
        .executableTarget(name: "measure", cSettings: system, linkerSettings: bare),
    ],
    cLanguageStandard: .c11
)
