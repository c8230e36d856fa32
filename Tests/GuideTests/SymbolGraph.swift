import Foundation
import TestSupport
import Testing

/// The library's public declarations, as the compiler knows them.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        struct Fragment: Decodable { let spelling: String }
        let kind: Kind
        let pathComponents: [String]
        let declarationFragments: [Fragment]

        /// The type and the name with its labels: `Container.load(_:followingLinks:)`.
        var name: String { pathComponents.joined(separator: ".") }
        var declaration: String { declarationFragments.map(\.spelling).joined() }
    }
    let symbols: [Symbol]

    private struct TargetInfo: Decodable {
        struct Target: Decodable { let triple: String }
        let target: Target
    }

    /// Writes the symbol graph of AppContainer into a directory, for DocC.
    static func extract(into folder: URL) throws {
        let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized
        let products = Bundle.main.bundleURL.resolvingSymlinksInPath()
        let target = try Command("swiftc", ["-print-target-info"]).output
        let triple = try JSONDecoder().decode(TargetInfo.self, from: target).target.triple
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent().appending(path: "checkouts")
        let includes = [
            products.appending(path: "Modules"), root.appending(path: "Sources/CFileSystem/include"),
            checkouts.appending(path: "swift-system/Sources/CSystem/include"),
        ]
        let symbols = try Command(
            "swift-symbolgraph-extract",
            [
                "-module-name", "AppContainer", "-target", triple, "-minimum-access-level", "public",
                "-output-dir", folder.path,
            ] + includes.flatMap { ["-I", $0.path] })
        try #require(symbols.code == 0, "\(symbols.errors)")
    }

    /// Reads the symbol graph of AppContainer itself.
    static func read() throws -> SymbolGraph {
        try withScratch { folder throws in
            try extract(into: folder)
            let file = folder.appending(path: "AppContainer.symbols.json")
            return try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
        }
    }
}
