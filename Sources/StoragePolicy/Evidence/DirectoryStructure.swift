internal import AppContainer
internal import ContainerTree
internal import PolicyTexts
internal import TextOutput

/// Evidence that all groups of one directory share, found once for the directory.
///
/// Costs time in proportion to the names that are kept of the directory.
struct DirectoryStructure {
    /// A component of the directory's path, with the themes of its words.
    struct Component {
        /// The component, with the slash after it.
        let name: [UInt8]
        /// The theme of its last word, the noun; nil where no word has a theme.
        let head: Int?
        /// The themes of the words before it.
        let others: [Int]
    }

    let directory: DirectoryEvidence
    let vocabulary: Vocabulary
    /// The components below the location, nearest first, at most `mostComponents`.
    let components: [Component]
    /// The paths of the directory and those above it in its location, nearest first, at most `mostComponents`.
    let ancestors: [[UInt8]]
    /// True if the directory lies in a resource bundle.
    let isInBundle: Bool
    /// True if the directory is a column of map tiles: its name and its parent's are numbers.
    let isTileColumn: Bool
    /// True if `index.html` lies beside a script that a build tool named.
    let isWebBundle: Bool
    /// True if the playlist of a stream and segments of it lie here.
    let isStream: Bool
    /// True if the directory belongs to a repository of a version control system, in which people work.
    let isInRepository: Bool
    /// True if pictures, sounds, films and documents with names that say nothing lie here together, at least three of the four,
    /// as people send them to each other; a cache of what a server shows has one or two.
    let hasMixedMedia: Bool
    /// The words of the directory's path, for the second judge of names.
    private let pathTokens: Set<PathWords.Token>
    /// The app's own name, in small letters; its words say nothing about a file.
    let ownName: [UInt8]
    /// The names that are kept of the files.
    let names: Set<[UInt8]>
    private let times: [UInt8: TimeClusters]

    /// Components and ancestors that are further away say nothing about a file.
    static let mostComponents = 12
    /// The directories in which git, Mercurial and Subversion keep their data.
    static let repositories = [".git", ".hg", ".svn"]
    private static let bundles = [".bundle", ".lproj", ".car"]

    /// - Parameters:
    ///   - directory: The candidates of the directory.
    ///   - vocabulary: The themes of words.
    ///   - identifier: The app's bundle identifier. Its words, and those of the app's name in it, say nothing.
    init(_ directory: DirectoryEvidence, vocabulary: Vocabulary, identifier: String?) {
        (self.directory, self.vocabulary) = (directory, vocabulary)
        let path = directory.path
        let below = path.dropFirst(directory.location.path.utf8.count).split(separator: UInt8(ascii: "/"))
        let nearest = below.suffix(Self.mostComponents).reversed()
        let own = identifier.map { Array($0.utf8) } ?? []
        let ownName = identifier.map(OwnName.init)?.bytes ?? []
        self.ownName = ownName
        let told = nearest.map { $0.elementsEqual(own) ? [] : OwnName.removed(ownName, from: $0) }
        components = zip(nearest, told).map { Component($0, words: $1, vocabulary: vocabulary) }
        pathTokens = PathWords.tokens(ofDirectories: told, vocabulary)
        ancestors = nearest.map { Array(path[..<$0.endIndex]) }
        isInBundle = nearest.contains { component in
            Self.bundles.contains { component.suffix($0.utf8.count).elementsEqual($0.utf8) }
        }
        isTileColumn = below.count >= 2 && below.suffix(2).allSatisfy { $0.allSatisfy(Self.isDigit) }
        names = Set(directory.groups.lazy.flatMap(\.files).map(\.name))
        isWebBundle = names.contains(Array("index.html".utf8)) && names.contains(where: Self.isHashedScript)
        let endings = Set(
            names.lazy.compactMap { name in name.lastIndex(of: UInt8(ascii: ".")).map { Array(name[$0...]) } })
        isStream =
            endings.contains(Array(".m3u8".utf8))
            && [".ts", ".m4s"].contains { endings.contains(Array($0.utf8)) }
        isInRepository =
            below.contains { component in Self.repositories.contains { component.elementsEqual($0.utf8) } }
            || directory.isRepository
        hasMixedMedia =
            Set(
                directory.groups.lazy.map(\.traits).filter {
                    $0.shape.contains(.opaque) && vocabulary.userMade.contains(Int($0.kind))
                }.map(\.kind)
            ).count >= 3
        times = directory.groups.reduce(into: [:]) { times, group in
            times[group.traits.kind, default: TimeClusters()].add(group.times)
        }
    }

