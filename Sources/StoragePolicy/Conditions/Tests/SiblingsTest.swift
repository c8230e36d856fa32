/// `siblings: { hash-named: 5 }`: at least that many files of the directory, and most of them, are named by a
/// hash. Answered when the directory is read.
struct SiblingsTest: Test {
    static let key = "siblings"
    static let cost = Cost.later
    private let least: Int

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["hash-named"])
        least = try value.required("hash-named", of: fields).integer()
    }

    func signals(_ slots: inout SignalSlots) -> Signals { .hashNamed }

    func holds(for subject: inout Subject) -> Bool { subject.ask(.hashNamed(atLeast: least)) }
}
