/// `verdict: { note: 70, warning: 90 }`: weighed evidence says with that many percent that files are re-downloadable.
/// No item is asked; the engine itself answers when the container has been read.
struct VerdictTest: Test {
    static let key = "verdict"
    static let cost = Cost.later
    /// The percent from which a note, and from which a warning is reported.
    let note: Int
    let warning: Int

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["note", "warning"])
        note = try value.required("note", of: fields).integer()
        warning = try value.required("warning", of: fields).integer()
        guard (50...99) ~= note, (note...99) ~= warning else {
            throw value.error("expected 50 ≤ note ≤ warning ≤ 99")
        }
    }

    func signals(_ slots: inout SignalSlots) -> Signals { .never }

    func holds(for subject: inout Subject) -> Bool { false }
}
