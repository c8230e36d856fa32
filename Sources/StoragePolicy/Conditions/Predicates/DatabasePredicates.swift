internal import ContainerTree
internal import DatabaseInspection
internal import FileSystem
internal import PolicyTexts
internal import PropertyLists
internal import TextOutput

/// `store: damaged`: the integrity check of SQLite fails. `store: cache` or `store: personal`: the names of tables, or
/// the first keys of a property list, indicate regenerable data or user data. `store: mirror`: the columns of the tables are
/// those of server data or of an index, as weighed evidence judges them. `store: empty-copy`: the database has no
/// rows, or the file is empty, and a container of the app has a database of the same name and tables with rows. Evaluated
/// after the container was read. `store: foreign-log`: the item is a database or its write-ahead log, and the log
/// provably belongs to another database or to another state of this one.
struct DatabasePredicate: Predicate {
    static let key = "store"
    static let cost = Cost.read

    private enum Word: String, CaseIterable {
        case damaged, cache, personal, mirror
        case emptyCopy = "empty-copy"
        case foreignLog = "foreign-log"
    }
    private let word: Word
    var needs: PredicateNeeds { word == .emptyCopy ? [.otherContainers, .container] : [] }

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("property", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { word == .emptyCopy ? .file : .filled }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        if word == .emptyCopy { return isEmptyCopy(&evaluation) }
        if word == .foreignLog {
            guard let proof = evaluation.facts[ForeignLogFact.self] else { return false }
            evaluation.addEvidence("proof", value: ByteText.escaped(Array(proof.utf8.prefix(240))))
            return true
        }
        guard word != .damaged else {
            // Such a log is the cause, with its own remedy.
            guard evaluation.facts[ForeignLogFact.self] == nil,
                let problem = evaluation.facts[DatabaseProblemsFact.self].first
            else { return false }
            evaluation.addEvidence("problem", value: ByteText.escaped(Array(problem.utf8.prefix(160))))
            return true
        }
        if word == .mirror { return isMirror(&evaluation) }
        var names = evaluation.facts[DatabaseTablesFact.self].map(\.name)
        if names.isEmpty, let pairs = evaluation.facts[PropertyListFact.self].root?.pairs {
            names = pairs.prefix(1_000).map(\.key)
        }
        guard let name = names.first(where: { word == .cache ? Self.isCache($0) : Self.isPersonal($0) }) else {
            return false
        }
        evaluation.addEvidence("table", value: ByteText.escaped(Array(name.utf8.prefix(80))))
        return true
    }

    private func isMirror(_ evaluation: inout Evaluation) -> Bool {
        let kinds = [StoreEvidence.Kind.server, .textIndex].map(\.rawValue)
        let piece = evaluation.facts[SchemaFact.self].first { kinds.contains($0.id) && $0.strength == 1 }
        guard let piece else { return false }
        evaluation.addEvidence("table", value: piece.detail)
        return true
    }

    private func isEmptyCopy(_ evaluation: inout Evaluation) -> Bool {
        let name = "database \(ByteText.escaped(Array(evaluation.name)))"
        guard evaluation.item.status.size > 0 else {
            let log = evaluation.item.entry.status(ofSibling: Array(evaluation.name) + Array("-wal".utf8))
            return (log?.size ?? 0) == 0 && evaluation.answer(.wasSeen(name))
        }
        guard let hasRows = evaluation.facts[DatabaseHasRowsFact.self] else { return false }
        var digest = Digest()
        for table in evaluation.facts[DatabaseTablesFact.self] { digest.add(table.name.utf8) }
        let content = "\(name) with tables \(digest.value)"
        guard hasRows else { return evaluation.answer(.wasSeen(content)) }
        evaluation.run.notes.see(name)
        evaluation.run.notes.see(content)
        return false
    }

    private static func isCache(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.contains("cache") || name.hasPrefix("cfurl_")
            || words(name).contains { ["tile", "tiles", "thumbnail", "thumbnails", "etag", "etags"].contains($0) }
    }

    private static func isPersonal(_ name: String) -> Bool {
        words(name.lowercased()).contains { personal.contains($0) }
    }

    /// Returns the words of a name, also without the Z that Core Data prepends.
    private static func words(_ name: String) -> [String] {
        let words = name.split { !$0.isLetter }.map(String.init)
        return words + words.filter { $0.hasPrefix("z") }.map { String($0.dropFirst()) }
    }

