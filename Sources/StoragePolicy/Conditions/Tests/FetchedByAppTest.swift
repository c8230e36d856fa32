internal import AppContainer

/// `fetched-by: app`: an attribute says where the file came from, and the app itself fetched it.
///
/// A quarantine attribute names the agent; where it is another one, a person brought the file in. A list of
/// where-froms without it says nothing of the agent.
struct FetchedByAppTest: Test {
    static let key = "fetched-by"
    static let cost = Cost.look
    static let quarantine = "com.apple.quarantine"
    static let whereFroms = "com.apple.metadata:kMDItemWhereFroms"

    private enum Word: String, CaseIterable { case app }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("agent", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .attributes }

    func holds(for subject: inout Subject) -> Bool {
        // `flags;hexadecimal time;agent;UUID`
        let quarantine = subject.text(ofAttribute: Self.quarantine)
        let agent = quarantine.map { $0.split(separator: ";", omittingEmptySubsequences: false) }
            .flatMap { $0.count > 2 ? String($0[2]) : nil }
        if let agent, !isApp(agent, of: subject) { return false }
        if let origin = subject.text(ofAttribute: Provenance.originAttribute) {
            subject.note("origin", Origin.withoutSecrets(origin))
            return true
        }
        guard let agent else { return false }
        subject.note("origin", "quarantined by \(agent)")
        return true
    }

    private func isApp(_ agent: String, of subject: Subject) -> Bool {
        guard let identifier = subject.policy.bundleIdentifier?.lowercased() else { return false }
        let agent = agent.lowercased()
        let names = [agent, agent.hasSuffix(".app") ? String(agent.dropLast(4)) : agent]
        let own = [identifier, identifier.split(separator: ".").last.map(String.init) ?? identifier]
        return names.contains { own.contains($0) }
    }
}
