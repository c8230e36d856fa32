internal import DatabaseInspection
internal import FileSystem
internal import PolicyTexts
internal import PropertyLists
internal import Secrets
internal import StoragePolicy
internal import TextOutput

/// Property lists, keyed archives and databases.
extension PreviewLines {
    // MARK: - Property lists

    /// Adds a property list as a tree. Returns nil for other content, and for a list that is too large for one.
    mutating func addPropertyList(_ file: PreviewFile, _ start: [UInt8]) -> String? {
        let isBinary = start.starts(with: PropertyListStrings.magic)
        guard isBinary || Self.mayBeXML(start) else { return nil }
        let form = isBinary ? "binary" : "XML"
        guard file.size <= UInt64(limits.listBytes) else {
            guard isBinary else { return nil }
            let most = Quantity.bytes(UInt64(limits.listBytes))
            add("larger than \(most), so only its first bytes are shown", style: .dim)
            _ = addBytes(file, start)
            return "property list, binary, \(Quantity.bytes(file.size))"
        }
        let bytes = UInt64(start.count) >= file.size ? start : file.bytes(limits.listBytes)
        var reading = PropertyListGraph.Limits()
        (reading.bytes, reading.contents, reading.objects) = (limits.listBytes, 2 * limits.listBytes, 200_000)
        let graph: PropertyListGraph
        do throws(PropertyListError) {
            graph = try PropertyListGraph(parsing: bytes, limits: reading, brokenText: .replaced)
        } catch {
            // XML of another kind is text.
            guard isBinary else { return nil }
            add("cannot be read: \(error)", style: .error)
            _ = addBytes(file, start)
            return "property list, binary, damaged"
        }
        if let archive = ArchiveListing(graph, mostLines: limits.lines) {
            var texts = ""
            archive.writeText(in: Style(colored: false)) { texts += $0 }
            let all = texts.split(separator: "\n")
            for line in all.dropFirst() where hasRoom() {
                let indent = line.prefix { $0 == " " }.count
                add(String(line.dropFirst(indent)), depth: indent / 2)
            }
            return "keyed archive, \(form), " + (all.first.map(String.init) ?? "")
        }
        add(graph.root, label: "", name: "", depth: 0, nesting: 0)
        let root = graph.root
        let kind: String
        switch root.node {
        case .dictionary: kind = "dictionary with \(Quantity.count(root.count, "key"))"
        case .array: kind = "array of \(Quantity.count(root.count, "value"))"
        default: kind = "a single value"
        }
        return "property list, \(form), \(kind)"
    }

    private static func mayBeXML(_ start: [UInt8]) -> Bool {
        let text = start.prefix(1_024).filter { $0 != 0 }
        guard text.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<") else { return false }
        return String(decoding: text, as: UTF8.self).contains("<plist") || Magic(start) == .xml
    }

    /// Adds a value with everything in it. A value that contains itself ends at the depth limit.
    private mutating func add(
        _ value: PropertyListValue, label: String, name: String, depth: Int, nesting: Int
    ) {
        guard hasRoom() else { return }
        let start = label.isEmpty ? "" : "\(label): "
        switch value.node {
        case .dictionary, .array:
            let isArray = value.members != nil
            let count = Quantity.count(value.count, isArray ? "value" : "key")
            let brackets = isArray ? ("[", "]") : ("{", "}")
            let isFolded = depth >= limits.depth && value.count > 0
            add(
                "\(start)\(brackets.0)\(isFolded ? "… " : "")\(count)\(brackets.1)", depth: depth,
                style: depth == 0 ? .heading : .plain)
            guard !isFolded else { return }
            for position in 0..<min(value.count, limits.members) where hasRoom() {
                if isArray {
                    guard let member = value[position] else { continue }
                    add(member, label: "[\(position)]", name: name, depth: depth + 1, nesting: nesting)
                } else if let pair = value.pair(at: position) {
                    let label = ByteText.printable(Self.cut(pair.key, to: 200))
                    add(pair.value, label: label, name: pair.key, depth: depth + 1, nesting: nesting)
                }
            }
            if value.count > limits.members {
                add("… \(Quantity.grouped(value.count - limits.members)) more", depth: depth + 1, style: .dim)
            }
        case .data(let inner) where nesting < 2 && inner.starts(with: PropertyListStrings.magic):
            var reading = PropertyListGraph.Limits()
            (reading.contents, reading.objects) = (limits.listBytes, 50_000)
            guard let graph = try? PropertyListGraph(parsing: inner, limits: reading, brokenText: .replaced) else {
                return add(start + ArchiveListing.text(of: value, named: name), depth: depth)
            }
            add("\(start)property list in \(Quantity.count(inner.count, "byte")) of data", depth: depth)
            add(graph.root, label: "", name: name, depth: depth + 1, nesting: nesting + 1)
        default: add(start + ArchiveListing.text(of: value, named: name), depth: depth)
        }
    }

    // MARK: - Databases

    /// Adds the tables of a database with their first rows. Returns nil for other content.
    mutating func addDatabase(_ file: PreviewFile, _ start: [UInt8]) -> String? {
        guard Magic(start) == .sqlite else { return nil }
        let size = Quantity.bytes(file.size)
        guard file.size <= limits.databaseBytes else {
            let most = Quantity.bytes(limits.databaseBytes)
            add("larger than \(most), so it is not copied to read it. `sandboxfm db tables` does.", style: .dim)
            return "SQLite database, \(size)"
        }
        do {
            let database = try file.database(within: limits)
            if let foreign = database.copy.foreignLog {
                add("without its log, which belongs to another database or state: \(foreign)", style: .error)
            }
            let objects = try database.copy.schema().filter {
                !$0.isInternal && ($0.hasRows || $0.kind == .virtualTable)
            }
            for object in objects where hasRoom() { add(object, of: database) }
            let tables = objects.filter { $0.kind != .view }.count
            let views = objects.count - tables
            return "SQLite database, \(Quantity.count(tables, "table"))"
                + (views > 0 ? ", \(Quantity.count(views, "view"))" : "") + ", \(size)"
        } catch {
            add("\((error as? DatabaseReadError).map { "cannot be read: \($0)" } ?? "\(error)")", style: .error)
            return "SQLite database, \(size)"
        }
    }

    private mutating func add(_ object: SchemaObject, of database: OpenedDatabase) {
        let name = ByteText.printable(object.name)
        guard object.hasRows else { return add("\(name) (virtual table, not read)", style: .heading) }
        do {
            let count = try database.copy.rowCount(of: object.name, limit: 1_000_000)
            let rows = Quantity.count(count.count, "row") + (count.isExact ? "" : " or more")
            add("\(name)\(object.kind == .view ? " (view)" : ""), \(rows)", style: .heading)
            guard count.count > 0 else { return }
            let listing = try RowListing(of: object.name, limit: limits.rows, offset: 0, in: database)
            var text = ""
            listing.writeText(in: Style(colored: false, links: false, columns: columns.map { $0 - 4 })) { text += $0 }
            for line in text.split(separator: "\n") { add(String(line), depth: 1) }
            if listing.hasMore { add("…", depth: 1, style: .dim) }
        } catch {
            add("\(name)", style: .heading)
            add(
                "cannot be read: \((error as? DatabaseReadError).map { "\($0)" } ?? "\(error)")", depth: 1,
                style: .error)
        }
    }
}
