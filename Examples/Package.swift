// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "sandboxlint", path: "..")],
    targets: [
        .executableTarget(
            name: "HackerBooks", dependencies: [.product(name: "AppContainer", package: "sandboxlint")],
            swiftSettings: [.swiftLanguageMode(.v6)])
    ]
)
