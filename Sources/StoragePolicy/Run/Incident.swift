internal import DatabaseInspection
internal import FileSystem
internal import SystemPackage
internal import TextOutput

/// A part of a container that could not be read or evaluated.
public struct Incident: Sendable, Hashable {
    /// The index of the input in the report.
    public package(set) var input = 0
    /// The path relative to the container.
    public let path: [UInt8]
    /// The reason.
    public let reason: Reason

    package init(input: Int = 0, path: [UInt8], reason: Reason) {
        (self.input, self.path, self.reason) = (input, path, reason)
    }

    /// The path for display and for reports.
    public var displayPath: String { ByteText.escaped(path) }

    /// True if only evidence is missing, so that verdicts may be missing. All rules that rest on proof were evaluated.
    public var isAboutGuesses: Bool {
        switch reason {
        case .tooMuchToWeigh, .tooManyAddresses, .tooManyDatabases, .tooMuchToCompare, .tooMuchToSearch: true
        default: false
        }
    }
}

extension Incident {
    /// The reason of an incident.
    public enum Reason: Sendable, Hashable {
        /// The process has no permission to read the item.
        case permissionDenied
        /// The item was removed during the run.
        case vanished
        /// The directory was replaced by a symbolic link during the run.
        case replacedByLink
        /// The path exceeds the maximum length or depth.
        case tooDeep
        /// The process or the system has too many open files.
        case tooManyOpenFiles
        /// The disk reported an error.
        case inputOutputError
        /// The content is not on this disk: iCloud has evicted it. It was not downloaded.
        case notDownloaded
        /// The content cannot be read.
        case unreadable
        /// The content consists of zeros, as in an image without the blocks of the file.
        case contentMissing
        /// The content is encrypted.
        case contentEncrypted
        /// The property list exceeds the limits of the parser.
        case propertyListBeyondLimits
        /// The file contains more property lists than are evaluated.
        case tooManyContainedPropertyLists
        /// The keyed archives of the file have more fields than are evaluated.
        case tooManyArchiveFields
        /// The file contains more cookies than are evaluated.
        case tooManyCookies
        /// The file contains more texts than are evaluated.
        case tooManyTexts
        /// The database was changed during the copy, twice.
        case databaseChanging
        /// The private copy of the database cannot be created.
        case noRoomForCopy
        /// The journal belongs to a transaction over several databases.
        case partOfLargerTransaction
        /// SQLite exceeded the time limit.
        case tooSlow
        /// SQLite reports that the database is damaged.
        case databaseDamaged
        /// The database needs a feature that this SQLite does not have.
        case databaseNotUnderstood
        /// A statement would access files other than the database.
        case statementRefused
        /// The directory has more names than are compared for collisions.
        case tooManyNamesToCompare
        /// More items than the limit depend on the rest of the container.
        case tooManyCandidates
        /// Comparing files would exceed the limit of bytes.
        case tooManyBytesToCompare
        /// Items carry more suppressions than are evaluated.
        case tooManySuppressions
        /// More files than the limit have evidence.
        case tooMuchToWeigh
        /// The app’s own data contains more web addresses than are kept.
        case tooManyAddresses
        /// The container has more databases than are used as evidence.
        case tooManyDatabases
        /// Comparing with the reference containers would exceed the limit.
        case tooMuchToCompare
        /// A store may name files of the app, but was not searched for their names.
        case tooMuchToSearch
        /// A reference container cannot be read.
        case referenceUnreadable
        /// The file is larger than the limit.
        case larger(thanMebibytes: Int)
        /// A system call failed.
        case systemError(Int32)

