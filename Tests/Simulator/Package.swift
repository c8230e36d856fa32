// swift-tools-version: 6.2
import PackageDescription

// The app that scripts/lint-simulator installs in a simulator.
let package = Package(
    name: "Notes",
    platforms: [.macOS(.v13), .iOS(.v16)],
    dependencies: [.package(name: "sandboxlint", path: "../..")],
    targets: [
        .executableTarget(name: "Notes", dependencies: [.product(name: "AppContainer", package: "sandboxlint")])
    ]
)