    private static let personal: Set<String> = Set(
        [
            "account", "bookmark", "chat", "contact", "conversation", "diary", "draft", "expense", "favorite",
            "favourite", "login", "message", "note", "person", "playlist", "profile", "recipe", "reminder", "todo",
            "user", "workout",
        ].flatMap { [$0, $0 + "s"] } + ["people", "diaries"])
}

/// `free-pages: { percent-over: 25, bytes-over: 10MiB }`: an SQLite database has that many free pages, according to its
/// header, and no automatic vacuum.
struct FreePagesPredicate: Predicate {
    static let key = "free-pages"
    static let cost = Cost.read
    private let percent: UInt64
    private let bytes: UInt64

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["percent-over", "bytes-over"])
        percent = UInt64(clamping: try value.required("percent-over", of: fields).integer())
        bytes = try value.required("bytes-over", of: fields).size()
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { allocator.size(bytes...UInt64.max) }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard evaluation.item.status.size > bytes, let header = evaluation.facts[DatabaseHeaderFact.self],
            header.vacuum == .none
        else { return false }
        let size = evaluation.item.status.size
        // The header of a file that is shorter than it says is not believed.
        let free = header.freePages * UInt64(header.pageSize)
        guard free > bytes, free <= size else { return false }
        let (share, least) = (free.multipliedFullWidth(by: 100), size.multipliedFullWidth(by: percent))
        guard (share.high, share.low) > (least.high, least.low) else { return false }
        evaluation.addEvidence("free", value: Quantity.bytes(free))
        return true
    }
}

/// `external-data: missing`: a Core Data database refers to a missing file in its support directory. `external-data:
/// unreferenced`: such a file exists, but its database does not refer to it.
///
/// Files and databases are visited in any order, so both words collect both. Evaluated after the container was read.
struct ExternalDataPredicate: Predicate {
    static let key = "external-data"
    static let cost = Cost.read
    var needs: PredicateNeeds { .container }

    private enum Word: String, CaseIterable { case missing, unreferenced }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("state", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .file }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let path = evaluation.directory.path
        if Self.isFolder(path) { return file(in: path, &evaluation) }
        guard evaluation.item.status.size > 0 else { return false }
        // Core Data names the directory after the store, less its extension.
        let name = Array(evaluation.name)
        let stem = name.lastIndex(of: UInt8(ascii: ".")).map { Array(name[..<$0]) } ?? name
        let support = Array(".".utf8) + stem + Array("_SUPPORT".utf8)
        guard evaluation.item.entry.status(ofSibling: support)?.kind == .directory,
            let references = evaluation.facts[ExternalReferencesFact.self]
        else { return false }
        let folder = (path.isEmpty ? [] : path + Array("/".utf8)) + support + Array("/_EXTERNAL_DATA".utf8)
        let keys = references.sorted().map { Self.key(of: Array($0.utf8), in: folder) }
        evaluation.run.notes.see(Self.key(of: [], in: folder))
        for key in keys { evaluation.run.notes.refer(to: key) }
        guard word == .missing, !keys.isEmpty else { return false }
        return evaluation.answer(.isAnyMissing(keys))
    }

    private func file(in folder: [UInt8], _ evaluation: inout Evaluation) -> Bool {
        let key = Self.key(of: Array(evaluation.name), in: folder)
        evaluation.run.notes.see(key)
        guard word == .unreferenced else { return false }
        return evaluation.answer(.wasSeen(Self.key(of: [], in: folder))) && evaluation.answer(.isUnreferenced(key))
    }

    /// Returns true for the path of a directory with the external files of a database.
    static func isFolder(_ path: [UInt8]) -> Bool { path.suffix(suffix.count).elementsEqual(suffix) }

    private static let suffix = Array("_SUPPORT/_EXTERNAL_DATA".utf8)

    /// Returns the note of a file; without a name, the note that the database of the folder was read.
    private static func key(of name: [UInt8], in folder: [UInt8]) -> String {
        "external data \(ByteText.escaped(folder))/\(ByteText.escaped(name))"
    }
}

/// `url-cache: credential`: the database is a URL cache whose requests or responses contain credentials.
struct URLCachePredicate: Predicate {
    static let key = "url-cache"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case credential }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("content", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .filled }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let found = evaluation.facts[URLCacheFact.self]
        guard !found.isEmpty else { return false }
        evaluation.addEvidence("credential", value: found.prefix(3).joined(separator: ", "), in: found)
        return true
    }
}
