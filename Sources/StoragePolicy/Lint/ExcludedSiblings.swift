internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// The files of one directory by the form of their names, and how many of each form are excluded from backup.
///
/// If most are excluded, the others have probably lost their exclusion: a save that creates a new file drops it.
struct ExcludedSiblings {
    /// The common form of names.
    enum Form: Hashable {
        /// One extension; those that are a hash are a form of their own.
        case named(pathExtension: UInt64, isHash: Bool)
        /// No extension, and one beginning before a number.
        case numbered(after: [UInt8])
    }

    /// A file without an exclusion, kept until the directory was read.
    struct Candidate {
        let name: [UInt8]
        let status: FileStatus
    }

    /// The files whose names have the same form.
    struct Group {
        fileprivate(set) var excluded = 0
        /// The files without an exclusion.
        fileprivate(set) var plain = ItemSum()
        /// The first files without an exclusion. If there are more, they are reported as one.
        fileprivate(set) var candidates: [Candidate] = []
        /// The maximum number of candidates.
        fileprivate let limit: Int

        /// True if there are at least five files and four in five are excluded.
        var isMostlyExcluded: Bool {
            plain.items > 0 && excluded + plain.items >= 5 && excluded * 5 >= (excluded + plain.items) * 4
        }
        fileprivate mutating func add(_ item: Item, isKept: Bool) {
            guard item.marks.isEmpty else {
                excluded += 1
                return
            }
            plain.add(bytes: item.status.size)
            if isKept, plain.items <= limit {
                candidates.append(Candidate(name: Array(item.name), status: item.status))
            }
        }

        var hasMoreThanCandidates: Bool { plain.items > limit }
        var evidence: Evidence {
            Evidence(
                kind: "siblings", value: "\(excluded) of \(excluded + plain.items) similar files here are excluded")
        }
    }

    private let limit: Int
    init(keepsAll: Bool) { limit = keepsAll ? .max : 16 }
    /// So many beginnings of numbered names a directory may have; one with more has none that says anything.
    private static let mostBeginnings = 256
    private(set) var groups: [Form: Group] = [:]
    private var beginnings = 0

    /// Counts a file; a name with neither an extension nor a number at its end, and that is no hash, is of no form.
    mutating func add(_ item: Item, traits: ItemTraits, isKept: Bool) {
        guard traits.contains(.file), item.carriesAttributes, let form = form(of: item.name, traits) else { return }
        groups[form, default: Group(limit: limit)].add(item, isKept: isKept)
    }

    private mutating func form(of name: UnsafeRawBufferPointer, _ traits: ItemTraits) -> Form? {
        let isHash = traits.contains(.hashNamed)
        let pathExtension = PathExtension.word(of: name)
        guard pathExtension == 0, !isHash else { return .named(pathExtension: pathExtension, isHash: isHash) }
        var end = name.count
        while end > 0, (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= name[end - 1] { end -= 1 }
        guard end < name.count, beginnings <= Self.mostBeginnings else { return nil }
        let form = Form.numbered(after: Array(name[..<end]))
        guard groups[form] == nil else { return form }
        beginnings += 1
        guard beginnings > Self.mostBeginnings else { return form }
        // The first ones depend on the order of arrival, so that all of them are left out.
        groups = groups.filter { if case .numbered = $0.key { false } else { true } }
        return nil
    }
}
