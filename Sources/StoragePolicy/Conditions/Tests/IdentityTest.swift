internal import ContainerTree
internal import PropertyLists
internal import TextOutput

/// `identity: contradicted`: the container's note of whose it is says something else than its preferences, or than what
/// the input was said to be. Put to the note and to the files of preferences; answered when the container has been read.
struct IdentityTest: Test {
    static let key = "identity"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case contradicted }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("identity", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .file }

    func holds(for subject: inout Subject) -> Bool {
        guard subject.signals.contains(.root) else {
            see(subject)
            return false
        }
        guard let identifier = subject.facts[PropertyListFact.self].root?["MCMMetadataIdentifier"]?.string else {
            return false
        }
        subject.note("identifier", ByteText.escaped(Array(identifier.utf8.prefix(155))))
        if let given = subject.policy.bundleIdentifier, given != identifier {
            subject.note("other", ByteText.escaped(Array(given.utf8.prefix(155))))
            return true
        }
        subject.note("other", "the preferences in the container")
        let hasForeign = subject.ask(.wasSeen(Self.foreign))
        return subject.ask(.isUnreferenced(Self.own)) && hasForeign
    }

    private static let own = "preferences of the container's app"
    private static let foreign = "preferences of another app"

    /// Notes whose preferences a file holds; those of an SDK's domain say nothing.
    private func see(_ subject: Subject) {
        guard let identifier = subject.policy.bundleIdentifier,
            let domain = PreferencesDomain(file: subject.item.name), !subject.signals.contains(.registered)
        else { return }
        let notes = subject.policy.notes
        if domain.isForeign(to: identifier) { notes.see(Self.foreign) } else { notes.refer(to: Self.own) }
    }
}
