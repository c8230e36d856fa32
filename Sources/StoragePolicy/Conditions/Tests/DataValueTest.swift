internal import PropertyLists

/// `data-value: { at-least: 64KiB, magic: [jpeg, png] }`: a property list holds a data value of that size, or one that
/// begins as such a format does.
struct DataValueTest: Test {
    static let key = "data-value"
    static let cost = Cost.read
    private let least: UInt64
    private let formats: [Magic]

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["at-least", "magic"])
        least = try fields["at-least"]?.size() ?? .max
        formats = try fields["magic"]?.words("format", Magic.self) ?? []
        if fields.isEmpty { throw value.error("a data value needs at-least or magic") }
    }

    func signals(_ slots: inout SignalSlots) -> Signals { .filled }

    func holds(for subject: inout Subject) -> Bool {
        guard let root = subject.facts[PropertyListFact.self].root else { return false }
        var largest: (size: Int, pointer: String, what: String)?
        var walk = PropertyListWalk()
        walk.visit(root, at: .root) { pointer, value in
            guard case .data(let data) = value.node, data.count > largest?.size ?? -1 else { return true }
            let format = Magic(Array(data.prefix(64))).flatMap { formats.contains($0) ? $0 : nil }
            if data.count >= least || format != nil {
                largest = (data.count, pointer.text, format?.title ?? "data")
            }
            return true
        }
        guard let largest else { return false }
        subject.note("value", "\(largest.what) of \(ByteCount.text(UInt64(largest.size)))")
        subject.note("key", largest.pointer)
        return true
    }
}
