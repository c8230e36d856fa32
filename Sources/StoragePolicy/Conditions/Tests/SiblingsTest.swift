/// `siblings: { hash-named: 5 }`: at least that many files of the directory, and most of them, are named by a hash.
/// `siblings: { logs: 3 }`: at least that many are named as logs, and most of these are numbered or dated. Answered
/// when the directory is read.
struct SiblingsTest: Test {
    static let key = "siblings"
    static let cost = Cost.later
    private let question: SiblingQuestion

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["hash-named", "logs"])
        if let least = fields["logs"] {
            question = .logs(atLeast: try least.integer())
        } else {
            question = .hashNamed(atLeast: try value.required("hash-named", of: fields).integer())
        }
    }

    func signals(_ slots: inout SignalSlots) -> Signals {
        if case .hashNamed = question { return .hashNamed }
        return .file
    }

    func holds(for subject: inout Subject) -> Bool { subject.ask(question) }
}
