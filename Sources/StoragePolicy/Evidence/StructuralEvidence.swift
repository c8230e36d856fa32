internal import AppContainer
internal import ContainerTree

/// Turns names, siblings and times into pieces of evidence.
///
/// Costs nothing beyond what the walk brought. Source: measured on the layouts of real apps, see `rules/EVIDENCE.md`.
struct StructuralEvidence {
    private let model: EvidenceModel
    private let registry: Registry
    private let dates: ContainerDates
    /// Directories beside or in which the archive lies from which they were unpacked.
    private let unpacked: Set<[UInt8]>
    /// The modification times of everything below each directory.
    private let below: [[UInt8]: TimeClusters]
    private var vocabulary: Vocabulary { model.vocabulary }

    init(_ directories: [DirectoryEvidence], dates: ContainerDates, registry: Registry, model: EvidenceModel) {
        self.model = model
        self.registry = registry
        self.dates = dates
        unpacked = Set(directories.flatMap(\.unpacked))
        var below: [[UInt8]: TimeClusters] = [:]
        for directory in directories {
            let times = directory.times
            for path in Self.ancestors(of: directory) { below[path, default: TimeClusters()].add(times) }
        }
        self.below = below
    }

    /// A directory and those above it, nearest first, without the directories of locations.
    private static func ancestors(of directory: DirectoryEvidence) -> [[UInt8]] {
        let root = directory.location.path.utf8.count
        var path = directory.path
        var ancestors: [[UInt8]] = []
        while path.count > root {
            ancestors.append(path)
            path = Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
        }
        return ancestors
    }

    /// The evidence on a group of files.
    func pieces(on group: EvidenceGroup, in directory: DirectoryEvidence) -> [PieceOfEvidence] {
        let traits = group.traits
        let isOpaqueMedia = traits.shape.contains(.opaque) && vocabulary.userMade.contains(Int(traits.kind))
        var pieces = words(of: group, in: directory, isOpaqueMedia: isOpaqueMedia)
        let kind = vocabulary.kinds[Int(traits.kind)]
        pieces.append(PieceOfEvidence("kind-\(kind)", 1, kind))
        if let id = Self.id(of: directory.location) {
            pieces.append(PieceOfEvidence(id, 1, directory.location.path))
        }
        if isOpaqueMedia { pieces.append(PieceOfEvidence("opaque-media", 1, kind)) }
        if directory.isEngineDatabase {
            pieces.append(PieceOfEvidence("engine-database"))
        } else if traits.shape.contains(.log), !Self.structured.contains(kind) {
            pieces.append(PieceOfEvidence("log-name"))
        }
        if traits.shape.contains(.scale) { pieces.append(PieceOfEvidence("scale-name")) }
        if traits.shape.contains(.derived) {
            pieces.append(PieceOfEvidence("derived-name"))
            if hasOriginals(group, in: directory) { pieces.append(PieceOfEvidence("derived-beside-original")) }
        }
        pieces += archives(group, in: directory)
        pieces += layout(of: group, in: directory, kind)
        pieces += times(of: group, in: directory, isOpaqueMedia: isOpaqueMedia)
        if group.items >= 50 { pieces.append(PieceOfEvidence("many-alike", 1, "\(group.items) files")) }
        if traits.registryEntry >= 0 {
            let entry = registry.entries[Int(traits.registryEntry)]
            let id = entry.holds == .regenerable || entry.holds == .diagnostics ? "registry-observed" : "registry-kept"
            pieces.append(PieceOfEvidence(id, 1, entry.sdk))
        }
        return pieces
    }

    private static let structured: Set<String> = ["database", "property-list", "data"]

    private static func id(of location: Location) -> String? {
        switch location {
        case .documents: "in-documents"
        case .root: "in-group-root"
        case .applicationSupport: nil
        default: "in-library"
        }
    }

    // MARK: - Words

