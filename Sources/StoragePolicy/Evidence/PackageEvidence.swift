internal import AppContainer
internal import ContainerTree
internal import PolicyTexts

/// Evidence from packages that programs install: a file beside its entity tag, a component with fingerprints of its files, and a
/// release beside an older one.
///
/// Costs nothing beyond the names that the walk brought. Sources: RFC 9110 §8.8.3 for entity tags; Chromium,
/// components/update_client and extensions/browser/verified_contents.h, for `manifest.fingerprint` and `verified_contents.json`.
struct PackageEvidence: EvidenceSource {
    enum Kind: String, CaseIterable {
        case validatorBeside = "validator-beside"
        case component = "component-package"
        case release = "release-beside-older"
    }
    static let cost = EvidenceCost.names

    /// The directories of components, with the strength of the evidence, and those of releases.
    private let components: [[UInt8]: Double]
    private let releases: Set<[UInt8]>

    init(_ candidates: EvidenceCandidates, incidents: inout [Incident.Reason]) {
        components = Self.components(among: candidates.directories)
        releases = Self.releases(among: candidates.directories, candidates.model.vocabulary)
    }

    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart] {
        var shared: [PieceOfEvidence] = []
        if let strength = structure.ancestors.lazy.compactMap({ components[$0] }).first {
            shared.append(PieceOfEvidence(Kind.component, strength))
        }
        if structure.ancestors.contains(where: releases.contains) { shared.append(PieceOfEvidence(Kind.release)) }
        let validators = structure.names.filter { Self.main(ofValidator: $0) != nil }
        guard group.isListed, !validators.isEmpty else { return [EvidencePart(group, shared)] }
        let mains = Set(validators.compactMap(Self.main(ofValidator:)))
        return EvidencePart.parts(
            of: group,
            by: group.files.map { file in
                let isPair =
                    if let main = Self.main(ofValidator: file.name) {
                        structure.names.contains { $0 != file.name && ($0 == main || Self.stem(of: $0) == main) }
                    } else {
                        mains.contains(file.name) || mains.contains(Self.stem(of: file.name))
                    }
                return shared + (isPair ? [PieceOfEvidence(Kind.validatorBeside)] : [])
            })
    }

    // MARK: - Entity tags

    private static let endings = [".etag", ".headers"].map { Array($0.utf8) }

    /// The name of the file to which an entity tag or the headers of a response belong, with or without its extension; nil for the
    /// name of another file.
    private static func main(ofValidator name: [UInt8]) -> [UInt8]? {
        guard let ending = endings.first(where: { name.count > $0.count && name.suffix($0.count).elementsEqual($0) })
        else { return nil }
        return Array(name.dropLast(ending.count))
    }

    private static func stem(of name: [UInt8]) -> [UInt8] {
        name.lastIndex(of: UInt8(ascii: ".")).map { Array(name[..<$0]) } ?? name
    }

    // MARK: - Components

    private static func components(among directories: [DirectoryEvidence]) -> [[UInt8]: Double] {
        var found: [[UInt8]: Double] = [:]
        for directory in directories {
            let names = Set(directory.groups.lazy.flatMap(\.files).map(\.name))
            let own = ItemPath.name(directory.path)
            if own.elementsEqual("_metadata".utf8), names.contains(Array("verified_contents.json".utf8)) {
                found[ItemPath.parent(directory.path)] = 1
            }
            guard names.contains(Array("manifest.json".utf8)) else { continue }
            if names.contains(Array("manifest.fingerprint".utf8)) {
                found[directory.path] = 1
            } else if isVersion(own[...], parts: 3) {
                found[directory.path] = max(found[directory.path] ?? 0, 0.7)
            }
        }
        return found
    }

    // MARK: - Releases

    private static let mostNames = 20_000
    /// Releases share at least so many names.
    private static let fewest = 3

    /// The directories of releases: their names are versions or times, two of them have mostly files of the same names, and among
    /// these is code.
    private static func releases(among directories: [DirectoryEvidence], _ vocabulary: Vocabulary) -> Set<[UInt8]> {
        var versions: [[UInt8]: [[UInt8]: Set<[UInt8]>]] = [:]
        var code: Set<[UInt8]> = []
        var count = 0
        for directory in directories {
            guard let release = release(containing: directory.path), count < mostNames else { continue }
            let rest = Array(directory.path.dropFirst(release.count))
            for group in directory.groups {
                for file in group.files {
                    let name = ItemPath.joined(rest, name: file.name)
                    versions[ItemPath.parent(release), default: [:]][release, default: []].insert(name)
                    if vocabulary.kinds[Int(group.traits.kind)] == "code" { code.insert(name) }
                    count += 1
                }
            }
        }
        var found: Set<[UInt8]> = []
        for siblings in versions.values where siblings.count > 1 {
            for (release, names) in siblings {
                let isRepeated = siblings.contains { other, names2 in
                    let common = names.intersection(names2)
                    return other != release && common.count >= fewest && common.count * 2 >= names.count
                        && !common.isDisjoint(with: code)
                }
                if isRepeated { found.insert(release) }
            }
        }
        return found
    }

    /// The path of the outermost directory of a path whose name is a version or a time; nil for most paths.
    private static func release(containing path: [UInt8]) -> [UInt8]? {
        path.split(separator: UInt8(ascii: "/")).first { isVersion($0, parts: 2) }.map { Array(path[..<$0.endIndex]) }
    }

    /// Returns true for `1.2.3` and `2026.08.01-10.00.00`: numbers, so many at least, between dots and the like.
    private static func isVersion(_ name: ArraySlice<UInt8>, parts: Int) -> Bool {
        let name = name.first == UInt8(ascii: "v") ? name.dropFirst() : name
        guard name.contains(UInt8(ascii: ".")), name.count <= 32 else { return false }
        let numbers = name.split(omittingEmptySubsequences: false) { ".-_".utf8.contains($0) }
        return numbers.count >= parts
            && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
