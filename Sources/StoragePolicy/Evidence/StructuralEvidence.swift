internal import AppContainer
internal import ContainerTree
internal import PolicyTexts
internal import TextOutput

/// Turns names, siblings and times into pieces of evidence.
///
/// Costs nothing beyond what the walk brought, but for the listings of archives beside their unpacked copies. Source: measured on the layouts of real apps, see `rules/EVIDENCE.md`.
struct StructuralEvidence: EvidenceSource {
    enum Kind: String, CaseIterable {
        case inDocuments = "in-documents"
        case inLibrary = "in-library"
        case inGroupRoot = "in-group-root"
        case opaqueMedia = "opaque-media"
        case mixedMedia = "mixed-media"
        case engineDatabase = "engine-database"
        case logName = "log-name"
        case scaleName = "scale-name"
        case derivedName = "derived-name"
        case derivedBesideOriginal = "derived-beside-original"
        case bundleDirectory = "bundle-directory"
        case archiveBesideUnpacked = "archive-beside-unpacked"
        case unpackedCopy = "unpacked-copy"
        case tilePyramid = "tile-pyramid"
        case webBundle = "web-bundle"
        case streamSegments = "stream-segments"
        case repository
        case humanIntervals = "human-intervals"
        case burstOfKind = "burst-of-kind"
        case burstOfDirectory = "burst-of-directory"
        case manyAlike = "many-alike"
        case hashName = "hash-name"
        case assetName = "asset-name"
        case spacedName = "spaced-name"
        case tinyFile = "tiny-file"
        case addressName = "address-name"
        case registryObserved = "registry-observed"
        case registryKept = "registry-kept"
        case storeFormat = "store-format"
    }
    static let cost = EvidenceCost.names

    /// The fixed kinds, and one of each theme of words and of each kind of file.
    static func kinds(_ vocabulary: Vocabulary) -> [String] {
        Kind.allCases.map(\.rawValue) + vocabulary.themes.flatMap { [wordID($0), nearestID($0)] }
            + vocabulary.kinds.map(kindID)
    }

    private static func wordID(_ theme: String) -> String { "word-\(theme)" }
    private static func nearestID(_ theme: String) -> String { "nearest-\(theme)" }
    private static func kindID(_ kind: String) -> String { "kind-\(kind)" }

    private let tree: any Tree
    private let vocabulary: Vocabulary
    private let registry: Registry
    /// The keys of the weights of words, nearest words and kinds of files, by their numbers in the vocabulary.
    private let ids: (words: [String], nearest: [String], kinds: [String])
    /// True if more than half of the files share one hour, as after a copy, so that times say nothing.
    private let isFlat: Bool
    /// Directories beside or in which the archive lies from which they were unpacked.
    private let unpacked: Set<[UInt8]>
    /// Archives whose listings differ from the directory of their name.
    private let differing: Set<[UInt8]>
    /// The modification times of everything below each directory.
    private let below: [[UInt8]: TimeClusters]

    init(_ candidates: EvidenceCandidates, incidents: inout [Incident.Reason]) {
        (tree, vocabulary) = (candidates.tree, candidates.model.vocabulary)
        registry = candidates.run.registry
        isFlat = candidates.isFlat
        ids = (
            vocabulary.themes.map(Self.wordID), vocabulary.themes.map(Self.nearestID),
            vocabulary.kinds.map(Self.kindID)
        )
        let compared = ComparedArchives(candidates)
        differing = compared.differing
        unpacked = Set(candidates.directories.flatMap(\.unpacked)).subtracting(compared.others)
        var below: [[UInt8]: TimeClusters] = [:]
        for directory in candidates.directories {
            let times = directory.times
            for path in Self.ancestors(of: directory) { below[path, default: TimeClusters()].add(times) }
        }
        self.below = below
    }

    /// The paths of a directory and those above it in its location, nearest first.
    private static func ancestors(of directory: DirectoryEvidence) -> [[UInt8]] {
        let path = directory.path
        return path.dropFirst(directory.location.path.utf8.count).split(separator: UInt8(ascii: "/"))
            .suffix(DirectoryStructure.mostComponents).reversed().map { Array(path[..<$0.endIndex]) }
    }

    func parts(
        of group: EvidenceGroup, in structure: DirectoryStructure, besides known: [PieceOfEvidence]
    ) -> [EvidencePart] { [EvidencePart(group, pieces(on: group, in: structure))] }