    /// The words of a file's path, for the second judge of names.
    func tokens(of name: [UInt8]) -> Set<PathWords.Token> {
        PathWords.tokens(of: OwnName.removed(ownName, from: name), below: pathTokens, vocabulary)
    }

    /// The modification times of all candidates of a kind in this directory.
    func times(ofKind kind: UInt8) -> TimeClusters { times[kind] ?? TimeClusters() }

    /// Returns true if originals lie beside files whose names end in `.thumb` and the like.
    func hasOriginals(of group: EvidenceGroup) -> Bool {
        group.files.contains { NameForm.originals(of: $0.name).contains(where: names.contains) }
    }

    /// Layouts that programs make: a pyramid of map tiles, a web bundle, the segments of a stream.
    func layout(of group: EvidenceGroup, kind: String) -> PieceOfEvidence? {
        if isTileColumn,
            group.files.allSatisfy({ file in
                let row = file.name.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "@") }
                return !row.isEmpty && row.allSatisfy(Self.isDigit)
            })
        {
            return PieceOfEvidence(StructuralEvidence.Kind.tilePyramid)
        }
        if isWebBundle, ["code", "json", "font", "picture"].contains(kind) {
            return PieceOfEvidence(StructuralEvidence.Kind.webBundle)
        }
        if isStream, group.files.allSatisfy({ Self.isStream($0.name) }) {
            return PieceOfEvidence(StructuralEvidence.Kind.streamSegments)
        }
        return nil
    }

    private static func isStream(_ name: [UInt8]) -> Bool {
        [".ts", ".m4s", ".m3u8"].contains { name.suffix($0.utf8.count).elementsEqual($0.utf8) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Returns true if a build tool named a script: `main.3f2a91bc.js`.
    private static func isHashedScript(_ name: [UInt8]) -> Bool {
        guard name.suffix(3).elementsEqual(".js".utf8) else { return false }
        return name.dropLast(3).split(whereSeparator: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }).contains {
            $0.count >= 6 && $0.contains(where: isDigit)
        }
    }
}

extension DirectoryStructure.Component {
    fileprivate init(_ name: ArraySlice<UInt8>, words: [UInt8], vocabulary: Vocabulary) {
        self.name = name + [UInt8(ascii: "/")]
        var themes: [Int] = []
        // The letters of a hash make no words, in a directory's name no more than in a file's.
        words.withUnsafeBytes { bytes in
            guard !NameForm.isOpaque(bytes) else { return }
            NameWords.forEach(in: bytes) { word in
                if let theme = vocabulary.theme(of: word) { themes.append(theme) }
            }
        }
        head = themes.popLast()
        others = themes
    }
}

/// The name of an app, as its bundle identifier ends: in `ServerAuditor.sqlite` of `com.example.ServerAuditor` no word says
/// what the file is.
struct OwnName {
    /// The name in small letters; empty where the identifier ends with a word that many do.
    let bytes: [UInt8]
    /// Shorter names are words that directories have, too: `com.example.Maps`.
    private static let fewestLetters = 5
    private static let general: Set<String> = ["iphone", "mobile", "client", "share", "widget", "extension"]

    init(_ identifier: String) {
        let last = identifier.lowercased().split(separator: ".").last ?? ""
        bytes = last.utf8.count < Self.fewestLetters || Self.general.contains(String(last)) ? [] : Array(last.utf8)
    }

    /// Returns a name with a separator wherever the app's own name is in it.
    static func removed(_ own: [UInt8], from name: some Collection<UInt8>) -> [UInt8] {
        var rest = Array(name)
        guard !own.isEmpty, rest.count >= own.count else { return rest }
        var start = 0
        while start + own.count <= rest.count {
            if zip(rest[start...], own).allSatisfy({ ($0 | ($0 >= 0x41 && $0 <= 0x5a ? 0x20 : 0)) == $1 }) {
                rest.replaceSubrange(start..<(start + own.count), with: [UInt8(ascii: "-")])
            }
            start += 1
        }
        return rest
    }
}
