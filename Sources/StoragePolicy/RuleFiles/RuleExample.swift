internal import AppContainer
package import ContainerLifecycle
package import DatabaseInspection
internal import PropertyLists

/// A container to be made, and what a rule must find in it.
package struct RuleExample: Sendable {
    /// The title.
    package let title: String
    /// The line and column in the file of the rule, from 1; 0 for an example without a file.
    package let line: Int
    package let column: Int
    package let entries: [Recipe]
    package let configuration: String?
    /// The text of a baseline.
    package let baseline: String?
    /// True if the app was installed and launched once and never used.
    package let isFreshInstall: Bool
    /// The events that the run plays on a model of the container.
    package let events: [LifecycleEvent]
    /// The bundle identifier of the container.
    package let bundleIdentifier: String
    /// The paths of the findings; empty where there must be none.
    package let finds: [String]
    /// The severity of each finding, if the rule has levels.
    package let severity: Severity?

    static func list(_ value: YAMLValue, mustFind: Bool) throws(SourceError) -> [RuleExample] {
        var examples: [RuleExample] = []
        for part in value.list() { examples.append(try RuleExample(part, mustFind: mustFind)) }
        return examples
    }

    init(title: String, entries: [Recipe], configuration: String?, bundleIdentifier: String) {
        self.title = title
        self.entries = entries
        self.configuration = configuration
        self.bundleIdentifier = bundleIdentifier
        (finds, severity, baseline, isFreshInstall, events) = ([], nil, nil, false, [])
        (line, column) = (0, 0)
    }

    private init(_ value: YAMLValue, mustFind: Bool) throws(SourceError) {
        let fields = try value.fields(
            Set(
                ["title", "tree", "config", "baseline", "bundle-id", "fresh-install", "after"]
                    + (mustFind ? ["finds", "severity"] : [])))
        (line, column) = (value.position.line, value.position.column)
        title = try fields["title"]?.shownString() ?? ""
        configuration = try fields["config"]?.string()
        baseline = try fields["baseline"]?.string()
        isFreshInstall = try fields["fresh-install"]?.boolean() ?? false
        events = try fields["after"]?.words("event", type: LifecycleEvent.self) ?? []
        bundleIdentifier = try fields["bundle-id"]?.string() ?? "com.example.app"
        severity = try fields["severity"]?.word("severity", type: Severity.self)
        finds = mustFind ? try value.required("finds", of: fields).strings() : []
        var entries: [Recipe] = []
        for (key, recipe) in try value.required("tree", of: fields).pairs() {
            entries.append(try Recipe(path: try key.string(), recipe))
        }
        self.entries = entries
    }
}

