internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
package import TextOutput

/// The class of an item, and what says so.
public struct ItemVerdict: Sendable {
    /// The class.
    public let itemClass: ItemClass
    /// True if an attribute of the library, recorded traffic or a documented entry of the registry proves it. Only then may an automatic change
    /// exclude or remove the item.
    public let isProven: Bool
    /// The strongest reason, in one phrase.
    public let reason: String
    /// The store that names the item, for reports: `Documents/history.sqlite, recordings.path`; nil if none was found.
    public let namedBy: String?

    /// All that is known of one item before its class is decided.
    struct Known: Sendable {
        let location: Location
        let isSystem: Bool
        /// True if the item is in a directory of Library that the system uses.
        let isInSystemDirectory: Bool
        let isLog: Bool
        let declared: Configuration.Word?
        let proof: ItemProof?
        var reference: Reference?
        /// The web address in a record of the app's data that names the item.
        var address: String?
        /// True if the evidence is a description beside the item, which names it.
        var isDescribed = false
        /// The probability of being re-downloadable by the weight of the evidence; nil if nothing was weighed.
        var probability: Double?

        /// All that is known of an item while it is read.
        init(_ evaluation: Evaluation, at path: [UInt8], as own: Directory?) {
            let (item, run) = (evaluation.item, evaluation.run)
            location = (own ?? evaluation.directory).location
            isSystem = path.elementsEqual(Location.metadata.path.utf8)
            isInSystemDirectory = evaluation.context.isSystem
            isLog = item.status.isFile && NameForm.isLog(evaluation.name)
            declared = run.words(declaring: path).first
            proof = ItemProof(of: item, in: evaluation.directory, evaluation.context, run: run)
        }
    }

    /// From this probability on, and from one less it on the other side, weighed evidence decides.
    static let certain = 0.9

    /// The class that a probability of being re-downloadable decides.
    package static func itemClass(of probability: Double) -> ItemClass {
        probability >= certain ? .regenerable : probability <= 1 - certain ? .userData : .undecided
    }

    init(_ known: Known) {
        namedBy = known.reference.map { $0.isExact ? $0.store : "\($0.store) (perhaps)" }
        let isNamed = known.reference?.isExact ?? false
        let (itemClass, isProven, reason): (ItemClass, Bool, String) =
            if known.isSystem {
                (.system, true, "the system keeps it about the container")
            } else if let word = known.declared, let itemClass = word.itemClass {
                (itemClass, false, "the configuration declares it under `\(word.rawValue)`")
            } else if let proof = known.proof, let itemClass = proof.itemClass {
                (itemClass, true, proof.reason)
            } else if let probability = known.probability, Self.itemClass(of: probability) == .regenerable {
                (.regenerable, false, "the evidence: \(min(99, Int(probability * 100))) % re-downloadable")
            } else if known.probability == nil, let address = known.address {
                (.regenerable, false, "a record that names it has a web address: \(address)")
            } else if let probability = known.probability, Self.itemClass(of: probability) == .userData {
                (.userData, false, "the evidence: \(Int(probability * 100)) % re-downloadable")
            } else if isNamed, !known.isDescribed {
                (.userData, false, "data of the app names it")
            } else if known.isLog {
                (.log, false, "its name is that of a log")
            } else if let probability = known.probability {
                (.undecided, false, "the evidence: \(Int(probability * 100)) % re-downloadable")
            } else if let (itemClass, reason) = Self.byLocation(known.location) {
                (itemClass, false, reason)
            } else if known.isInSystemDirectory {
                (.system, false, "the system keeps its own files in this directory")
            } else {
                (.undecided, false, "nothing says what it is")
            }
        (self.itemClass, self.isProven, self.reason) = (itemClass, isProven, reason)
    }

    /// The class that a location suggests, where nothing else says what an item is, and the reason; nil for the locations of
    /// the app's own files in backups, whose evidence is weighed.
    private static func byLocation(_ location: Location) -> (ItemClass, String)? {
        switch location {
        case .temporary: (.temporary, "it is in tmp, and no data of the app names it")
        case .caches, .urlCache, .backgroundDownloads, .snapshots:
            (.regenerable, "it is in Library/Caches, and no data of the app names it")
        case .preferences, .syncedPreferences: (.appState, "it is in \(location.path)")
        case .cookies, .webKit: (.appState, "the system keeps the app’s logins and website data in \(location.path)")
        case .documentsInbox: (.userData, "another app handed it over, in Documents/Inbox")
        default: location.isSystemOwned ? (.system, "the system owns \(location.path)") : nil
        }
    }

    /// The verdict on a file that belongs to a database, such as its log.
    init(of database: ItemVerdict, named name: String) {
        (itemClass, isProven, namedBy) = (database.itemClass, database.isProven, database.namedBy)
        reason = "it belongs to “\(name)”: \(database.reason)"
    }

    /// True if an automatic change may exclude the item from backups.
    package var mayLeaveBackups: Bool { isProven && itemClass.mayLeaveBackups }

    /// The class in one word, with an exclamation mark if it is proven.
    package var word: String { isProven ? "\(itemClass.rawValue)!" : itemClass.rawValue }

    /// Writes the fields of the verdict.
    package func write(to json: inout JSONWriter) {
        json.field("class", itemClass.rawValue)
        json.field("proven", isProven)
        json.field("reason", reason)
        json.field("namedBy", namedBy)
    }

    /// The class and its reason in one line.
    package var phrase: String {
        let named = namedBy.map { "; named by \($0)" } ?? ""
        return "\(itemClass.phrase)\(isProven ? ", proven" : ""): \(reason)\(named)"
    }
}

extension Configuration.Word {
    /// The class that a word declares; nil for words about backups only.
    fileprivate var itemClass: ItemClass? {
        switch self {
        case .userData: .userData
        case .appState: .appState
        case .downloaded, .caches: .regenerable
        case .temporary: .temporary
        case .synced, .ignore, .mustExclude, .mustInclude: nil
        }
    }
}

extension ItemProof {
    fileprivate var reason: String {
        switch self {
        case .maker(let maker): "its attribute says that it is made by: \(maker.rawValue)"
        case .traffic(let proof): proof.reason
        case .registry(let holds): "the registry of SDKs: \(holds.rawValue)"
        }
    }
}
