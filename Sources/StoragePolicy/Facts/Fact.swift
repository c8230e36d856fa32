internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// A fact about an item beyond the data of the walk.
///
/// A fact is computed for the first rule that needs it and kept for the others. It reads within a limit. Hostile
/// content gives no value and never a crash.
protocol Fact {
    associatedtype Value
    /// The name in `--timings`.
    static var name: String { get }
    /// The cost of computing the fact.
    static var cost: Cost { get }
    static func value(of facts: ItemFacts) -> Value
}

/// The facts about one item that were computed so far, during the visit of the item.
final class ItemFacts {
    let item: Item
    /// The name of the item.
    let name: UnsafeRawBufferPointer
    let directory: Directory
    let run: RunContext
    /// The facts that were computed so far, a dozen at most, each with a `Computed` of its type of value.
    private var values: [(fact: ObjectIdentifier, value: AnyObject)] = []
    /// The parts that could not be evaluated. Each becomes an incident.
    private(set) var incidents: [Incident.Reason] = []

    /// The context of the item.
    struct Setting {
        let context: DirectoryContext
        let traits: ItemTraits
        let ownLocation: Location?
        let collidesWith: [UInt8]?
        let siblings: Siblings
        /// The size of a directory; nil for another item.
        let size: DirectorySize?
    }
    let setting: Setting
    private var attributes: [(name: String, value: [UInt8]?)] = []

    init(
        _ item: Item, in directory: Directory, context: DirectoryContext, traits: ItemTraits,
        ownLocation: Location? = nil, collidesWith: [UInt8]? = nil, siblings: Siblings = Siblings(),
        size: DirectorySize? = nil, run: RunContext
    ) {
        self.item = item
        name = item.name
        self.directory = directory
        self.run = run
        setting = Setting(
            context: context, traits: traits, ownLocation: ownLocation, collidesWith: collidesWith,
            siblings: siblings, size: size)
    }

    /// True for a file whose content is not on this disk. Facts do not read it.
    var isEvicted: Bool { setting.traits.contains(.evicted) }

    /// Returns the value of an attribute, read once; nil if it is missing.
    func attribute(_ name: String) -> [UInt8]? {
        if let known = attributes.first(where: { $0.name == name }) { return known.value }
        let value = item.attributes.contains(name) ? item.entry.attribute(name) : nil
        attributes.append((name, value))
        return value
    }

    subscript<Found: Fact>(_ fact: Found.Type) -> Found.Value {
        let key = ObjectIdentifier(fact)
        var index = 0
        while index < values.count {
            if values[index].fact == key {
                return unsafeDowncast(values[index].value, to: Computed<Found.Value>.self).value
            }
            index += 1
        }
        let value = run.timings.measure(fact: fact.name) { fact.value(of: self) }
        values.append((key, Computed(value)))
        return value
    }

    private final class Computed<Value> {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    /// Records an incident, so that the run is not reported as complete.
    func leaveOut(_ reason: Incident.Reason) {
        if !incidents.contains(reason) { incidents.append(reason) }
    }

    /// Returns the whole content of a file of at most `limit` bytes. A larger file becomes an incident.
    func content(limit: Int) -> [UInt8]? {
        guard item.status.kind == .file, !isEvicted else { return nil }
        guard item.status.size <= UInt64(limit) else {
            leaveOut(.larger(thanMebibytes: limit >> 20))
            return nil
        }
        guard let bytes = bytes(Int(item.status.size), at: 0) else {
            leaveOut(.unreadable)
            return nil
        }
        return bytes
    }

    /// At most that many of a file's bytes. A small file is opened once for all who ask.
    func bytes(_ count: Int, at offset: UInt64) -> [UInt8]? {
        guard !isEvicted else { return nil }
        guard offset == 0, item.status.size <= UInt64(FirstBytesFact.limit) else {
            return item.entry.bytes(count, at: offset)
        }
        return self[FirstBytesFact.self].map { $0.count <= count ? $0 : Array($0.prefix(count)) }
    }
}
