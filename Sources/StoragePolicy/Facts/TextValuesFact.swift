internal import ContainerTree
internal import DatabaseInspection
internal import PolicyTexts
internal import PropertyLists

/// Every text in a property list, in JSON, in an SQLite store or in a file of settings, with where it stands; also in
/// the archives and the JSON that such a file's values hold. In a keyed archive a text goes by the field that it was
/// stored under.
///
/// At most 50,000 texts of 64 KiB; JSON and settings up to 5 MiB, stores as `DatabaseTextsFact` has it.
enum TextValuesFact: Fact {
    static let name = "texts"
    static let cost = Cost.read
    static let most = 50_000
    static let jsonLimit = 5 << 20

    static func value(of facts: ItemFacts) -> [TextValue] {
        var collector = TextCollector()
        let lists = facts[ContainedListsFact.self]
        if !lists.isEmpty {
            let archives = facts[ArchivesFact.self]
            for list in lists {
                if let archive = archives.first(where: { $0.list.number == list.number }) {
                    collector.add(archive)
                } else {
                    var walk = PropertyListWalk(in: list.graph)
                    collector.add(list.graph.root, at: list.pointer, by: &walk)
                }
            }
        } else if facts[MagicFact.self] == .sqlite {
            for value in facts[DatabaseTextsFact.self] {
                guard collector.add(value.text, at: value.pointer) else { break }
            }
        } else if let bytes = facts[JSONFact.self] {
            bytes.withUnsafeBufferPointer { collector.addJSON($0, at: .root) }
        } else if isXML(facts), let bytes = facts.content(limit: jsonLimit) {
            XMLTexts.visit(bytes) { collector.add($1, at: $0) }
        } else if isSettings(facts.item), let bytes = facts.content(limit: jsonLimit) {
            LineTexts.visit(bytes) { collector.add($1, at: $0) }
        }
        if collector.isFull { facts.leaveOut(.tooManyTexts) }
        facts.noteAddresses(in: collector.found)
        return collector.found
    }

    /// Returns true for a file with the name of settings in lines.
    fileprivate static func isSettings(_ item: Item) -> Bool {
        LineTexts.extensions.contains(PathExtension.word(of: item.name)) || item.name.starts(with: ".env".utf8)
            || LineTexts.names.contains { item.name.elementsEqual($0) }
    }

    /// Returns true for XML that is not a property list.
    private static func isXML(_ facts: ItemFacts) -> Bool {
        guard PathExtension.word(of: facts.item.name) == xml, let first = facts[FirstBytesFact.self] else {
            return false
        }
        return first.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "<")
    }

    private static let xml = PathExtension.word("xml")

    /// Returns true if a text's first bytes are those of JSON; `isSettings` where its name is that of settings in
    /// lines.
    static func beginsAsJSON(_ first: [UInt8], isSettings: Bool) -> Bool {
        let start = (first.starts(with: [0xef, 0xbb, 0xbf]) ? first.dropFirst(3) : first[...]).drop { $0 <= 0x20 }
        guard isSettings, start.first == UInt8(ascii: "[") else {
            return start.first.map { "{[".utf8.contains($0) } ?? false
        }
        // Among settings `[name]` begins a section (INI), and so does `[[name]]` (TOML).
        return start.first { $0 > 0x20 && $0 != UInt8(ascii: "[") }.map { "{\"".utf8.contains($0) } ?? false
    }
}

/// The bytes of a file of JSON, up to 5 MiB; nil for other files.
enum JSONFact: Fact {
    static let name = "JSON"
    static let cost = Cost.read

    static func value(of facts: ItemFacts) -> [UInt8]? {
        let isSettings = TextValuesFact.isSettings(facts.item)
        guard let first = facts[FirstBytesFact.self], TextValuesFact.beginsAsJSON(first, isSettings: isSettings),
            facts[ContainedListsFact.self].isEmpty, facts[MagicFact.self] != .sqlite
        else { return nil }
        return facts.content(limit: TextValuesFact.jsonLimit)
    }
}

extension ItemFacts {
    /// Keeps the web addresses among an item's texts, and the columns of its tables, for judging files by them.
    fileprivate func noteAddresses(in texts: [TextValue]) {
        guard run.model != nil else { return }
        var tables: [String: [String]] = [:]
        var texts = texts
        if self[MagicFact.self] == .sqlite {
            tables = Dictionary(self[DatabaseTablesFact.self].map { ($0.name, $0.columns) }, uniquingKeysWith: +)
            run.stores.add(self[SchemaFact.self], at: directory.path(of: item))
            texts += furtherAddresses(after: texts)
        }
        run.addresses.add(
            AddressIndex.Found(
                texts, inFile: Array(item.name), of: directory.path, tables: tables,
                isSettings: TextValuesFact.isSettings(item)))
    }

    /// The addresses of a database beyond the rows that are read of every table: of the columns that hold some.
    private func furtherAddresses(after texts: [TextValue]) -> [TextValue] {
        guard texts.count >= DatabaseLimits().rows else { return [] }
        var columns: Set<String> = []
        for text in texts where text.text.hasPrefix("http") {
            if let column = text.pointer.ownColumn { columns.insert(column) }
        }
        guard !columns.isEmpty else { return [] }
        var further: [TextValue] = []
        for table in self[DatabaseTablesFact.self] {
            for column in table.columns {
                let pointer = ValuePointer(ValuePointer.Column(column, of: table.name))
                guard columns.contains(pointer.text) else { continue }
                let limit = AddressIndex.mostOfColumn
                let found =
                    query { copy throws(DatabaseReadError) in
                        try copy.texts(in: column, of: table, beginning: "http", limit: limit + 1)
                    } ?? []
                if found.count > limit { run.addresses.noteUnread() }
                further += found.prefix(limit).map { TextValue(pointer: pointer, text: $0) }
            }
        }
        return further
    }
}

