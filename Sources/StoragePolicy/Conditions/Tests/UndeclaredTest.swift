/// `undeclared: { listed: 5 }`: files of backed-up locations that the configuration does not declare, that no proof
/// shows to be user data, and that are not excluded, added up; the largest directories are listed.
/// No item is asked; the engine itself answers when the container has been read.
struct UndeclaredTest: Test {
    static let key = "undeclared"
    static let cost = Cost.later
    /// The built-in rule that asks it.
    static let rule = "undeclared-bulk-in-backup"
    /// The number of directories that a finding lists.
    let listed: Int

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["listed"])
        listed = try value.required("listed", of: fields).integer()
        guard (1...50) ~= listed else { throw value.error("expected a number of directories from 1 to 50") }
    }

    func signals(_ slots: inout SignalSlots) -> Signals { .never }

    func holds(for subject: inout Subject) -> Bool { false }
}