    private func pieces(on group: EvidenceGroup, in structure: DirectoryStructure) -> [PieceOfEvidence] {
        let (traits, location) = (group.traits, structure.directory.location)
        let isOpaqueMedia = traits.shape.contains(.opaque) && vocabulary.userMade.contains(Int(traits.kind))
        var pieces = words(of: group, in: structure, isOpaqueMedia: isOpaqueMedia)
        let kind = vocabulary.kinds[Int(traits.kind)]
        pieces.append(PieceOfEvidence(id: ids.kinds[Int(traits.kind)], 1, kind))
        if let kind = Self.kind(of: location) { pieces.append(PieceOfEvidence(kind, 1, location.path)) }
        if isOpaqueMedia {
            pieces.append(PieceOfEvidence(Kind.opaqueMedia, 1, kind))
            if structure.hasMixedMedia { pieces.append(PieceOfEvidence(Kind.mixedMedia)) }
        }
        if structure.directory.isEngineDatabase || traits.shape.contains(.engine) {
            pieces.append(PieceOfEvidence(Kind.engineDatabase))
        } else if traits.shape.contains(.log), !Self.structured.contains(kind) {
            pieces.append(PieceOfEvidence(Kind.logName))
        }
        if structure.isInRepository { pieces.append(PieceOfEvidence(Kind.repository)) }
        if traits.shape.contains(.scale) { pieces.append(PieceOfEvidence(Kind.scaleName)) }
        if traits.shape.contains(.derived) {
            pieces.append(PieceOfEvidence(Kind.derivedName))
            if structure.hasOriginals(of: group) || hasOtherOriginals(group, in: structure.directory) {
                pieces.append(PieceOfEvidence(Kind.derivedBesideOriginal))
            }
        }
        if !vocabulary.userMade.contains(Int(traits.kind)) || kind == "picture",
            group.files.contains(where: { NameForm.isAddress($0.name) })
        {
            pieces.append(PieceOfEvidence(Kind.addressName))
        }
        pieces += archives(group, in: structure)
        if let layout = structure.layout(of: group, kind: kind) { pieces.append(layout) }
        let form = GroupForm(group, vocabulary: vocabulary)
        var times = times(of: group, in: structure, isOpaqueMedia: isOpaqueMedia)
        let accumulates = times.contains { $0.id == Kind.humanIntervals.rawValue }
        // Caches fill over weeks as well, and people name no file by its hash.
        if form.isHashed { times.removeAll { $0.id == Kind.humanIntervals.rawValue } }
        pieces += times + forms(form, of: group, accumulates: accumulates)
        if traits.registryEntry >= 0 {
            let entry = registry.entries[Int(traits.registryEntry)]
            let isObserved = entry.holds == .regenerable || entry.holds == .diagnostics
            let kind = entry.verified == .format ? Kind.storeFormat : isObserved ? .registryObserved : .registryKept
            pieces.append(PieceOfEvidence(kind, 1, entry.sdk))
        }
        return pieces
    }

    /// The number of the files, their names and sizes. Files that accumulate may be one document each, and people have many pictures,
    /// so that their number says nothing unless they are named as a program's.
    private func forms(_ form: GroupForm, of group: EvidenceGroup, accumulates: Bool) -> [PieceOfEvidence] {
        let isUserMade = vocabulary.userMade.contains(Int(group.traits.kind))
        let isAsset = isUserMade && form.isAsset
        var pieces: [PieceOfEvidence] = []
        if group.items >= Self.fewestAlike, !accumulates, !isUserMade || isAsset {
            pieces.append(
                PieceOfEvidence(Kind.manyAlike, form.multitude, Quantity.count(group.items, "file")))
        }
        if isAsset { pieces.append(PieceOfEvidence(Kind.assetName)) }
        if form.isHashed { pieces.append(PieceOfEvidence(Kind.hashName)) }
        if form.isSpaced { pieces.append(PieceOfEvidence(Kind.spacedName)) }
        if group.items < Self.fewestAlike, Self.settings.contains(vocabulary.kinds[Int(group.traits.kind)]), form.isTiny
        {
            pieces.append(PieceOfEvidence(Kind.tinyFile))
        }
        return pieces
    }

