/// `fresh-install: true`: the run was told that the app has been installed and launched once, and that nobody has used
/// it.
struct FreshInstallTest: Test {
    static let key = "fresh-install"
    static let cost = Cost.free
    /// The answer that the rule asks for.
    let isWanted: Bool

    init(_ value: YAMLValue) throws(SourceError) { isWanted = try value.boolean() }

    func signals(_ slots: inout SignalSlots) -> Signals { [] }

    func holds(for subject: inout Subject) -> Bool { subject.policy.isFreshInstall == isWanted }
}
