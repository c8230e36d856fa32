import Foundation
import TestSupport
import Testing

/// The public declarations of a library, as the compiler exports them.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        struct Fragment: Decodable { let spelling: String }
        struct Identifier: Decodable { let precise: String }
        let identifier: Identifier
        let kind: Kind
        let pathComponents: [String]
        let declarationFragments: [Fragment]

        /// The type and the name with its labels: `Container.load(_:followingLinks:)`.
        var name: String { pathComponents.joined(separator: ".") }
        /// True for a member that is inherited from an extension of a protocol.
        var isSynthesized: Bool { identifier.precise.contains("::SYNTHESIZED::") }
        var declaration: String { declarationFragments.map(\.spelling).joined() }
    }
    let symbols: [Symbol]

    /// The library products whose calls docs/api.md lists.
    static let libraries = [
        "AppContainer", "AutoArchived", "ContainerArchives", "ContainerDatabases", "ContainerLifecycle",
        "ContainerLogging", "ContainerPreferences",
    ]

    private struct TargetInfo: Decodable {
        struct Target: Decodable { let triple: String }
        let target: Target
    }

    /// Writes the symbol graphs of a library into a directory, for DocC.
    static func extract(_ module: String, into folder: URL) throws {
        let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
        let products = Bundle.main.bundleURL.resolvingSymlinksInPath()
        let target = try Command("swiftc", ["-print-target-info"]).output
        let triple = try JSONDecoder().decode(TargetInfo.self, from: target).target.triple
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent().appending(path: "checkouts")
        let includes = [
            products.appending(path: "Modules"), products.appending(path: "CFileSystem.build"),
            root.appending(path: "Sources/CFileSystem/include"),
            checkouts.appending(path: "swift-system/Sources/CSystem/include"),
            checkouts.appending(path: "GRDB.swift/Sources/GRDBSQLite"),
        ]
        let symbols = try Command(
            "swift-symbolgraph-extract",
            [
                "-module-name", module, "-target", triple, "-minimum-access-level", "public",
                "-output-dir", folder.path, "-emit-extension-block-symbols",
            ] + includes.flatMap { ["-I", $0.path] })
        try #require(symbols.code == 0, "\(symbols.errors)")
    }

    /// Returns the public declarations of several libraries, including their extensions of other libraries' types.
    static func symbols(of modules: [String]) throws -> [Symbol] {
        try withScratch { folder throws in
            for module in modules { try extract(module, into: folder) }
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            return try files.flatMap { file in
                try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file)).symbols
            }
        }
    }
}
