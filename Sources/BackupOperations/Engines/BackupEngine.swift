internal import BackupRepository
internal import FileSystem
internal import Foundation
package import SystemPackage
internal import TextOutput

/// An external backup tool that stores the included items of a plan.
package enum EngineKind: String, Sendable, CaseIterable {
    case restic, borg

    /// The environment variable for the repository of the tool.
    package var repositoryVariable: String { self == .restic ? "RESTIC_REPOSITORY" : "BORG_REPO" }

    /// True if the tool reports progress in a usable form. borg mixes it with its errors.
    package var reportsProgress: Bool { self == .restic }

    /// Finds the tool and checks its version.
    ///
    /// - Throws: `failed` if it is not installed or not supported.
    func open(_ repository: EngineRepository) throws(BackupError) -> any BackupEngine {
        switch self {
        case .restic: try ResticEngine(repository)
        case .borg: try BorgEngine(repository)
        }
    }
}

/// The location of an engine's repository, and the access to it.
package struct EngineRepository: Sendable {
    let location: String
    let passwordFile: FilePath?
    let options: [String]
    /// The longest wait for a repository that another run of the tool has locked.
    let lockWait: Duration

    /// - Parameters:
    ///   - location: The location in the tool's own form. A relative path counts from the current directory.
    ///   - passwordFile: A file with the password; nil to use the tool's own variables.
    ///   - options: Options for restic's `-o`, such as `sftp.command=…`. They are visible in process lists.
    ///   - lockWait: The longest wait for a repository that another run of the tool has locked.
    package init(
        _ location: String, passwordFile: FilePath? = nil, options: [String] = [], lockWait: Duration = .zero
    ) {
        // The tool runs in another directory. In a URL or `host:path`, no slash comes before the colon.
        let isRemote = location.prefix { $0 != "/" }.contains(":")
        let directory = Invocation.current.workingDirectory
        self.location = isRemote ? location : URL(fileURLWithPath: directory.resolved(location)).path
        (self.options, self.lockWait) = (options, lockWait)
        self.passwordFile = passwordFile.map { FilePath(URL(fileURLWithPath: directory.resolved($0).string).path) }
    }

    /// Reads the password file as UTF-8, or as UTF-16 with a byte order mark.
    ///
    /// - Returns: Nil without a file, or if it contains other bytes.
    /// - Throws: `failed` for a file that cannot be read or is too long.
    func password() throws(BackupError) -> String? {
        guard let passwordFile else { return nil }
        let name = ByteText.escaped(passwordFile.bytes)
        do throws(FileSystemError) { return try PasswordInput.text(ofFile: passwordFile) } catch {
            guard error.errno == .fileTooLarge else {
                throw BackupError(.failed, what: "the password file “\(name)” cannot be read")
            }
            throw BackupError(
                .failed, what: "the password file “\(name)” is longer than \(PasswordInput.maximumSize) bytes")
        }
    }
}

/// The content of one snapshot of a tool.
struct EngineTask {
    /// The part of the container in the snapshot.
    enum Part: String, CaseIterable { case container, stores }

    let part: Part
    /// The root of the tree, in which the tool runs.
    let directory: FilePath
    let items: any EngineItems
    /// The owner of the container, used as a host name.
    let owner: String
    /// An identifier that all snapshots of a run share.
    let run: String
    /// The date to record; nil for the time of the run.
    var taken: Timestamp?
    /// The snapshot to compare with.
    var parent: String?
    /// Called with the number of processed files and bytes, if the tool reports them.
    var progress: (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }
}

/// An external tool with its repository.
protocol BackupEngine {
    var version: String { get }
    /// True if the tool stores the root directory itself, and not only its content.
    var includesRoot: Bool { get }
    /// True if links with targets outside UTF-8 are restored exactly. Listings do not show it.
    var preservesBinaryTargets: Bool { get }

    /// Returns a path as it appears in the tool's listings.
    func name(of path: [UInt8]) -> [UInt8]
    /// Returns true if a listing shows a time as `listed`.
    func displays(_ time: Timestamp, as listed: Timestamp) -> Bool
    /// Returns the newest snapshot of an owner, if any.
    func latestSnapshot(of owner: String) throws(BackupError) -> String?
    /// Creates a snapshot and returns its identifier.
    func createSnapshot(_ task: EngineTask) throws(BackupError) -> String
    /// Lists the items of a snapshot.
    ///
    /// - Throws: `failed`, also for a listing with many more lines than `most`.
    func listItems(of snapshot: String, atMost most: Int, _ body: (ListedItem) -> Void) throws(BackupError)
    /// Lists the snapshots that `EngineBackup` made.
    func listSnapshots() throws(BackupError) -> [EngineRecord]
    /// Restores a snapshot into an existing directory, over the items in it.
    func restoreSnapshot(_ snapshot: String, into directory: FilePath) throws(BackupError)
    /// Removes a snapshot from the repository, also after an interruption.
    func removeSnapshot(_ snapshot: String, within limit: Duration) throws(BackupError)
}

/// An item in a tool's listing of a snapshot.
struct ListedItem {
    /// The path as the tool shows it, relative to the root; empty for the root itself. Bytes outside UTF-8 all look
    /// alike.
    let name: [UInt8]
    let kind: FileKind
    /// The size in bytes; nil if the listing does not contain it.
    let size: UInt64?
    let permissions: UInt16
    let modified: Timestamp?
}

extension Timestamp {
    /// Returns the time in UTC without fractions of seconds, as tools take it.
    func secondsText(separator: String) -> String {
        let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601).dropLast()
        return String(text.replacing("T", with: separator))
    }

    /// Parses a time such as `2026-11-21T15:17:39.491600387Z`, with at most nanoseconds. A time without a zone is UTC;
    /// a time with another zone is refused.
    init?(listed text: String) {
        let fields = text.hasSuffix("Z") ? text.utf8.dropLast() : text.utf8[...]
        let numbers = fields.split { !(48...57).contains($0) }.compactMap { Int64(String(Substring($0))) }
        guard numbers.count == 6 || numbers.count == 7, fields.count >= 19, !text.contains("+"),
            fields.count(where: { $0 == UInt8(ascii: "-") }) == 2
        else { return nil }
        let (year, month, day) = (numbers[1] > 2 ? numbers[0] : numbers[0] - 1, numbers[1], numbers[2])
        // Days since 1970 in the proleptic Gregorian calendar, with years that begin in March.
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