/// One item of an example: what it is, what is in it, and what is on it.
package struct Recipe: Sendable {
    package enum Kind: Sendable {
        /// Content, and the size to which spaces fill it up.
        case file([UInt8], padded: Int)
        /// An SQLite store with what lies beside it; its pages from `zeroed` on, for one page, are zeros.
        case store(DatabaseRecipe, zeroed: Int?)
        case directory
        case link(String)
        case fifo
    }

    package let path: String
    package let kind: Kind
    package let attributes: [(name: String, value: [UInt8])]
    /// Seconds before the example's now, negative after it; nil for an hour.
    package let age: Int64?
    /// True if it has the "leave out of dumps" bit.
    package let isNoDump: Bool
    /// The size to which a hole makes the file longer, so that a large one takes no room.
    package let hole: UInt64?

    /// Keys: `text`, `hex`, `size`, `noise`, `plist`, `sqlite`, `link`, `fifo`; `excluded`, `origin`, `url`,
    /// `attributes`, `age` (dated so long before now), `ahead` (so long after), `hole` (the size of a file that takes
    /// no room), `nodump`. A path that ends in `/` is a directory.
    init(path: String, _ value: YAMLValue, besides others: Set<String> = []) throws(SourceError) {
        let known: Set = [
            "text", "hex", "size", "noise", "plist", "sqlite", "link", "fifo", "excluded", "origin", "url",
            "attributes", "age", "ahead", "hole", "nodump",
        ]
        let fields = try value.fields(known.union(others))
        self.path = path
        if path.hasSuffix("/") {
            kind = .directory
        } else if let link = fields["link"] {
            kind = .link(try link.string())
        } else if let fifo = fields["fifo"], try fifo.boolean() {
            kind = .fifo
        } else if let store = fields["sqlite"] {
            kind = try Self.store(store)
        } else {
            var content = Array(try fields["text"]?.string().utf8 ?? "".utf8)
            if let hex = fields["hex"] { content = try Self.bytes(hex) }
            if let plist = fields["plist"] { content = try Self.propertyList(plist) }
            if let noise = fields["noise"] { content = Self.noise(Int(min(try noise.size(), 1 << 20))) }
            // One byte, because a file that is one hole counts as evicted.
            let size = try fields["size"]?.size() ?? (fields["hole"] == nil ? 0 : 1)
            guard size <= 64 << 20 else { throw value.error("a file of an example must not exceed 64MiB") }
            kind = .file(content, padded: Int(size))
        }
        attributes = try Self.attributes(fields)
        isNoDump = try fields["nodump"]?.boolean() ?? false
        hole = try fields["hole"]?.size()
        if let ahead = fields["ahead"] {
            age = -(try ahead.duration())
        } else {
            age = try fields["age"]?.duration()
        }
    }

    private static func attributes(
        _ fields: [String: YAMLValue]
    ) throws(SourceError) -> [(name: String, value: [UInt8])] {
        var attributes: [(String, [UInt8])] = []
        if let excluded = fields["excluded"], try excluded.boolean() {
            attributes.append((ExclusionMark.modern.rawValue, ExclusionMark.value))
        }
        if let origin = fields["origin"] {
            let maker = try origin.word("maker", type: Provenance.Maker.self)
            attributes.append((Provenance.makerAttribute, Array(maker.rawValue.utf8)))
        }
        if let url = fields["url"] { attributes.append((Provenance.originAttribute, Array(try url.string().utf8))) }
        if let given = fields["attributes"] {
            for (name, value) in try given.pairs() {
                attributes.append((try name.string(), Array(try value.string().utf8)))
            }
        }
        return attributes
    }

    /// A list of SQL statements; or `run`, such a list, with `log`, statements whose changes stand in the write-ahead
    /// log alone, or `unfinished`, those of a transaction that leaves a hot journal; `replaced`, those of
    /// a database that replaces the main file; and `zeroed`, where a page is lost.
    private static func store(_ value: YAMLValue) throws(SourceError) -> Kind {
        guard value.isMapping else { return .store(DatabaseRecipe(try value.strings()), zeroed: nil) }
        let fields = try value.fields(["run", "log", "unfinished", "replaced", "zeroed"])
        let recipe = DatabaseRecipe(
            try value.required("run", of: fields).strings(), logged: try fields["log"]?.strings() ?? [],
            unfinished: try fields["unfinished"]?.strings() ?? [],
            replacement: try fields["replaced"]?.strings() ?? [])
        return .store(recipe, zeroed: try fields["zeroed"]?.integer())
    }

    /// Bytes without any pattern, the same every time.
    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 0x9e37_79b9_7f4a_7c15
        return (0..<count).map { _ in
            // Xorshift, 64 bits. Source: Marsaglia, “Xorshift RNGs”, 2003.
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }

    /// A binary property list of a YAML value; `!data` and `!date` are written as mappings of one key.
    private static func propertyList(_ value: YAMLValue) throws(SourceError) -> [UInt8] {
        let list = try value.propertyList()
        do throws(PropertyListError) { return try list.binary() } catch {
            throw value.error("not a property list: \(error)")
        }
    }

    private static func bytes(_ value: YAMLValue) throws(SourceError) -> [UInt8] {
        let digits = try value.string().filter { !$0.isWhitespace }
        var bytes: [UInt8] = []
        var rest = digits[...]
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16), rest.count >= 2 else {
                throw value.error("expected pairs of hexadecimal digits")
            }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}

extension YAMLValue {
    /// The value as a property list: mappings, sequences, texts, numbers and truth values as they are; bytes as
    /// `{ $hex: "00ff" }` or `{ $zeros: 64KiB }`, a date as `{ $date: seconds since 2001 }`, a reference of a keyed
    /// archive as `{ $uid: 1 }`.
    func propertyList() throws(SourceError) -> PropertyList {
        if let recorder { return recorder.record(.anything, answer: .string("")) }
        if isMapping { return try mapping() }
        if isSequence {
            var members: [PropertyList] = []
            for member in list() { members.append(try member.propertyList()) }
            return .array(members)
        }
        return try plainValue()
    }

    private func mapping() throws(SourceError) -> PropertyList {
        let pairs = try pairs()
        if pairs.count == 1, let (key, value) = pairs.first {
            switch try key.string() {
            case "$hex":
                let digits = try value.string().utf8.filter { $0 > 0x20 }
                var bytes: [UInt8] = []
                for index in stride(from: 0, to: digits.count - 1, by: 2) {
                    guard let byte = UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16)
                    else {
                        throw value.error("expected pairs of hexadecimal digits")
                    }
                    bytes.append(byte)
                }
                return .data(bytes)
            case "$zeros": return .data([UInt8](repeating: 0, count: Int(min(try value.size(), 8 << 20))))
            case "$date": return .date(Double(try value.integer()))
            case "$uid": return .uid(UInt64(max(0, try value.integer())))
            default: break
            }
        }
        var entries: [(String, PropertyList)] = []
        for (key, value) in pairs { entries.append((try key.string(), try value.propertyList())) }
        return .dictionary(entries)
    }

    /// A scalar by its YAML type: what is quoted is a text.
    private func plainValue() throws(SourceError) -> PropertyList {
        if isPlain {
            if let number = try? integer() { return .integer(Int64(number)) }
            if let value = try? boolean() { return .boolean(value) }
            if let number = Double(try string()) { return .real(number) }
        }
        return .string(try string())
    }
}
