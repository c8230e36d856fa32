/// `siblings: { hash-named: 5 }`: at least that many files of the directory, and most of them, are named by a hash.
/// `siblings: { logs: 3 }`: at least that many are named as logs, and most of these are numbered or dated. Answered
/// when the directory is read.
struct SiblingsTest: Test {
    static let key = "siblings"
    static let cost = Cost.later
    private let question: SiblingQuestion

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["hash-named", "logs"])
        let logs = try fields["logs"]?.integer()
        let hashNamed = try fields["hash-named"]?.integer()
        guard
            let question = logs.map({ SiblingQuestion.logs(atLeast: $0) })
                ?? hashNamed.map({ .hashNamed(atLeast: $0) })
        else { throw value.error("siblings need hash-named or logs") }
        self.question = question
    }

    func signals(_ slots: inout SignalSlots) -> Signals {
        if case .hashNamed = question { return .hashNamed }
        return .file
    }

    func holds(for subject: inout Subject) -> Bool { subject.ask(question) }
}
