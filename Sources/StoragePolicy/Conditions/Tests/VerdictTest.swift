/// `verdict: { note: 70, warning: 90, unless: [ids] }`: weighed evidence says with that many percent that files are
/// re-downloadable, and none of the rules named by `unless` has reported them. No item is asked; the engine itself answers
/// when the container has been read.
struct VerdictTest: Test {
    static let key = "verdict"
    static let cost = Cost.later
    /// The percent from which a note, and from which a warning is reported.
    let note: Int
    let warning: Int
    /// The ids of rules that rest on proof: what they report needs no guess.
    let unless: Set<String>

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["note", "warning", "unless"])
        note = try value.required("note", of: fields).integer()
        warning = try value.required("warning", of: fields).integer()
        unless = Set(try fields["unless"]?.strings() ?? [])
        guard (50...99) ~= note, (note...99) ~= warning else {
            throw value.error("expected 50 ≤ note ≤ warning ≤ 99")
        }
    }

    func signals(_ slots: inout SignalSlots) -> Signals { .never }

    func holds(for subject: inout Subject) -> Bool { false }
}
