internal import BackupRepository
internal import FileSystem
internal import Foundation
package import SystemPackage
internal import TextOutput

/// A backup tool of someone else's that keeps what our plan says.
package enum EngineKind: String, Sendable, CaseIterable {
    case restic, borg

    /// The variable that tells the tool where its repository is.
    package var repositoryVariable: String { self == .restic ? "RESTIC_REPOSITORY" : "BORG_REPO" }

    /// Whether the tool can be asked how far it is. borg tells it among its errors alone.
    package var reportsProgress: Bool { self == .restic }

    /// Finds the tool and asks for its version.
    ///
    /// - Throws: `failed` where there is none, or one that is not known to do what is asked of it.
    func open(_ place: EngineRepository) throws(BackupError) -> any BackupEngine {
        switch self {
        case .restic: try ResticEngine(place)
        case .borg: try BorgEngine(place)
        }
    }
}

/// Where a repository is, and how it is opened.
package struct EngineRepository: Sendable {
    let location: String
    let passwordFile: FilePath?
    let options: [String]

    /// - Parameters:
    ///   - location: As the tool has it. A relative path counts from this process's directory.
    ///   - passwordFile: Holds the password; without it the tool's own variables count.
    ///   - options: Of restic's `-o`, as `sftp.command=…`. They are in lists of processes.
    package init(_ location: String, passwordFile: FilePath? = nil, options: [String] = []) {
        // The tool works in another directory. Before a URL's or a host's colon there is no slash.
        let isRemote = location.prefix { $0 != "/" }.contains(":")
        self.location = isRemote ? location : URL(fileURLWithPath: location).path
        self.options = options
        self.passwordFile = passwordFile.map { FilePath(URL(fileURLWithPath: $0.string).path) }
    }

    /// A longer file holds no password.
    private static let longestPassword = 64 << 10

    /// What the password file holds, as UTF-8 or with the mark of UTF-16; nil where there is none, or its bytes are no
    /// such text. It is read once, so that it may be a pipe (`/dev/fd/63`, as shells have it).
    ///
    /// - Throws: `failed` for a file that cannot be read, or is too long.
    func password() throws(BackupError) -> String? {
        guard let passwordFile else { return nil }
        let name = ByteText.escaped(passwordFile.bytes)
        guard let file = FileHandle(forReadingAtPath: passwordFile.string),
            let bytes = try? file.read(upToCount: Self.longestPassword + 1) ?? Data()
        else { throw BackupError(.failed, "the password file “\(name)” cannot be read") }
        guard bytes.count <= Self.longestPassword else {
            throw BackupError(.failed, "the password file “\(name)” is longer than \(Self.longestPassword) bytes")
        }
        if bytes.starts(with: [0xfe, 0xff]) || bytes.starts(with: [0xff, 0xfe]) {
            return String(data: bytes, encoding: .utf16)
        }
        return String(validating: bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes, as: UTF8.self)
    }
}

/// What a tool is to keep in one snapshot.
struct EngineTask {
    /// What the snapshot is of.
    enum Part: String { case container, stores }

    let part: Part
    /// Where the tree is; the tool works in it.
    let directory: FilePath
    let items: any EngineItems
    /// Whose container it is, as a host's name.
    let owner: String
    /// What the snapshots of one run have in common.
    let run: String
    /// The snapshot that this one is compared with.
    var parent: String?
    /// Is told how many files and bytes the tool has seen to, where it tells that.
    var progress: (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }
}

/// A tool, and the repository that it keeps things in.
protocol BackupEngine {
    var version: String { get }
    /// Whether it keeps the directory itself that it is given, and not only what is in it.
    var includesRoot: Bool { get }
    /// Whether a link comes back whose target is not UTF-8; its listings do not tell.
    var preservesBinaryTargets: Bool { get }

    /// A path as the tool's listings show it.
    func name(of path: [UInt8]) -> [UInt8]
    /// Whether a listing shows a time so.
    func shows(_ time: Timestamp, as listed: Timestamp) -> Bool
    /// The newest snapshot of an owner's container; nil where there is none.
    func last(of owner: String) throws(BackupError) -> String?
    /// Makes a snapshot, and gives what the tool calls it.
    func make(_ task: EngineTask) throws(BackupError) -> String
    /// Tells all that a snapshot holds.
    ///
    /// - Throws: `failed`, also for a listing of many more lines than `most`.
    func list(_ snapshot: String, atMost most: Int, _ body: (ListedItem) -> Void) throws(BackupError)
    /// Takes a snapshot out of the repository, also where a person has ended the run.
    func remove(_ snapshot: String, within limit: Duration) throws(BackupError)
}

/// One item of a snapshot, as the tool lists it.
struct ListedItem {
    /// The path as the tool shows it, from the root of what was kept; empty for the root itself. Bytes that are not
    /// UTF-8 are all shown alike.
    let name: [UInt8]
    let kind: FileKind
    /// Nil where the listing does not tell.
    let size: UInt64?
    let permissions: UInt16
    let modified: Timestamp?
}

extension Timestamp {
    /// The time that a tool writes as `2026-11-21T15:17:39.491600387Z`, at most to the nanosecond. Without a zone it is
    /// UTC's; with another zone, or where it is no such text, nil.
    init?(listed text: String) {
        let fields = text.hasSuffix("Z") ? text.utf8.dropLast() : text.utf8[...]
        let numbers = fields.split { !(48...57).contains($0) }.compactMap { Int64(String(Substring($0))) }
        guard numbers.count == 6 || numbers.count == 7, fields.count >= 19, !text.contains("+"),
            fields.count(where: { $0 == UInt8(ascii: "-") }) == 2
        else { return nil }
        let (year, month, day) = (numbers[1] > 2 ? numbers[0] : numbers[0] - 1, numbers[1], numbers[2])
        // Days since 1970 of the proleptic Gregorian calendar, the year beginning in March.
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        let fraction = text.split(separator: ".").dropFirst().first.map { $0.prefix(while: \.isNumber) } ?? ""
        let digits = (fraction + "000000000").prefix(9)
        self.init(
            seconds: days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5],
            nanoseconds: UInt32(digits) ?? 0)
    }
}
