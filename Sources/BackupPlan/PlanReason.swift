internal import AppContainer
internal import FileSystem

/// What is done with an item.
package enum PlanDecision: String, Sendable { case include, exclude }

/// Why an item is kept or left out; the decision follows from it.
package enum PlanReason: String, Sendable, CaseIterable {
    /// It lies where backups take everything.
    case userData = "user-data"
    /// It carries a mark itself.
    case ownFlag = "own-flag"
    /// A directory above it carries one.
    case ancestorFlag = "ancestor-flag"
    /// The system may empty the directory at any time.
    case caches
    /// It is not needed at the next launch.
    case temporary = "tmp"
    /// Of an app's container only Documents and Library are taken.
    case notBackedUpDirectory = "not-a-backed-up-directory"
    /// The system wrote it, and writes it anew on another device.
    case systemState = "system-state"
    /// A pipe, a socket or a device has no content to keep.
    case specialNode = "special-node"
    /// It holds a CACHEDIR.TAG, and was asked to be left out for that.
    case tagFile = "tag-file"
    /// It bears the "leave out of dumps" bit, and was asked to be left out for that.
    case noDump = "nodump"

    /// What follows.
    package var decision: PlanDecision { self == .userData ? .include : .exclude }

    /// Whether something on the item decided that could as well not be there; else its place or kind did.
    package var isByMark: Bool {
        switch self {
        case .ownFlag, .ancestorFlag, .tagFile, .noDump: true
        default: false
        }
    }

    /// In a few words for a person.
    package var phrase: String {
        switch self {
        case .userData: "user data"
        case .ownFlag: "flagged itself"
        case .ancestorFlag: "in a flagged directory"
        case .caches: "what can be had again"
        case .temporary: "not needed at the next launch"
        case .notBackedUpDirectory: "outside Documents and Library"
        case .systemState: "the system's own"
        case .specialNode: "no file, directory or link"
        case .tagFile: "tagged as a cache"
        case .noDump: "marked to be left out of dumps"
        }
    }
}

/// Who decided of an item: a location, a mark, or what the item is. One byte, since every item has one.
package struct PlanDecider: Sendable, Hashable, CustomStringConvertible {
    private let number: UInt8

    /// The location, the attribute, the file or the kind that decided.
    package var description: String { Self.words[Int(number)] }

    /// A location's table row; the root where there is none.
    init(_ location: Location) { self.init(word: location.description) }

    /// A mark that some view heeds.
    init(mark: String) { self.init(word: mark) }

    /// A kind of item that no backup takes.
    init(_ kind: FileKind) { self.init(word: "\(kind)") }

    static let cacheTag = PlanDecider(word: ExclusionMark.cacheTag.rawValue)
    static let noDump = PlanDecider(word: ExclusionMark.noDump.rawValue)

    private init(word: String) { number = Self.numbers[word] ?? 0 }

    private static let words: [String] =
        Location.table.map(\.description) + ExclusionMark.allCases.map(\.rawValue)
        + BackupView.allCases.compactMap(\.softMark) + FileKind.allCases.map { "\($0)" }
    private static let numbers = Dictionary(
        words.enumerated().map { ($1, UInt8($0)) }, uniquingKeysWith: { first, _ in first })
}

/// What is decided of an item: why, and by whom.
struct PlanVerdict: Sendable, Hashable {
    let reason: PlanReason
    let decider: PlanDecider
}
