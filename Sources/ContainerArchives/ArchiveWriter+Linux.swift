#if !canImport(Darwin)
internal import Foundation
internal import PropertyLists

/// A writer that archives an object and all objects that it refers to, each once.
///
/// It replaces Foundation's archiver, which on Linux (measured with Swift 6.3.1) stores 1, true and 1.0 as one number,
/// ends the process for an object that is not NSSecureCoding, a Swift value, an NSDecimalNumber, an NSError or a nested
/// class, and takes seconds for arrays nested sixty levels deep.
final class ArchiveWriter: NSCoder, LinkEncoding {
    let limits: ArchiveLimits
    /// The first error. Nothing more is written after it, but a class of the app cannot be stopped.
    private(set) var failure: ArchiveFault?
    /// The number of comparisons between members of sets and keys with equal hash values.
    var comparisons = 0

    /// An object while it is written, with its fields in order.
    private struct Draft {
        var fields: [(key: String, value: PropertyList)] = []
        var positions: [String: Int] = [:]
        var conditional: [(key: String, object: ObjectIdentifier)] = []

        mutating func set(_ key: String, value: PropertyList) {
            if let position = positions[key] {
                fields[position].value = value
            } else {
                positions[key] = fields.count
                fields.append((key, value))
            }
        }
    }
    private var names: [ObjectIdentifier: String] = [:]
    private var table: [PropertyList] = [.string("$null")]
    private var drafts: [Int: Draft] = [:]
    private var plain: [ArchivedPlain: Int] = [:]
    private var shared: [ArchivedShared: Int] = [:]
    private var classes: [String: Int] = [:]
    /// The index of each object. The object is retained, so that its address is not reused.
    private var known: [ObjectIdentifier: (object: NSObject, index: Int)] = [:]
    /// The index of the object whose fields are being written.
    private var current = 0
    private var keyPath: [String] = []
    /// The fields that are links, by the index of their object. See `ArchiveLinks`.
    private var links: [Int: Set<String>] = [:]
    /// The links whose objects have not been written yet.
    private var pending: [(owner: Int, key: String, object: Any)] = []

    private init(names: [String: ArchivableClass], limits: ArchiveLimits) {
        self.limits = limits
        for (name, type) in names { self.names[ObjectIdentifier(type)] = name }
        super.init()
    }

    /// Returns the bytes of an archive.
    static func archive(
        _ root: any NSObject & NSSecureCoding, named names: [String: ArchivableClass], limits: ArchiveLimits
    ) throws(ArchiveFault) -> [UInt8] {
        let writer = ArchiveWriter(names: names, limits: limits)
        let index = writer.index(of: root, "root")
        writer.writePending()
        if let failure = writer.failure { throw failure }
        let objects = writer.finished()
        try ArchiveShape(objects, limits: limits, links: writer.links).check(
            from: index, comparisons: writer.comparisons)
        return try archivedBytes(of: objects, root: UInt64(index))
    }

    /// Records an error at the current position.
    func fail(_ code: ArchiveError.Code, text: String, hint: String? = nil) {
        if failure == nil { failure = ArchiveFault(code, at: keyPath.joined(), text, hint: hint) }
    }

    // MARK: - Objects

    /// Writes a value and returns its index in the table. Returns 0 for nil and for a value that could not be written.
    func index(of value: Any?, _ step: String) -> Int {
        guard failure == nil, let value else { return 0 }
        keyPath.append(step)
        defer { keyPath.removeLast() }
        guard let object = value as AnyObject as? NSObject else {
            refuse(type(of: value))
            return 0
        }
        let kind = FoundationValue(object)
        if let kind, let plain = ArchivedPlain(object, value: kind) { return index(of: plain) }
        if let known = known[ObjectIdentifier(object)] { return known.index }
        let immutable = kind.flatMap { ArchivedShared(object, value: $0) }
        if let immutable, let index = shared[immutable] { return index }
        guard keyPath.count <= limits.depth else {
            fail(.tooDeep, text: "more than \(limits.depth) levels of nested objects")
            return 0
        }
        guard table.count < limits.objects else {
            fail(.tooLarge, text: "more than \(limits.objects) objects")
            return 0
        }
        let index = table.count
        table.append(.dictionary([]))
        drafts[index] = Draft()
        known[ObjectIdentifier(object)] = (object, index)
        if let immutable { shared[immutable] = index }
        let outer = current
        current = index
        defer { current = outer }
        if let kind { write(object, value: kind) } else { write(object) }
        return index
    }

    /// Writes the class of the current object.
    func setClass(_ lineage: [String]) {
        guard let name = lineage.first else { return }
        let index = classes[name] ?? table.count
        if index == table.count {
            classes[name] = index
            table.append(
                .dictionary([
                    ("$classname", .string(name)), ("$classes", .array(lineage.map { .string($0) })),
                ]))
        }
        set("$class", value: .uid(UInt64(index)), isOwn: true)
    }

    /// Writes a field of the current object. Keys of the app are distinguished from those of the archive.
    func set(_ key: String, value: PropertyList, isOwn: Bool = false) {
        guard failure == nil else { return }
        drafts[current]?.set(isOwn ? key : Self.escaped(key), value: value)
    }

