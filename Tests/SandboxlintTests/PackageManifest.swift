import Foundation
import TestSupport

/// A package manifest, as `swift package dump-package` prints it.
struct PackageManifest: Decodable {
    let products: [Product]
    let targets: [Target]
    let traits: [Trait]
    let dependencies: [Package]

    struct Product: Decodable {
        let name: String
        let targets: [String]
    }

    struct Target: Decodable {
        let name: String
        let dependencies: [Dependency]
    }

    struct Trait: Decodable {
        let name: String
        let enabledTraits: [String]
    }

    /// A dependency of a target: the name of a target or product, the package of a product, and its traits.
    struct Dependency: Decodable {
        let name: String
        let package: String?
        let traits: Set<String>

        private enum CodingKeys: CodingKey { case byName, product, target }
        private struct Condition: Decodable { let traits: [String]? }

        init(from decoder: any Decoder) throws {
            let kinds = try decoder.container(keyedBy: CodingKeys.self)
            guard let kind = kinds.allKeys.first else {
                throw DecodingError.valueNotFound(
                    Dependency.self, .init(codingPath: decoder.codingPath, debugDescription: "no kind of dependency"))
            }
            var values = try kinds.nestedUnkeyedContainer(forKey: kind)
            name = try values.decode(String.self)
            package = kind == .product ? try values.decodeIfPresent(String.self) : nil
            if kind == .product { _ = try values.decodeIfPresent([String: String].self) }
            traits = Set(try values.decodeIfPresent(Condition.self)?.traits ?? [])
        }
    }

    /// A dependency of the package on another one.
    struct Package: Decodable {
        let identity: String
        let traits: Set<String>

        private struct Source: Decodable {
            struct Trait: Decodable { let name: String }
            let identity: String
            let traits: [Trait]?
        }

        init(from decoder: any Decoder) throws {
            let sources = try decoder.singleValueContainer().decode([String: [Source]].self)
            guard let source = sources.values.first?.first else {
                throw DecodingError.valueNotFound(
                    Package.self, .init(codingPath: decoder.codingPath, debugDescription: "no source of the package"))
            }
            identity = source.identity
            traits = Set(source.traits?.map(\.name) ?? [])
        }
    }

    /// A manifest that SwiftPM refuses.
    struct Unreadable: Error, CustomStringConvertible { let description: String }

    /// The manifest of this package.
    static let root = Result { try PackageManifest(at: DocumentationPage.root) }

    /// Reads the manifest in a folder.
    init(at folder: URL) throws {
        let run = try withScratch { scratch throws in
            try Command(
                "swift", ["package", "--package-path", folder.path, "--scratch-path", scratch.path, "dump-package"])
        }
        guard run.code == 0 else { throw Unreadable(description: run.errors) }
        self = try JSONDecoder().decode(PackageManifest.self, from: run.output)
    }

    /// Returns the target of a name and the targets that it depends on.
    func closure(of name: String) -> [Target] {
        var (names, found): ([String], [Target]) = ([name], [])
        while let name = names.popLast() {
            guard let target = targets.first(where: { $0.name == name }), !found.contains(where: { $0.name == name })
            else { continue }
            found.append(target)
            names += target.dependencies.filter { $0.package == nil && $0.traits.isEmpty }.map(\.name)
        }
        return found
    }

    /// Returns the traits that the packages of a product need.
    func traits(ofProduct name: String) -> Set<String> {
        let roots = products.filter { $0.name == name }.flatMap(\.targets)
        return Set(roots.flatMap(closure).flatMap(\.dependencies).flatMap(\.traits))
    }

    /// Returns the given traits and those that they enable.
    func expanded(_ names: Set<String>) -> Set<String> {
        names.union(traits.filter { names.contains($0.name) }.flatMap(\.enabledTraits))
    }
}