    /// The words of the name and of the directories above: the nearer to the file, the more they count, and of a
    /// component's words the last one most, since it is the noun: `RemoteConfigCache` is a cache.
    private func words(
        of group: EvidenceGroup, in directory: DirectoryEvidence, isOpaqueMedia: Bool
    ) -> [PieceOfEvidence] {
        var best: [Int: (strength: Double, word: String)] = [:]
        var head: Int?
        func take(_ theme: Int, _ strength: Double, _ word: String) {
            let strength = strength * (isOpaqueMedia ? Self.trust(in: vocabulary.themes[theme]) : 1)
            if strength > best[theme]?.strength ?? 0 { best[theme] = (strength, word) }
        }
        for theme in 0..<vocabulary.themes.count where group.traits.themes & 1 << UInt32(theme) != 0 {
            let isHead = group.traits.head == theme
            let countsFully = isHead || vocabulary.themes[theme] == "personal"
            take(theme, countsFully ? 1 : Self.besideHead, group.files.first.map { Self.shown($0.name) } ?? "")
            if isHead { head = theme }
        }
        let root = directory.location.path.utf8.count
        let components = directory.path.dropFirst(root).split(separator: UInt8(ascii: "/")).reversed()
        var hasBundle = false
        for (distance, component) in components.enumerated() {
            let decay = Self.decays[min(distance, Self.decays.count - 1)]
            var last: (theme: Int, before: [Int])?
            Array(component).withUnsafeBytes { bytes in
                NameWords.forEach(in: bytes) { word in
                    guard let theme = vocabulary.theme(of: word) else { return }
                    last = (theme, (last?.before ?? []) + (last.map { [$0.theme] } ?? []))
                }
            }
            if Self.bundles.contains(where: { component.suffix($0.utf8.count).elementsEqual($0.utf8) }) {
                hasBundle = true
            }
            guard let last else { continue }
            let shown = Self.shown(Array(component)) + "/"
            take(last.theme, decay, shown)
            for theme in last.before { take(theme, decay * Self.besideHead, shown) }
            if head == nil { head = last.theme }
        }
        var pieces = best.sorted { $0.key < $1.key }.map { theme, found in
            PieceOfEvidence("word-\(vocabulary.themes[theme])", found.strength, found.word)
        }
        if let head {
            let theme = vocabulary.themes[head]
            let strength = isOpaqueMedia ? Self.trust(in: theme) : 1
            pieces.append(PieceOfEvidence("nearest-\(theme)", strength, best[head]?.word ?? ""))
        }
        if hasBundle { pieces.append(PieceOfEvidence("bundle-directory")) }
        return pieces
    }

    /// How much a theme counts for pictures, sounds, videos and documents whose names say nothing. A directory that an app
    /// calls a cache may hold the user's messages: apps cache what they decrypt.
    private static func trust(in theme: String) -> Double { theme == "cache" || theme == "temp" ? 0.3 : 1 }

    private static let bundles = [".bundle", ".lproj", ".car"]
    /// The strength of a word that is not the last one of its component.
    private static let besideHead = 0.5
    /// The strength of words by their distance: the file's own directory, the one above it, ….
    private static let decays = [0.75, 0.5625, 0.42, 0.32, 0.24, 0.18, 0.13, 0.1]

    private static func shown(_ name: [UInt8]) -> String {
        String(decoding: name.prefix(60), as: UTF8.self)
    }

    // MARK: - Structure

    /// Whether originals lie beside files whose names end in `.thumb` and the like.
    private func hasOriginals(_ group: EvidenceGroup, in directory: DirectoryEvidence) -> Bool {
        let names = Set(directory.groups.lazy.filter { $0.traits != group.traits }.flatMap { $0.files.map(\.name) })
        return group.files.contains { file in
            guard let dot = file.name.lastIndex(of: UInt8(ascii: ".")) else { return false }
            return names.contains(Array(file.name[..<dot]))
        }
    }