    /// The kinds of files in which apps keep a mark, a counter or a setting.
    private static let settings: Set<String> = ["none", "other", "data", "json", "text", "property-list"]
    /// Fewer files of one kind are no multitude.
    private static let fewestAlike = 3

    /// Returns true if originals lie beside files that are no candidates, such as recordings that are excluded from backup.
    private func hasOtherOriginals(_ group: EvidenceGroup, in directory: DirectoryEvidence) -> Bool {
        group.files.prefix(3).contains { file in
            NameForm.originals(of: file.name).contains { tree.contains(directory.path(of: $0)) }
        }
    }

    private static let structured: Set<String> = ["database", "property-list", "data"]

    private static func kind(of location: Location) -> Kind? {
        switch location {
        case .documents: .inDocuments
        case .root: .inGroupRoot
        case .applicationSupport: nil
        default: .inLibrary
        }
    }

    // MARK: - Words

    /// The words of the name and of the directories above: the nearer to the file, the more they count, and of a
    /// component's words the last one most, since it is the noun: `RemoteConfigCache` is a cache.
    private func words(
        of group: EvidenceGroup, in structure: DirectoryStructure, isOpaqueMedia: Bool
    ) -> [PieceOfEvidence] {
        var best: [(theme: Int, strength: Double, word: [UInt8])] = []
        var head: Int?
        func add(_ theme: Int, strength: Double, word: [UInt8]) {
            let strength = strength * (isOpaqueMedia ? Self.trust(in: vocabulary.themes[theme]) : 1)
            guard let index = best.firstIndex(where: { $0.theme == theme }) else {
                return best.append((theme, strength, word))
            }
            if strength > best[index].strength { best[index] = (theme, strength, word) }
        }
        let traits = ownTraits(of: group, in: structure)
        for theme in 0..<vocabulary.themes.count where traits.themes & 1 << UInt32(theme) != 0 {
            let isHead = traits.head == theme
            let countsFully = isHead || vocabulary.themes[theme] == "personal"
            add(theme, strength: countsFully ? 1 : Self.besideHead, word: group.files.first?.name ?? [])
            if isHead { head = theme }
        }
        for (distance, component) in structure.components.enumerated() {
            guard let last = component.head else { continue }
            let decay = Self.decays[min(distance, Self.decays.count - 1)]
            add(last, strength: decay, word: component.name)
            for theme in component.others { add(theme, strength: decay * Self.besideHead, word: component.name) }
            if head == nil { head = last }
        }
        best.sort { $0.theme < $1.theme }
        var pieces = best.map { PieceOfEvidence(id: ids.words[$0.theme], $0.strength, name: $0.word) }
        if let head {
            let strength = isOpaqueMedia ? Self.trust(in: vocabulary.themes[head]) : 1
            let word = best.first { $0.theme == head }?.word ?? []
            pieces.append(PieceOfEvidence(id: ids.nearest[head], strength, name: word))
        }
        if structure.isInBundle { pieces.append(PieceOfEvidence(Kind.bundleDirectory)) }
        return pieces
    }

    /// The traits of a group without the words of the app's own name.
    private func ownTraits(of group: EvidenceGroup, in structure: DirectoryStructure) -> NameTraits {
        guard group.traits.themes != 0, !structure.ownName.isEmpty, let name = group.files.first?.name else {
            return group.traits
        }
        let told = OwnName.removed(structure.ownName, from: name)
        guard told != name else { return group.traits }
        return told.withUnsafeBytes { NameTraits($0, kind: Int(group.traits.kind), vocabulary: vocabulary) }
    }

    /// Returns the weight of a theme for media and documents with opaque names. A directory that an app calls a cache
    /// may hold the user's messages: apps cache what they decrypt.
    private static func trust(in theme: String) -> Double { theme == "cache" || theme == "temp" ? 0.3 : 1 }

    /// The strength of a word that is not the last one of its component.
    private static let besideHead = 0.5
    /// The strength of words by their distance: the file's own directory, the one above it, ….
    private static let decays = [0.75, 0.5625, 0.42, 0.32, 0.24, 0.18, 0.13, 0.1]

    // MARK: - Archives and times

