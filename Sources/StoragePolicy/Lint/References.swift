internal import AppContainer
internal import ContainerTree
internal import DatabaseInspection
internal import FileSystem
internal import PolicyTexts
internal import Secrets
internal import TextOutput

/// The files of a container that stores of the app name, among those that were asked for.
///
/// The stores of all containers of the app are read (`StoreFiles`). Databases are read through SQLite with their logs, so that a
/// deleted row names nothing.
struct References: Sendable {
    fileprivate var byPath: [[UInt8]: Reference] = [:]
    /// The web addresses in the records that name a file.
    fileprivate var addresses: [[UInt8]: String] = [:]
    /// The stores that were not read, or not to their end.
    fileprivate(set) var unread: [Incident] = []

    subscript(path: [UInt8]) -> Reference? { byPath[path] }

    /// The web address in a record that names a file, by its name or by an identifier that is its name without the extension.
    func address(of path: [UInt8]) -> String? { addresses[path] }

    /// True if everything was read, so that a file without a reference has none.
    var isComplete: Bool { unread.isEmpty }

    /// More files are not searched for.
    static let mostFiles = 20_000

    /// The references to no file.
    init() {}

    /// Searches the containers of an app for the names of `files`, paths in the container at `index`, which `tree` shows and
    /// whose stores are known.
    init(
        to files: [[UInt8]], in tree: any Tree, stores: StoreFiles, at index: Int, of app: ContainersOfApp,
        _ state: RunState
    ) {
        guard !files.isEmpty else { return }
        guard files.count <= Self.mostFiles, !stores.isCut else {
            unread = [.unsearched([])]
            return
        }
        let limits = ReferenceSearch.Limits()
        add(ReferenceSearch(files, isOwn: true, prefix: "", limits: limits, state: state), of: stores, in: tree)
        for other in app.others(than: index) {
            let (tree, stores) = (app.tree(other), StoreFiles(mostItems: .max))
            guard app.mayReadAgain(), (try? tree.visit(StoreSearch(stores: stores, state: state), threads: 2)) != nil
            else {
                unread.append(.unsearched([]))
                continue
            }
            let prefix = app.text(for: ContainersOfApp.File(container: other, path: []), in: index)
            add(
                ReferenceSearch(files, isOwn: false, prefix: prefix, limits: limits, state: state), of: stores, in: tree
            )
        }
    }

    private mutating func add(_ search: ReferenceSearch, of stores: StoreFiles, in tree: any Tree) {
        stores.read(in: tree) {
            search.read($0, in: $1, context: $2)
        } failed: {
            search.found.add(.unsearched($0))
        }
        if stores.isFull { search.found.add(.unsearched([])) }
        let found = search.found.value
        byPath.merge(found.byPath) { $0.precedes($1) ? $0 : $1 }
        addresses.merge(found.addresses, uniquingKeysWith: min)
        unread += found.unread
    }

    fileprivate mutating func add(_ reference: Reference, to path: [UInt8]) {
        if let known = byPath[path], !reference.precedes(known) { return }
        byPath[path] = reference
    }
}

/// A reading of the stores of a container for the names of some files.
private struct ReferenceSearch: Sendable {
    /// The bytes and the number of stores that are read; shared by the containers of an app.
    final class Limits: Sendable {
        private let left = LockedValue((bytes: UInt64(1) << 30, files: StoreFiles.mostStores))

        func mayRead(_ bytes: UInt64) -> Bool {
            left.withLock { left in
                guard left.files > 0, bytes <= left.bytes else { return false }
                left.files -= 1
                left.bytes -= bytes
                return true
            }
        }
    }

    private let files: [[UInt8]]
    private let names: NameSearch
    /// True if the files are in the visited container.
    private let isOwn: Bool
    private let prefix: String
    private let limits: Limits
    private let state: RunState
    let found = Found()

    final class Found: Sendable {
        private let references = LockedValue(References())
        var value: References { references.withLock { $0 } }
        /// Some of very many stores that were not read stand for all.
        func add(_ incident: Incident) {
            references.withLock { if $0.unread.count < 20 { $0.unread.append(incident) } }
        }
        func add(_ reference: Reference, to file: [UInt8]) { references.withLock { $0.add(reference, to: file) } }
        func add(_ address: String, of file: [UInt8]) {
            references.withLock { $0.addresses[file] = min($0.addresses[file] ?? address, address) }
        }
    }

    init(_ files: [[UInt8]], isOwn: Bool, prefix: String, limits: Limits, state: RunState) {
        (self.files, self.isOwn, self.prefix, self.limits, self.state) = (files, isOwn, prefix, limits, state)
        names = NameSearch(files.map(ItemPath.name))
    }

    func read(_ item: Item, in directory: Directory, context: DirectoryContext) {
        let path = directory.path(of: item)
        guard directory.availability(of: item) != .evicted, item.status.size <= ItemFacts.scanLimit,
            limits.mayRead(item.status.size)
        else { return found.add(.unsearched(path)) }
        let facts = ItemFacts(item, in: directory, context: context, traits: .file, run: state.run)
        if facts[MagicFact.self] == .sqlite, readDatabase(facts, path: path) { return }
        readBytes(facts, path: path)
    }