    /// Layouts that programs make: a pyramid of map tiles, a web bundle, the segments of a stream.
    private func layout(
        of group: EvidenceGroup, in directory: DirectoryEvidence, _ kind: String
    ) -> [PieceOfEvidence] {
        let names = directory.path.split(separator: UInt8(ascii: "/")).suffix(2)
        func isNumber(_ name: some Sequence<UInt8>) -> Bool { name.allSatisfy { (0x30...0x39).contains($0) } }
        if names.count == 2, names.allSatisfy(isNumber),
            group.files.allSatisfy({ file in
                isNumber(file.name.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") })
            })
        {
            return [PieceOfEvidence("tile-pyramid")]
        }
        let files = directory.groups.lazy.flatMap(\.files).map(\.name)
        if kind == "code" || kind == "json" || kind == "font" || kind == "picture",
            files.contains(Array("index.html".utf8)), files.contains(where: Self.isHashedScript)
        {
            return [PieceOfEvidence("web-bundle")]
        }
        if files.contains(where: { $0.suffix(5).elementsEqual(".m3u8".utf8) }),
            group.files.allSatisfy({
                $0.name.suffix(3).elementsEqual(".ts".utf8) || $0.name.suffix(4).elementsEqual(".m4s".utf8)
            })
        {
            return [PieceOfEvidence("stream-segments")]
        }
        return []
    }

    /// Whether a build tool named a script: `main.3f2a91bc.js`.
    private static func isHashedScript(_ name: [UInt8]) -> Bool {
        guard name.suffix(3).elementsEqual(".js".utf8) else { return false }
        return name.dropLast(3).split(whereSeparator: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }).contains {
            $0.count >= 6 && $0.contains(where: { (0x30...0x39).contains($0) })
        }
    }

    /// An archive beside its unpacked copy, and the copy.
    private func archives(_ group: EvidenceGroup, in directory: DirectoryEvidence) -> [PieceOfEvidence] {
        if vocabulary.archives.contains(Int(group.traits.kind)) {
            let isUnpacked = group.files.contains { file in
                file.name.withUnsafeBytes { name in
                    directory.isUnpacked(
                        Array(NameTraits.stem(of: name, Int(group.traits.kind), vocabulary)))
                }
            }
            if isUnpacked { return [PieceOfEvidence("archive-beside-unpacked")] }
            let isBesideDirectory =
                directory.hasSubdirectories && directory.path.count > directory.location.path.utf8.count
            return isBesideDirectory ? [PieceOfEvidence("archive-beside-unpacked", 0.5)] : []
        }
        let isCopy = Self.ancestors(of: directory).contains { unpacked.contains($0) }
        return isCopy ? [PieceOfEvidence("unpacked-copy")] : []
    }

    /// The time over which files that users add one by one accumulate, in seconds.
    private static let weeks: Int64 = 7 * 86_400

    /// Files written in one burst, and files older than their container. Where most files of the container share an
    /// hour, as after a copy, times count less; a user's import of pictures is a burst as well, and keeps their dates.
    private func times(
        of group: EvidenceGroup, in directory: DirectoryEvidence, isOpaqueMedia: Bool
    ) -> [PieceOfEvidence] {
        if group.items >= 5, group.times.distinct >= 5, group.newest - group.oldest > Self.weeks, !dates.isFlat {
            return [PieceOfEvidence("human-intervals", 1, "\(group.items) files")]
        }
        guard !isOpaqueMedia else { return [] }
        let strength = dates.isFlat ? 0.4 : 1
        var pieces: [PieceOfEvidence] = []
        let family = directory.groups.filter { $0.traits.kind == group.traits.kind }
            .reduce(into: TimeClusters()) { $0.add($1.times) }
        if family.count >= 5, family.largestShare > 0.8 {
            pieces.append(PieceOfEvidence("burst-of-kind", strength, "\(family.count) files"))
        }
        for path in Self.ancestors(of: directory) {
            guard let times = below[path], times.count >= 5 else { continue }
            if times.largestShare > 0.8 {
                pieces.append(PieceOfEvidence("burst-of-directory", strength, "\(times.count) files"))
            }
            break
        }
        if let created = dates.created, group.oldest < created - 86_400, group.oldest > 0 {
            pieces.append(PieceOfEvidence("older-than-container"))
        }
        return pieces
    }
}
