internal import AppContainer
internal import FileSystem

/// The decision for an item.
package enum PlanDecision: String, Sendable { case include, exclude }

/// The reason for including or excluding an item. The reason determines the decision.
package enum PlanReason: String, Sendable, CaseIterable {
    /// The item is in a directory that is backed up.
    case userData = "user-data"
    /// The item itself is excluded from backup by an attribute.
    case ownFlag = "own-flag"
    /// A directory above the item is excluded from backup by an attribute.
    case ancestorFlag = "ancestor-flag"
    /// The item is in Library/Caches, which the system may empty at any time.
    case caches
    /// The item is in tmp, which the app does not need at the next launch.
    case temporary = "tmp"
    /// The item is outside Documents and Library, the only directories of an app container that are backed up.
    case notBackedUpDirectory = "not-a-backed-up-directory"
    /// The item belongs to the system, which recreates it on another device.
    case systemState = "system-state"
    /// The item is a pipe, a socket or a device, which has no content.
    case specialNode = "special-node"
    /// The item is the temporary file of a save that is running or was interrupted.
    case temporaryFile = "temporary-file"
    /// The directory contains a CACHEDIR.TAG, and the rules exclude such directories.
    case tagFile = "tag-file"
    /// The item has the nodump flag, and the rules exclude such items.
    case noDump = "nodump"
    /// The item, or a directory above it, matches a pattern of the user.
    case pattern
    /// The file is larger than the user allows.
    case tooLarge = "too-large"

    /// The decision that follows from the reason.
    package var decision: PlanDecision { self == .userData ? .include : .exclude }

    /// True if an attribute, a tag, a flag or an option decided, and not the location or the kind of the item.
    package var isByMark: Bool {
        switch self {
        case .ownFlag, .ancestorFlag, .tagFile, .noDump, .pattern, .tooLarge: true
        default: false
        }
    }

    /// A short description for text output.
    package var phrase: String {
        switch self {
        case .userData: "user data"
        case .ownFlag: "excluded from backup"
        case .ancestorFlag: "in a directory excluded from backup"
        case .caches: "caches"
        case .temporary: "not needed at the next launch"
        case .notBackedUpDirectory: "outside Documents and Library"
        case .systemState: "owned by the system"
        case .specialNode: "not a file, directory or link"
        case .temporaryFile: "temporary file of a save"
        case .tagFile: "tagged as a cache"
        case .noDump: "has the nodump flag"
        case .pattern: "matches a pattern"
        case .tooLarge: "larger than allowed"
        }
    }
}

/// The origin of a decision: a location, an attribute, a flag, or the kind of the item. It takes one byte per item.
package struct PlanDecider: Sendable, Hashable, CustomStringConvertible {
    private let number: UInt8

    /// The name of the location, attribute, file or kind.
    package var description: String { Self.words[Int(number)] }

    /// The origin of a decision by location.
    init(_ location: Location) { self.init(word: location.description) }

    /// The origin of a decision by an attribute.
    init(mark: String) { self.init(word: mark) }

    /// The origin of a decision by the kind of an item that is never backed up.
    init(_ kind: FileKind) { self.init(word: "\(kind)") }

    static let temporaryFile = PlanDecider(word: AtomicWrite.stagingPrefix)
    static let cacheTag = PlanDecider(word: ExclusionMark.cacheTag.rawValue)
    static let noDump = PlanDecider(word: ExclusionMark.noDump.rawValue)
    static let pattern = PlanDecider(word: patternOption)
    static let size = PlanDecider(word: sizeOption)
    private static let (patternOption, sizeOption) = ("--exclude", "--exclude-larger-than")

    private init(word: String) { number = Self.numbers[word] ?? 0 }

    private static let words: [String] =
        Location.table.map(\.description) + ExclusionMark.allCases.map(\.rawValue)
        + BackupView.allCases.compactMap(\.softMark) + FileKind.allCases.map { "\($0)" }
        + [AtomicWrite.stagingPrefix, patternOption, sizeOption]
    private static let numbers = Dictionary(
        words.enumerated().map { ($1, UInt8($0)) }, uniquingKeysWith: { first, _ in first })
}

/// The reason for a decision, and its origin.
struct PlanVerdict: Sendable, Hashable {
    let reason: PlanReason
    let decider: PlanDecider
}