    /// Returns false if SQLite cannot read all of it.
    private func readDatabase(_ facts: ItemFacts, path: [UInt8]) -> Bool {
        guard case .open(let copy) = facts[DatabaseFact.self] else { return false }
        var record = Record()
        var last = (table: "", row: 0)
        do throws(DatabaseReadError) {
            try copy.eachValue { table, column, row, bytes in
                if last != (table, row) {
                    finish(&record, in: path)
                    last = (table, row)
                }
                search(bytes, of: path, record: &record) { "\(table).\(column)" }
            }
            finish(&record, in: path)
            return true
        } catch { return false }
    }

    private func readBytes(_ facts: ItemFacts, path: [UInt8]) {
        var isNamed = false
        facts.scan { bytes, starts in
            names.forEachMatch(in: bytes) { form, range in
                guard starts.contains(range.lowerBound) else { return }
                isNamed = true
                add(form, in: path, isExact: false) { nil }
            }
            return true
        }
        if !facts.incidents.isEmpty { found.add(.unsearched(path)) }
        guard isNamed, facts[MagicFact.self] != .sqlite else { return }
        var records: [ObjectIdentifier?: Record] = [:]
        for value in facts[TextValuesFact.self] where !value.hasListedTexts {
            var text = value.text
            text.withUTF8 { bytes in
                let key = value.pointer.record.map { ObjectIdentifier($0) }
                search(UnsafeRawBufferPointer(bytes), of: path, record: &records[key, default: Record()]) {
                    value.pointer.text
                }
            }
        }
        for var record in records.values { finish(&record, in: path) }
    }

    /// The values of one row, or of one object of JSON or a property list.
    private struct Record {
        var address: String?
        var named: Set<Int> = []
    }

    private func search(
        _ bytes: UnsafeRawBufferPointer, of store: [UInt8], record: inout Record, _ place: () -> String?
    ) {
        // Servers delete what people send each other, and what the user uploaded is the user's.
        if bytes.starts(withText: "http"), bytes.count <= 2048, !AddressIndex.isSensitive(place() ?? ""),
            let address = ShownAddress(String(decoding: bytes, as: UTF8.self))?.withoutScheme
        {
            record.address = min(record.address ?? address, address)
        }
        var named: Set<Int> = []
        names.forEachMatch(in: bytes) { form, range in
            let isExact = form.isWhole && Self.isName(at: range, in: bytes, of: files[form.number])
            if isExact || range == 0..<bytes.count || bytes.starts(withText: "http") { named.insert(form.number) }
            add(form, in: store, isExact: isExact, place)
        }
        record.named.formUnion(named)
    }

    private func finish(_ record: inout Record, in store: [UInt8]) {
        if let address = record.address {
            for number in record.named { found.add(address, of: files[number]) }
        }
        record = Record()
    }

    private func add(_ form: NameSearch.Form, in store: [UInt8], isExact: Bool, _ place: () -> String?) {
        let file = files[form.number]
        // A file that contains its own name is not named by another.
        if isOwn, file == store { return }
        var text = prefix + ByteText.escaped(store)
        if let place = place() { text += ", " + ByteText.printable(place) }
        found.add(Reference(store: text, isExact: isExact), to: file)
    }

    /// Returns true if the match is a whole name, and the name of the directory before it is that of the file's.
    private static func isName(at range: Range<Int>, in bytes: UnsafeRawBufferPointer, of file: [UInt8]) -> Bool {
        if range.upperBound < bytes.count, !isLimit(bytes[range.upperBound]) { return false }
        guard range.lowerBound > 0 else { return true }
        let slash = UInt8(ascii: "/")
        var end = range.lowerBound - 1
        // `%2F`, and `\/` in JSON.
        if range.lowerBound >= 3, bytes[range.lowerBound - 3] == UInt8(ascii: "%"), bytes[end - 1] == UInt8(ascii: "2"),
            bytes[end] | 0x20 == UInt8(ascii: "f")
        {
            end -= 2
        } else {
            guard bytes[end] == slash else { return isLimit(bytes[end]) }
            if end > 0, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
        }
        let start = bytes[..<end].lastIndex { $0 == slash || isQuote($0) || $0 < 0x20 }.map { $0 + 1 } ?? 0
        let parent = ItemPath.name(ItemPath.parent(file))
        guard start < end, !parent.isEmpty else { return true }
        let named = String(decoding: bytes[start..<end], as: UTF8.self)
        return [named, named.removingPercentEscapes].contains {
            NameSpelling.composed(Array($0.utf8)) == NameSpelling.composed(parent)
        }
    }

    private static func isQuote(_ byte: UInt8) -> Bool { "\"'`<>|".utf8.contains(byte) }

    /// Returns true for a byte that can lie between a name and other text.
    private static func isLimit(_ byte: UInt8) -> Bool {
        byte <= 0x20 || isQuote(byte) || ",;:=()[]{}?#&\\".utf8.contains(byte)
    }
}

extension String {
    /// The text with `%XX` as the bytes that they mean.
    fileprivate var removingPercentEscapes: String { String(decoding: ByteText.unescaped(self), as: UTF8.self) }
}

extension Incident {
    /// A store that was not read, or, without a path, several.
    fileprivate static func unsearched(_ path: [UInt8]) -> Incident { Incident(path: path, reason: .tooMuchToSearch) }
}
