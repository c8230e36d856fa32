internal import ContainerTree

/// `attribute: [com.apple.quarantine]`: the item carries one of these extended attributes, whatever its value.
struct AttributeTest: Test {
    static let key = "attribute"
    static let cost = Cost.free
    private let names: [String]

    init(_ value: YAMLValue) throws(SourceError) { names = try value.strings() }

    func signals(_ slots: inout SignalSlots) -> Signals { .attributes }

    func holds(for subject: inout Subject) -> Bool {
        let found = names.filter(subject.item.attributes.contains)
        guard !found.isEmpty else { return false }
        subject.note("attribute", found.joined(separator: ", "))
        return true
    }
}
