/// `without-attributes: 20`: no item of the container has any extended attribute, and it has at least that many
/// files. Answered when the whole container has been read.
struct WithoutAttributesTest: Test {
    static let key = "without-attributes"
    static let cost = Cost.later
    private let files: Int

    init(_ value: YAMLValue) throws(SourceError) { files = try value.integer() }

    func signals(_ slots: inout SignalSlots) -> Signals { [] }

    func holds(for subject: inout Subject) -> Bool { subject.ask(.hasNoAttributes(files: files)) }
}