    private static func escaped(_ key: String) -> String { key.hasPrefix("$") ? "$" + key : key }

    // MARK: - Links

    /// Writes a link of the current object. Near the root, its object is written at once, as for other references.
    /// Further down it is written after the objects on the way to it, so that the stack space does not depend on the
    /// graph.
    func setLink(_ object: NSObject?, forKey key: String, with coder: NSCoder) {
        guard let object else { return set(key, value: .uid(0)) }
        links[current, default: []].insert(Self.escaped(key))
        guard keyPath.count * 2 > limits.depth else { return encode(object, forKey: key) }
        set(key, value: .uid(0))
        pending.append((current, key, object))
    }

    /// Writes a link to an object that the archive only contains if another object refers to it.
    func setWeakLink(_ object: NSObject?, forKey key: String, with coder: NSCoder) {
        links[current, default: []].insert(Self.escaped(key))
        encodeConditionalObject(object, forKey: key)
    }

    private func writePending() {
        while failure == nil, let link = pending.popLast() {
            current = link.owner
            set(link.key, value: .uid(UInt64(index(of: link.object, "$objects[\(link.owner)].\(link.key)"))))
        }
    }

    private func index(of plain: ArchivedPlain) -> Int {
        if let index = self.plain[plain] { return index }
        self.plain[plain] = table.count
        table.append(plain.value)
        return table.count - 1
    }

    private func write(_ object: NSObject) {
        let type: AnyClass = object.classForKeyedArchiver ?? Swift.type(of: object)
        guard !ArchiveClasses.isOfFoundation(type), let coding = object as? any NSObject & NSSecureCoding,
            Swift.type(of: coding).supportsSecureCoding
        else { return refuse(type) }
        let ownName =
            ArchiveClasses.ownName(of: type) ?? (ArchiveClasses.isTopLevel(type) ? ArchiveClasses.name(of: type) : nil)
        guard let name = names[ObjectIdentifier(type)] ?? ownName else {
            return fail(
                .notEncodable, text: "the class \(type) of an object is private or nested",
                hint: "Add a name for it to named:.")
        }
        coding.encode(with: self)
        setClass([name] + ArchiveClasses.ancestors(of: Swift.type(of: object)))
    }

    private func refuse(_ type: Any.Type) {
        fail(
            .notEncodable, text: "a value has the type \(type), which cannot be archived and read again",
            hint: "Archive its parts, or a class of your own that is NSSecureCoding.")
    }

    /// Returns the table. A conditionally encoded object is included if another object refers to it.
    private func finished() -> [PropertyList] {
        for (index, draft) in drafts {
            current = index
            for (key, object) in draft.conditional { set(key, value: .uid(UInt64(known[object]?.index ?? 0))) }
            table[index] = .dictionary(drafts[index]?.fields ?? [])
        }
        return table
    }

    // MARK: - What a class of the app calls

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }
    override var systemVersion: UInt32 { 2000 }
    override func failWithError(_ error: any Error) { fail(.notEncodable, text: "a class refused: \(error)") }

    override func encode(_ object: Any?, forKey key: String) {
        set(key, value: .uid(UInt64(index(of: object, "." + key))))
    }
    override func encodeConditionalObject(_ object: Any?, forKey key: String) {
        set(key, value: .uid(0))
        guard let object = object as? NSObject else { return }
        drafts[current]?.conditional.append((key, ObjectIdentifier(object)))
    }
    override func encode(_ value: Bool, forKey key: String) { set(key, value: .boolean(value)) }
    override func encode(_ value: Int, forKey key: String) { set(key, value: .integer(Int64(value))) }
    override func encode(_ value: Int32, forKey key: String) { set(key, value: .integer(Int64(value))) }
    override func encode(_ value: Int64, forKey key: String) { set(key, value: .integer(value)) }
    override func encode(_ value: Float, forKey key: String) { set(key, value: .single(value)) }
    override func encode(_ value: Double, forKey key: String) { set(key, value: .real(value)) }
    override func encodeBytes(_ bytes: UnsafePointer<UInt8>?, length: Int, forKey key: String) {
        set(key, value: .data(Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : max(0, length)))))
    }

    override func encode(_ object: Any?) { refuseUnkeyed() }
    override func encode(_ data: Data) { refuseUnkeyed() }
    override func encodePropertyList(_ list: Any) { refuseUnkeyed() }
    override func encodeBytes(_ bytes: UnsafeRawPointer?, length: Int) { refuseUnkeyed() }
    override func encodeConditionalObject(_ object: Any?) { refuseUnkeyed() }
    override func encodeRootObject(_ object: Any) { refuseUnkeyed() }
    override func encodeValue(ofObjCType type: UnsafePointer<Int8>, at address: UnsafeRawPointer) { refuseUnkeyed() }
    override func encodeArray(ofObjCType type: UnsafePointer<Int8>, count: Int, at array: UnsafeRawPointer) {
        refuseUnkeyed()
    }

    private func refuseUnkeyed() {
        fail(
            .notEncodable, text: "a value was encoded without a key or is a C structure, which cannot be read again",
            hint: "Encode each value with a key.")
    }
}
#endif
