internal import ContainerTree
internal import FileSystem

/// The files of one directory by the form of their names, and how many of each form carry the do-not-back-up flag.
///
/// Where most do, the others have probably lost theirs: a save that makes a new file drops it.
struct FlaggedSiblings {
    /// Names with one extension; those that are a hash are a form of their own.
    struct Form: Hashable {
        let pathExtension: UInt64
        let isHash: Bool
    }

    /// A file without the flag, as far as it is kept until the directory has been read.
    struct Candidate {
        let name: [UInt8]
        let status: FileStatus
    }

    /// The files of one form.
    struct Group {
        fileprivate(set) var flagged = 0
        fileprivate(set) var plain = 0
        fileprivate(set) var plainBytes: UInt64 = 0
        /// The first of the plain ones; where there are more, they are told as one.
        fileprivate(set) var candidates: [Candidate] = []
        /// How many of the plain ones are kept at most.
        fileprivate let limit: Int

        /// At least five, and four in five with the flag.
        var isMostlyFlagged: Bool {
            plain > 0 && flagged + plain >= 5 && flagged * 5 >= (flagged + plain) * 4
        }
        var hasMoreThanCandidates: Bool { plain > limit }
        var evidence: Evidence {
            Evidence(kind: "siblings", value: "\(flagged) of \(flagged + plain) files of this form carry the flag")
        }
    }

    private let limit: Int
    init(keepsAll: Bool) { limit = keepsAll ? .max : 16 }

    private(set) var groups: [Form: Group] = [:]

    /// Counts a file; a name without an extension that is no hash is of no form.
    mutating func add(_ item: Item, _ signals: Signals, isKept: Bool) {
        guard signals.contains(.file), item.carriesAttributes else { return }
        let isHash = NameShapeTest.isHash(item.name)
        let word = PathExtension.word(of: item.name)
        guard word != 0 || isHash else { return }
        let form = Form(pathExtension: word, isHash: isHash)
        guard item.marks.isEmpty else {
            groups[form, default: Group(limit: limit)].flagged += 1
            return
        }
        groups[form, default: Group(limit: limit)].plain += 1
        groups[form, default: Group(limit: limit)].plainBytes += item.status.size
        if isKept, groups[form, default: Group(limit: limit)].plain <= limit {
            groups[form, default: Group(limit: limit)].candidates.append(
                Candidate(name: Array(item.name), status: item.status))
        }
    }
}
