internal import Foundation
internal import PolicyTexts
internal import PropertyLists
internal import Secrets
internal import StoragePolicy
package import TextOutput

/// A keyed archive as readable text: its objects with their classes, references by number, and cycles marked.
///
/// No class needs to exist: each object is shown with the keys that it was archived with.
package struct ArchiveListing: ExplorerOutput {
    private let archiver: String
    private let version: Int64?
    /// The top-level values by key.
    private let top: [(key: String, value: PropertyListValue)]
    private let objects: [PropertyListValue]
    /// The field that refers to an object, by the number of the object; one of a secret before others.
    private let names: [Int: String]

    private let mostLines: Int

    private static let deepest = 64

    /// Reads an archive.
    ///
    /// - Parameter file: The file.
    /// - Throws: `wrongContent` for a file that is not a keyed archive; `failed` for one that cannot be read.
    package init(_ file: FileContent) throws(ExplorerError) {
        let bytes = try file.whole()
        let graph: PropertyListGraph
        do throws(PropertyListError) { graph = try PropertyListGraph(parsing: bytes, brokenText: .replaced) } catch {
            throw ExplorerError(
                .wrongContent,
                description: "“\(file.shownPath)” is not a keyed archive: \(ByteText.printable("\(error)")). "
                    + "`sandboxfm cat` prints its bytes.")
        }
        guard let listing = ArchiveListing(graph) else {
            throw ExplorerError(
                .wrongContent,
                description:
                    "“\(file.shownPath)” is a property list, but not a keyed archive: it has no $objects and $top. "
                    + "`sandboxfm prefs` shows preferences, `sandboxfm cat` the bytes.")
        }
        self = listing
    }

    /// Reads an archive.
    ///
    /// - Parameters:
    ///   - graph: A property list. The result is nil for one that is not a keyed archive.
    ///   - mostLines: The maximum number of lines of text.
    init?(_ graph: PropertyListGraph, mostLines: Int = 100_000) {
        guard let objects = graph.root["$objects"]?.members, let top = graph.root["$top"]?.pairs else { return nil }
        self.objects = objects
        self.top = top
        self.mostLines = mostLines
        names = Self.names(top, objects: objects)
        archiver = graph.root["$archiver"]?.string ?? "unknown archiver"
        version = graph.root["$version"]?.integer
    }

    private static func names(
        _ top: [(key: String, value: PropertyListValue)], objects: [PropertyListValue]
    ) -> [Int: String] {
        var names: [Int: String] = [:]
        for pairs in [top] + objects.map({ $0.pairs ?? [] }) {
            for (key, value) in pairs {
                guard case .uid(let reference) = value.node, let number = Int(exactly: reference) else { continue }
                if names[number] == nil || key.isNameOfSecret { names[number] = key }
            }
        }
        return names
    }

    // MARK: - Text

    /// The state while text is written.
    private struct Writing {
        let output: (String) -> Void
        let columns: Int?
        let mostLines: Int
        var lines = 0
        /// The objects on the way to the current one.
        var above: Set<Int> = []
        var shown: Set<Int> = []

        mutating func line(_ depth: Int, text: String) {
            lines += 1
            guard lines <= mostLines else {
                if lines == mostLines + 1 { output("… more objects follow; --json lists all\n") }
                return
            }
            let indent = String(repeating: " ", count: min(2 * depth, (columns ?? .max) / 2))
            let room = columns.map { $0 - indent.count }
            output(indent + (room.map { Columns.cut(text, to: max(1, $0)) } ?? text) + "\n")
        }
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        withoutActuallyEscaping(output) { output in
            var writing = Writing(output: output, columns: style.columns, mostLines: mostLines)
            let version = self.version.map { ", version \($0)" } ?? ""
            writing.line(
                0,
                text:
                    "\(ByteText.printable(archiver))\(version), \(Quantity.count(max(0, objects.count - 1), "object"))")
            for (key, value) in top { write(Self.shown(key), value: value, depth: 0, writing: &writing) }
        }
    }

    /// Writes a value, and the fields of an object when it appears for the first time.
    private func write(_ label: String, value: PropertyListValue, depth: Int, writing: inout Writing) {
        guard writing.lines <= mostLines else { return }
        guard case .uid(let reference) = value.node else {
            return writing.line(depth, text: "\(label): \(Self.text(of: value, named: label))")
        }
        guard let number = Int(exactly: reference), objects.indices.contains(number) else {
            return writing.line(depth, text: "\(label): #\(reference) (missing)")
        }
        let object = objects[number]
        guard let pairs = object.pairs else {
            // Object 0 is the archived nil.
            let isNil = number == 0 && object.string == "$null"
            return writing.line(depth, text: "\(label): \(isNil ? "nil" : Self.text(of: object, named: names[number]))")
        }
        let name = className(of: object)
        if let plain = plainText(of: object, named: names[number]) {
            return writing.line(depth, text: "\(label): \(plain)")
        }
        if writing.above.contains(number) {
            return writing.line(depth, text: "\(label): \(name) #\(number) (cycle)")
        }
        if !writing.shown.insert(number).inserted {
            return writing.line(depth, text: "\(label): \(name) #\(number) (shown above)")
        }
        let fields = pairs.filter { $0.key != "$class" }
        guard depth < Self.deepest else {
            return writing.line(depth, text: "\(label): \(name) #\(number) (deeper; --json lists it)")
        }
        writing.above.insert(number)
        defer { writing.above.remove(number) }
        if let members = object["NS.objects"]?.members {
            let keys = object["NS.keys"]?.members
            let count = Quantity.count(members.count, keys == nil ? "element" : "pair")
            writing.line(depth, text: "\(label): \(name) #\(number), \(count)")
            for (position, member) in members.enumerated() {
                let key = keys.flatMap { position < $0.count ? plain($0[position]) : nil }
                write(key.map { "[\($0)]" } ?? "[\(position)]", value: member, depth: depth + 1, writing: &writing)
            }
            for (key, field) in fields where key != "NS.objects" && key != "NS.keys" {
                write(Self.shown(key), value: field, depth: depth + 1, writing: &writing)
            }
        } else {
            writing.line(depth, text: "\(label): \(name) #\(number)")
            for (key, field) in fields {
                if let members = field.members, members.contains(where: { $0.isReference }) {
                    writing.line(depth + 1, text: "\(Self.shown(key)): \(Quantity.count(members.count, "value"))")
                    for (position, member) in members.enumerated() {
                        write("[\(position)]", value: member, depth: depth + 2, writing: &writing)
                    }
                } else {
                    write(Self.shown(key), value: field, depth: depth + 1, writing: &writing)
                }
            }
        }
    }

    /// Returns the text of a reference to a simple object, or of a value.
    private func plain(_ value: PropertyListValue) -> String? {
        guard case .uid(let reference) = value.node else { return Self.text(of: value, named: nil) }
        guard let number = Int(exactly: reference), objects.indices.contains(number) else { return nil }
        let object = objects[number]
        return object.pairs == nil
            ? Self.text(of: object, named: names[number])
            : plainText(of: object, named: names[number]) ?? "\(className(of: object)) #\(number)"
    }

    /// Returns the text of an object of Foundation with a single value, or nil.
    private func plainText(of object: PropertyListValue, named name: String?) -> String? {
        switch className(of: object) {
        case "NSString", "NSMutableString": return object["NS.string"].map { Self.text(of: $0, named: name) }
        case "NSData", "NSMutableData": return object["NS.data"].map { Self.text(of: $0, named: name) }
        case "NSDate":
            guard let seconds = object["NS.time"]?.real else { return nil }
            return Self.text(ofDate: seconds)
        case "NSNull": return "null"
        default: return nil
        }
    }

    private func className(of object: PropertyListValue) -> String {
        classNames(of: object).first.map { Self.shown($0) } ?? "object without class"
    }

    /// Returns the names of the class and its superclasses.
    private func classNames(of object: PropertyListValue) -> [String] {
        guard case .uid(let reference)? = object["$class"]?.node, let number = Int(exactly: reference),
            objects.indices.contains(number)
        else { return [] }
        let described = objects[number]
        let names = described["$classes"]?.members?.compactMap(\.string) ?? []
        return names.isEmpty ? [described["$classname"]?.string].compactMap(\.self) : names
    }

    private static func shown(_ key: String) -> String { ByteText.printable(key) }

    /// Returns a simple value as text. Long ones are cut.
    static func text(of value: PropertyListValue, named name: String?) -> String {
        switch value.node {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .real(let value): String(value)
        case .single(let value): String(value)
        case .date(let seconds): text(ofDate: seconds)
        case .data(let bytes):
            "\(Quantity.count(bytes.count, "byte")) of data"
                + (bytes.isEmpty ? "" : " \(hexadecimal(bytes.prefix(16)))\(bytes.count > 16 ? "…" : "")")
        case .string(let text):
            "\"\(ByteText.printable(text.withoutSecrets(named: name ?? "").prefix(1000)))\""
                + (text.count > 1000 ? "… (\(Quantity.count(text.count, "character")))" : "")
        case .uid(let number): "#\(number)"
        case .array(let members): Quantity.count(members.count, "value")
        case .dictionary(let pairs): Quantity.count(pairs.count, "pair")
        }
    }

    /// Returns a date. The argument is in seconds since 2001-01-01T00:00:00Z.
    private static func text(ofDate seconds: Double) -> String {
        // Foundation formats dates of the years 1 to 9999.
        guard seconds.isFinite, (-63_114_000_000...252_000_000_000).contains(seconds) else {
            return "date \(seconds) s after 2001"
        }
        return Date(timeIntervalSinceReferenceDate: seconds).ISO8601Format()
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: - JSON

    package func write(_ json: inout JSONWriter) {
        json.field("archiver", archiver)
        if let version { json.field("version", version) }
        json.object("top") { json in
            for (key, value) in top {
                json.field(key.withoutSecrets, json: Self.json(of: value, named: key, depth: 0))
            }
        }
        json.array("objects") { json in
            for (number, object) in objects.enumerated() {
                json.object { json in
                    json.field("number", number)
                    let classes = classNames(of: object)
                    if let pairs = object.pairs, !classes.isEmpty {
                        json.field("class", classes.first)
                        json.array("classes") { json in for name in classes { json.element(name) } }
                        json.object("fields") { json in
                            for (key, value) in pairs where key != "$class" {
                                json.field(key.withoutSecrets, json: Self.json(of: value, named: key, depth: 0))
                            }
                        }
                    } else {
                        json.field("value", json: Self.json(of: object, named: names[number], depth: 0))
                    }
                }
            }
        }
    }

    /// Returns a value as JSON. A reference is `{"ref": 5}`, data is base64, a date is a string.
    static func json(of value: PropertyListValue, named name: String?, depth: Int) -> String {
        guard depth < deepest else { return "null" }
        switch value.node {
        case .null: return "null"
        case .boolean, .integer, .unsigned: return text(of: value, named: name)
        case .real(let number): return number.isFinite ? String(number) : JSONText.quoted(String(number))
        case .single(let number): return number.isFinite ? String(number) : JSONText.quoted(String(number))
        case .date: return JSONText.quoted(text(of: value, named: name))
        case .data(let bytes): return "{\"base64\":\"\(Data(bytes).base64EncodedString())\"}"
        case .string(let text): return JSONText.quoted(text.withoutSecrets(named: name ?? ""))
        case .uid(let number): return "{\"ref\":\(number)}"
        case .array:
            return "["
                + (value.members ?? []).map { json(of: $0, named: name, depth: depth + 1) }.joined(separator: ",") + "]"
        case .dictionary:
            return "{"
                + (value.pairs ?? []).map {
                    JSONText.quoted($0.key.withoutSecrets) + ":" + json(of: $0.value, named: $0.key, depth: depth + 1)
                }
                .joined(separator: ",") + "}"
        }
    }
}

extension PropertyListValue {
    fileprivate var integer: Int64? { if case .integer(let value) = node { value } else { nil } }
    fileprivate var isReference: Bool { if case .uid = node { true } else { false } }

    fileprivate var real: Double? {
        switch node {
        case .real(let value): value
        case .single(let value): Double(value)
        case .integer(let value): Double(value)
        default: nil
        }
    }
}
