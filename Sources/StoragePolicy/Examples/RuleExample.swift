internal import AppContainer
internal import PropertyLists

/// A container to be made, and what a rule must find in it.
package struct RuleExample: Sendable {
    /// What it shows.
    package let title: String
    let entries: [Recipe]
    let configuration: String?
    /// Whose container it is.
    let bundleIdentifier: String
    /// The paths of the findings; empty where there must be none.
    package let finds: [String]
    /// How bad each of them is, where the rule has levels.
    let severity: Severity?

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
        (finds, severity) = ([], nil)
    }

    private init(_ value: YAMLValue, mustFind: Bool) throws(SourceError) {
        let fields = try value.fields(
            Set(["title", "tree", "config", "bundle-id"] + (mustFind ? ["finds", "severity"] : [])))
        title = try fields["title"]?.string() ?? ""
        configuration = try fields["config"]?.string()
        bundleIdentifier = try fields["bundle-id"]?.string() ?? "com.example.app"
        severity = try fields["severity"]?.word("severity", Severity.self)
        finds = mustFind ? try value.required("finds", of: fields).strings() : []
        var entries: [Recipe] = []
        for (key, recipe) in try value.required("tree", of: fields).pairs() {
            entries.append(try Recipe(path: try key.string(), recipe))
        }
        self.entries = entries
    }
}

/// One item of an example: what it is, what is in it, and what is on it.
struct Recipe: Sendable {
    enum Kind: Sendable {
        case file([UInt8])
        case directory
        case link(String)
        case fifo
    }

    let path: String
    let kind: Kind
    let attributes: [(name: String, value: [UInt8])]
    /// Seconds before the example's now, negative after it; nil for an hour.
    let age: Int64?

    /// Keys: `text`, `hex`, `size`, `plist`, `link`, `fifo`; `excluded`, `origin`, `url`, `attributes`, `age`
    /// (dated so long before now), `ahead` (so long after). A path that ends in `/` is a directory.
    init(path: String, _ value: YAMLValue, besides others: Set<String> = []) throws(SourceError) {
        let known: Set = [
            "text", "hex", "size", "plist", "link", "fifo", "excluded", "origin", "url", "attributes", "age", "ahead",
        ]
        let fields = try value.fields(known.union(others))
        self.path = path
        if path.hasSuffix("/") {
            kind = .directory
        } else if let link = fields["link"] {
            kind = .link(try link.string())
        } else if let fifo = fields["fifo"], try fifo.boolean() {
            kind = .fifo
        } else {
            var content = Array(try fields["text"]?.string().utf8 ?? "".utf8)
            if let hex = fields["hex"] { content = try Self.bytes(hex) }
            if let plist = fields["plist"] { content = try Self.propertyList(plist) }
            if let size = fields["size"] {
                let count = try size.size()
                guard count <= 1 << 20 else { throw size.error("an example's file has at most 1MiB") }
                content += [UInt8](repeating: 0x20, count: max(0, Int(count) - content.count))
            }
            kind = .file(content)
        }
        attributes = try Self.attributes(fields)
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
            let maker = try origin.word("maker", Provenance.Maker.self)
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

    /// A binary property list of a YAML value; `!data` and `!date` are written as mappings of one key.
    private static func propertyList(_ value: YAMLValue) throws(SourceError) -> [UInt8] {
        let list = try value.propertyList()
        do throws(PropertyListError) { return try list.binary() } catch {
            throw value.error("it is no property list: \(error)")
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
