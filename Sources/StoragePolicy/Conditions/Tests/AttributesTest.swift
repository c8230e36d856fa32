internal import ContainerTree
internal import TextOutput

/// `attributes: { value-over: 4KiB, name-over: 127 }`: an extended attribute of the item has a longer value, or a
/// longer name, than that; one of the words is enough.
struct AttributesTest: Test {
    static let key = "attributes"
    static let cost = Cost.look
    private let longestValue: Int
    private let longestName: Int

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["value-over", "name-over"])
        if fields.isEmpty { throw value.error("attributes needs value-over or name-over") }
        longestValue =
            try fields["value-over"].map { value throws(SourceError) in Int(min(try value.size(), 1 << 20)) } ?? .max
        longestName = try fields["name-over"]?.integer() ?? .max
    }

    func signals(_ slots: inout SignalSlots) -> Signals { .attributes }

    func holds(for subject: inout Subject) -> Bool {
        for name in subject.item.attributes {
            if name.utf8.count > longestName {
                subject.note("attribute", "a name of \(name.utf8.count) bytes")
                return true
            }
            if longestValue < .max, let value = subject.facts.attribute(name), value.count > longestValue {
                subject.note("attribute", "\(ByteText.escaped(Array(name.utf8))), \(value.count) bytes")
                return true
            }
        }
        return false
    }
}
