import Foundation
import TestSupport
import Testing

@Suite("Package traits", .needs(.process), .timeLimit(.minutes(60))) struct PackageTraitsTests {
    private let package: PackageManifest
    private static let pages = DocumentationPage.guides

    init() throws { package = try PackageManifest.root.get() }

    @Test(
        "A product needs the traits that the table in docs/library.md states",
        arguments: [
            ("AppContainer", []), ("ContainerPreferences", []), ("ContainerArchives", []),
            ("ContainerDatabases", ["Databases"]), ("ContainerLifecycle", ["Databases"]), ("AutoArchived", ["Macros"]),
            ("ContainerLogging", ["Logging"]),
            ("StoragePolicy", ["Databases", "Tools"]), ("StoragePolicyTesting", ["Databases", "Tools"]),
        ] as [(String, Set<String>)])
    func products(name: String, traits: Set<String>) {
        #expect(package.traits(ofProduct: name) == traits)
        let stated = traits.contains("Tools") ? "`Tools`" : traits.first.map { "`\($0)`" } ?? "–"
        let row = DocumentationPage("docs/library.md").prose.first { $0.hasPrefix("| `\(name)` |") }
        #expect(row?.contains("| \(stated) |") == true, "\(row ?? "no row")")
        #expect(package.expanded(["Tools"]).isSuperset(of: traits))
    }

    @Test("Every package but swift-system is resolved only with a trait, and no trait is enabled by default")
    func conditions() {
        let products = package.targets.flatMap(\.dependencies).filter { $0.package != nil }
        #expect(products.count > 20)
        for product in products {
            #expect((product.package == "swift-system") == product.traits.isEmpty, "\(product.name)")
        }
        #expect(package.traits.first { $0.name == "default" }?.enabledTraits == [])
    }

    @Test("A target with a package of a trait depends on the target that reports a missing trait")
    func reports() {
        for target in package.targets {
            let traits = target.dependencies.reduce(into: Set()) { $0.formUnion($1.traits) }
            let reporting = package.closure(of: target.name).map(\.name).filter { $0.hasSuffix("Trait") }
            // At the root all traits are missing together, so the report of one is enough.
            #expect(traits.isEmpty || !reporting.isEmpty, "\(target.name)")
        }
    }

    @Test(
        "A missing trait is an error that names the option and the argument", .needs(.externalProgram),
        arguments: ["Databases", "Logging", "Macros", "Tools"])
    func error(trait: String) throws {
        let file = "Sources/\(trait)Trait/\(trait)Trait.swift"
        let arguments = ["-frontend", "-typecheck", file]
        let without = try Command("swiftc", arguments, in: DocumentationPage.root)
        #expect(without.code == 1 && without.errors.contains("error: enable the trait \(trait): "), "\(without.errors)")
        #expect(without.errors.contains("swift build --traits Tools"))
        #expect(
            without.errors.contains("traits: [\\\"\(trait)\\\"]") || without.errors.contains("traits: [\"\(trait)\"]"))
        let with = try Command("swiftc", arguments + ["-D", trait], in: DocumentationPage.root)
        #expect(with.code == 0 && with.errors.isEmpty, "\(with.errors)")
    }

    @Test(
        "A manifest on a page enables the traits of its products, and no others", .needs(.externalProgram),
        arguments: pages)
    func manifests(page: DocumentationPage) throws {
        for block in page.blocks("swift manifest") {
            try withScratch { folder throws in
                try Data(page.manifest(block).utf8).write(to: folder.appending(path: "Package.swift"))
                let shown = try PackageManifest(at: folder)
                let products = shown.targets.flatMap(\.dependencies).filter { $0.package == "sandboxlint" }
                let needed = products.reduce(into: Set()) { $0.formUnion(package.traits(ofProduct: $1.name)) }
                let enabled = try #require(shown.dependencies.first { $0.identity == "sandboxlint" }).traits
                    .subtracting(["default"])
                #expect(!products.isEmpty)
                #expect(package.expanded(enabled).isSuperset(of: needed), "\(needed)")
                #expect(enabled.isSubset(of: needed), "\(enabled)")
            }
        }
    }
}