        /// The identifier in reports: several words, joined by `-`.
        public var rawValue: String {
            switch self {
            case .permissionDenied: "permission-denied"
            case .vanished: "vanished"
            case .replacedByLink: "replaced-by-a-link"
            case .tooDeep: "too-deep"
            case .tooManyOpenFiles: "too-many-open-files"
            case .inputOutputError: "input-output-error"
            case .notDownloaded: "not-downloaded"
            case .unreadable: "unreadable"
            case .contentMissing: "content-missing"
            case .contentEncrypted: "content-encrypted"
            case .propertyListBeyondLimits: "property-list-beyond-limits"
            case .tooManyContainedPropertyLists: "too-many-property-lists-within"
            case .tooManyArchiveFields: "too-many-fields-in-archives"
            case .tooManyCookies: "more-than-10000-cookies"
            case .tooManyTexts: "more-than-50000-texts"
            case .databaseChanging: "changed-while-read"
            case .noRoomForCopy: "no-room-for-a-copy"
            case .partOfLargerTransaction: "part-of-a-larger-transaction"
            case .tooSlow: "too-slow"
            case .databaseDamaged: "damaged"
            case .databaseNotUnderstood: "not-understood-by-sqlite"
            case .statementRefused: "statement-refused"
            case .tooManyNamesToCompare: "too-many-names-to-compare"
            case .tooManyCandidates: "too-many-candidates"
            case .tooManyBytesToCompare: "too-many-bytes-to-compare"
            case .tooManySuppressions: "too-many-suppressions"
            case .tooMuchToWeigh: "too-much-to-weigh"
            case .tooManyAddresses: "too-many-addresses"
            case .tooManyDatabases: "too-many-databases"
            case .tooMuchToCompare: "too-much-to-compare"
            case .tooMuchToSearch: "too-much-to-search"
            case .referenceUnreadable: "reference-unreadable"
            case .larger(let mebibytes): "larger-than-\(mebibytes)-mebibytes"
            case .systemError(let errno): "errno-\(errno)"
            }
        }

        private static let named: [Reason] = [
            .permissionDenied, .vanished, .replacedByLink, .tooDeep, .tooManyOpenFiles, .inputOutputError,
            .notDownloaded, .unreadable, .contentMissing, .contentEncrypted, .propertyListBeyondLimits,
            .tooManyContainedPropertyLists, .tooManyArchiveFields, .tooManyCookies, .tooManyTexts, .databaseChanging,
            .noRoomForCopy, .partOfLargerTransaction, .tooSlow, .databaseDamaged, .databaseNotUnderstood,
            .statementRefused, .tooManyNamesToCompare, .tooManyCandidates, .tooManyBytesToCompare,
            .tooManySuppressions, .tooMuchToWeigh, .tooManyAddresses, .tooManyDatabases, .tooMuchToCompare,
            .tooMuchToSearch, .referenceUnreadable,
        ]

        /// The reason with an identifier; nil for an unknown one.
        package init?(rawValue: String) {
            if let reason = Self.named.first(where: { $0.rawValue == rawValue }) {
                self = reason
            } else if let mebibytes = Int(rawValue.trimming("larger-than-", suffix: "-mebibytes")), mebibytes >= 0 {
                self = .larger(thanMebibytes: mebibytes)
            } else if let errno = Int32(rawValue.trimming("errno-", suffix: "")) {
                self = .systemError(errno)
            } else {
                return nil
            }
        }

        /// The reason for an item that a walk could not read.
        init(_ errno: Errno) {
            self =
                switch errno {
                case .permissionDenied, .notPermitted: .permissionDenied
                case .noSuchFileOrDirectory, .notDirectory: .vanished
                case .tooManySymbolicLinkLevels: .replacedByLink
                case .fileNameTooLong: .tooDeep
                case .tooManyOpenFiles, .tooManyOpenFilesInSystem: .tooManyOpenFiles
                case .ioError: .inputOutputError
                case .deadlock: .notDownloaded
                default: .systemError(errno.rawValue)
                }
        }

        /// The reason for a database that cannot be inspected.
        init(_ code: DatabaseReadError.Code) {
            self =
                switch code {
                case .unreadable: .unreadable
                case .tooLarge: .larger(thanMebibytes: 256)
                case .changing: .databaseChanging
                case .noCopy: .noRoomForCopy
                case .undecided: .partOfLargerTransaction
                case .tooSlow: .tooSlow
                case .damaged: .databaseDamaged
                case .notUnderstood: .databaseNotUnderstood
                case .refused: .statementRefused
                }
        }
    }

    /// An incident of a walk.
    init(_ failure: WalkFailure) { self.init(path: failure.path, reason: Reason(failure.errno)) }
}

extension String {
    /// Returns the text between a prefix and a suffix; the empty text without them.
    fileprivate func trimming(_ prefix: String, suffix: String) -> Substring {
        hasPrefix(prefix) && hasSuffix(suffix) && count > prefix.count + suffix.count
            ? dropFirst(prefix.count).dropLast(suffix.count) : ""
    }
}
