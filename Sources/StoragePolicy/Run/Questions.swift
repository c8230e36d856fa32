internal import FileSystem
internal import PolicyTexts

/// A question about the siblings of an item.
enum SiblingQuestion: Hashable, Sendable {
    case appMade
    case logs(atLeast: Int)
}

/// The counters of a directory's items.
struct Siblings: Sendable {
    private var isAppMade = false
    private var logs = LogNames()

    mutating func add(_ name: ScannedName, traits: ItemTraits, appMade: ItemTraits) {
        if traits.isSuperset(of: Self.backedUpFile) { logs.add(name) }
        if !isAppMade, traits.contains(.registered) || traits.isSuperset(of: appMade) { isAppMade = true }
    }

    private static let backedUpFile: ItemTraits = [.file, .backedUp]

    /// The extensions that documents of users do not have.
    static let appMadeExtensions = ["sqlite", "sqlite3", "db", "realm", "plist", "archive", "json", "store"]
        .compactMap(PathExtension.word)

    func answer(_ question: SiblingQuestion) -> Bool {
        switch question {
        case .appMade: isAppMade
        case .logs(let least): logs.count >= least && logs.numbered * 2 > logs.count
        }
    }

    func evidence(of question: SiblingQuestion) -> Evidence {
        switch question {
        case .appMade: Evidence(kind: "siblings", value: "the app keeps its own files beside it")
        case .logs:
            Evidence(kind: "siblings", value: "\(logs.numbered) of \(logs.count) logs here are numbered or dated")
        }
    }
}

/// The log files of a directory, by name: `app.log`, and numbered or dated `app.log.1`, `app 2026-01-01.log`.
struct LogNames: Sendable {
    private(set) var count = 0
    private(set) var numbered = 0

    private static let log = PathExtension.word("log") ?? 0
    private static let middle = Array(".log.".utf8)

    mutating func add(_ name: ScannedName) {
        guard name.pathExtension == Self.log || Self.isRotated(name.bytes) else { return }
        count += 1
        if name.bytes.contains(where: { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }) { numbered += 1 }
    }

    /// `app.log.1`, `app.log.12`, `app.log.1.gz`.
    private static func isRotated(_ name: UnsafeRawBufferPointer) -> Bool {
        // A number or what a compressor adds is all that may follow, which most names do not end with.
        guard let last = name.last, (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= last || last == UInt8(ascii: "z") else {
            return false
        }
        return name.indices.contains { name[$0...].starts(with: middle) }
    }
}

/// A question about the whole container, answered after all of it was read.
enum ContainerQuestion: Hashable, Sendable {
    /// An earlier item that the same rule asks about, in any container of the app, has the same content.
    case isDuplicate
    /// A file outside the inbox, in any container of the app, has the same content.
    case hasCopy
    /// Something of this name was seen somewhere.
    case wasSeen(String)
    /// Nothing of one of these names was seen.
    case isAnyMissing([String])
    /// A value in a store of the app names the item.
    case isNamedByStore
    /// No store of the app names the item.
    case isNamedByNoStore
    /// No value that was found in a store of the app names the item. Stores that cannot be read do not count.
    case isNotKnownToBeNamed
    /// No record with a web address is about the item.
    case hasNoAddress
    /// No preference, database or archive that was read names this, in any container of the app.
    case isUnreferenced(String)
    /// No item of the container, which has at least so many files, has any attribute.
    case hasNoAttributes(files: Int)
}

/// The names collected during a run to answer container questions.
final class ContainerNotes: Sendable {
    private struct Noted {
        var seen: Set<String> = []
        var references: Set<String> = []
    }
    private let noted = LockedValue(Noted())
    /// More names than this are not kept; the question is then answered so that nothing is found.
    private static let limit = 200_000

    /// Something was seen.
    func see(_ name: String) { noted.withLock { if $0.seen.count < Self.limit { $0.seen.insert(name) } } }
    func wasSeen(_ name: String) -> Bool { noted.withLock { $0.seen.contains(name) } }
    func isMissing(_ name: String) -> Bool {
        noted.withLock { !$0.seen.contains(name) && $0.seen.count < Self.limit }
    }

    /// A text names something.
    func refer(to name: String) {
        noted.withLock { if $0.references.count < Self.limit { $0.references.insert(name) } }
    }
    func isReferenced(_ name: String) -> Bool {
        noted.withLock { $0.references.contains(name) || $0.references.count >= Self.limit }
    }
}