    /// An archive beside its unpacked copy, and the copy.
    private func archives(_ group: EvidenceGroup, in structure: DirectoryStructure) -> [PieceOfEvidence] {
        let directory = structure.directory
        if vocabulary.archives.contains(Int(group.traits.kind)) {
            let isUnpacked = group.files.contains { file in
                guard !differing.contains(directory.path(of: file.name)) else { return false }
                return file.name.withUnsafeBytes { name in
                    directory.unpackedStems.contains(
                        Array(NameTraits.stem(of: name, Int(group.traits.kind), vocabulary: vocabulary)))
                }
            }
            return isUnpacked ? [PieceOfEvidence(Kind.archiveBesideUnpacked)] : []
        }
        return structure.ancestors.contains(where: unpacked.contains) ? [PieceOfEvidence(Kind.unpackedCopy)] : []
    }

    /// The time over which files that users add one by one accumulate, in seconds.
    private static let weeks: Int64 = 7 * 86_400

    /// Files written in one burst, and files that accumulated. Where most files of the container share an hour, as after a
    /// copy, times say nothing; a user's import of pictures is a burst as well, and keeps their dates.
    private func times(
        of group: EvidenceGroup, in structure: DirectoryStructure, isOpaqueMedia: Bool
    ) -> [PieceOfEvidence] {
        guard !isFlat else { return [] }
        if group.items >= 5, group.times.distinct >= 5, group.timeSpan > Self.weeks {
            return [PieceOfEvidence(Kind.humanIntervals, 1, Quantity.count(group.items, "file"))]
        }
        guard !isOpaqueMedia else { return [] }
        var pieces: [PieceOfEvidence] = []
        let family = structure.times(ofKind: group.traits.kind)
        if family.count >= 5, family.burstShare > 0.8 {
            pieces.append(PieceOfEvidence(Kind.burstOfKind, 1, Quantity.count(family.count, "file")))
        }
        let nearest = structure.ancestors.lazy.compactMap { below[$0] }.first { $0.count >= 5 }
        if let nearest, nearest.burstShare > 0.8 {
            pieces.append(PieceOfEvidence(Kind.burstOfDirectory, 1, Quantity.count(nearest.count, "file")))
        }
        return pieces
    }
}

/// The archives beside a directory of their name, compared with it by names and sizes.
private struct ComparedArchives {
    private(set) var differing: Set<[UInt8]> = []
    /// The directories that are no copies of the archives.
    private(set) var others: Set<[UInt8]> = []

    private static let most = 256
    private static let mostEntries = 8

    init(_ candidates: EvidenceCandidates) {
        let vocabulary = candidates.model.vocabulary
        var left = Self.most
        for directory in candidates.directories where !directory.unpackedStems.isEmpty {
            for group in directory.groups where vocabulary.archives.contains(Int(group.traits.kind)) {
                for file in group.files where left > 0 {
                    let stem = file.name.withUnsafeBytes {
                        Array(NameTraits.stem(of: $0, Int(group.traits.kind), vocabulary: vocabulary))
                    }
                    guard directory.unpackedStems.contains(stem) else { continue }
                    left -= 1
                    let path = directory.path(of: file.name)
                    let copy = directory.path(of: stem)
                    let listing = ZipListing(size: file.bytes) { candidates.tree.bytes(of: path, count: $0, at: $1) }
                    guard let listing, !Self.agrees(listing, with: [copy, directory.path], in: candidates.tree) else {
                        continue
                    }
                    differing.insert(path)
                    others.insert(copy)
                    if ItemPath.name(directory.path) == stem { others.insert(directory.path) }
                }
            }
        }
    }

    /// Returns true if at least half of the first files of an archive are in one of the directories, with their sizes, perhaps
    /// without the first component of their paths.
    private static func agrees(_ listing: ZipListing, with directories: [[UInt8]], in tree: any Tree) -> Bool {
        let entries = listing.entries.prefix(mostEntries)
        return directories.contains { directory in
            let found = entries.count { entry in
                let below = entry.path.firstIndex(of: UInt8(ascii: "/")).map { Array(entry.path[($0 + 1)...]) }
                return [entry.path, below].compactMap { $0 }.contains { path in
                    isFile(ItemPath.joined(directory, name: path), of: entry.size, in: tree)
                }
            }
            return found * 2 >= entries.count
        }
    }

    private static func isFile(_ path: [UInt8], of size: UInt64?, in tree: any Tree) -> Bool {
        guard path.count <= 1_024, let size, size > 0 else { return tree.contains(path) }
        return tree.bytes(of: path, count: 1, at: size - 1)?.count == 1
            && tree.bytes(of: path, count: 1, at: size) == []
    }
}
