/// `empty: true`: the directory holds nothing. Such a directory is put before the rules once more when it has been
/// read; a location's own directory never is.
struct EmptyTest: Test {
    static let key = "empty"
    static let cost = Cost.free

    init(_ value: YAMLValue) throws(SourceError) {
        guard try value.boolean() else { throw value.error("expected “empty: true”") }
    }

    func signals(_ slots: inout SignalSlots) -> Signals { [.emptyDirectory, .directory] }

    func holds(for subject: inout Subject) -> Bool { subject.signals.contains(.emptyDirectory) }
}