/// Gathers texts up to the limit.
private struct TextCollector {
    private(set) var found: [TextValue] = []
    private var depth = 0

    var isFull: Bool { found.count >= TextValuesFact.most }

    /// Adds a text, and those in it where it is JSON; false when there is no room for more.
    mutating func add(_ text: String, at pointer: ValuePointer, isArchivedAddress: Bool = false) -> Bool {
        guard text.utf8.count <= TextValue.longest else { return true }
        found.append(TextValue(pointer: pointer, text: text, isArchivedAddress: isArchivedAddress))
        if text.utf8.count > 8 {
            var text = text
            let own = found.count - 1
            text.withUTF8 { if JSONTexts.isJSON($0) { addJSON($0, at: pointer) } }
            found[own].hasListedTexts = found.count - 1 > own
        }
        return !isFull
    }

    /// Adds the texts of JSON. JSON in JSON is read up to three levels deep.
    mutating func addJSON(_ bytes: UnsafeBufferPointer<UInt8>, at pointer: ValuePointer) {
        guard depth < 3 else { return }
        depth += 1
        var texts = JSONTexts(in: bytes)
        while let text = texts.next(), add(texts.string(text), at: texts.pointer(from: pointer)) {}
        depth -= 1
    }

    mutating func add(
        _ value: PropertyListValue, at pointer: ValuePointer, by walk: inout PropertyListWalk,
        isArchivedAddress: Bool = false
    ) {
        walk.start(at: value)
        while !isFull, let node = walk.next() {
            switch node {
            case .string(let text):
                _ = add(text, at: walk.pointer(from: pointer), isArchivedAddress: isArchivedAddress)
            case .data(let data):
                guard data.count <= TextValuesFact.jsonLimit else { continue }
                data.withUnsafeBufferPointer {
                    if JSONTexts.isJSON($0) { addJSON($0, at: walk.pointer(from: pointer)) }
                }
            default: break
            }
        }
    }

    mutating func add(_ archive: ArchivesFact.Archive) {
        var walk = PropertyListWalk(in: archive.list.graph)
        let top = ValuePointer.Parent(archive.list.pointer)
        let objects = ValuePointer.Parent(top.member(ArchivesFact.objects))
        for position in 0..<archive.objects.count {
            guard !isFull, let object = archive.objects[position] else { continue }
            let pointer = archive.names[position].map { top.member($0) } ?? objects.member(position)
            add(object, at: pointer, by: &walk, isArchivedAddress: archive.addresses.contains(position))
        }
    }
}

/// Finds `name = value` and `name: value` in a text of lines, as settings are written by hand (INI, YAML, shell).
enum LineTexts {
    /// The name extensions of such files.
    static let extensions = ["ini", "cfg", "conf", "env", "yml", "yaml", "toml", "props", "settings", "strings"]
        .compactMap(PathExtension.word)
    /// The names of such files without an extension: credentials of network clients, package managers and AWS.
    static let names = [
        ".netrc", "_netrc", ".npmrc", ".yarnrc", ".pypirc", ".git-credentials", ".pgpass", "credentials",
    ].map { Array($0.utf8) }

    /// Shows each value, without its quotation marks, until `show` says that it is enough.
    static func visit(_ bytes: [UInt8], show: (ValuePointer, String) -> Bool) {
        var (start, number) = (0, 0)
        while start < bytes.count {
            let end = bytes[start...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? bytes.count
            number += 1
            if end > start, end - start <= TextValue.longest,
                let found = Self.pair(bytes[start..<end], number: number), !show(found.pointer, found.text)
            {
                return
            }
            // One line's end may be two bytes.
            start = end + (bytes[end...].starts(with: [0x0d, 0x0a]) ? 2 : 1)
        }
    }

    private static func pair(_ line: ArraySlice<UInt8>, number: Int) -> (pointer: ValuePointer, text: String)? {
        guard let sign = line.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else {
            return credentials(line, number: number)
        }
        // An address without a name, as in `.git-credentials`.
        if line[sign...].starts(with: "://".utf8) { return (ValuePointer(line: number, name: ""), trimmed(line)) }
        let value = trimmed(line[(sign + 1)...])
        guard !value.isEmpty else { return nil }
        return (ValuePointer(line: number, name: trimmed(line[..<sign])), value)
    }

    /// Returns the password of a line of `.netrc`: `machine example.com login user password value`.
    private static func credentials(_ line: ArraySlice<UInt8>, number: Int) -> (pointer: ValuePointer, text: String)? {
        let words = line.split { $0 <= 0x20 }
        guard let index = words.firstIndex(where: { $0.elementsEqual("password".utf8) }), index + 1 < words.count else {
            return nil
        }
        return (ValuePointer(line: number, name: "password"), String(decoding: words[index + 1], as: UTF8.self))
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let isMargin: (UInt8) -> Bool = { $0 <= 0x20 || "\"';,".utf8.contains($0) }
        var rest = bytes.drop(while: isMargin)
        while let last = rest.last, isMargin(last) { rest.removeLast() }
        return String(decoding: rest, as: UTF8.self)
    }
}
