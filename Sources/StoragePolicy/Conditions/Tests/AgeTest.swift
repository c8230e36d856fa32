internal import ContainerTree
internal import FileSystem

/// `older-than: 7d`: the content was last changed that long before now, by the modification time, which is
/// the only one that an archive or a copy carries.
struct AgeTest: Test {
    static let key = "older-than"
    static let cost = Cost.free
    private let seconds: Int64

    init(_ value: YAMLValue) throws(SourceError) { seconds = try value.duration() }

    func signals(_ slots: inout SignalSlots) -> Signals { slots.age(seconds) }

    func isDecided(by signals: Signals) -> Bool { !signals.isEmpty }

    func holds(for subject: inout Subject) -> Bool {
        let age = subject.policy.now.seconds - subject.item.status.modified.seconds
        guard age >= seconds else { return false }
        subject.note("age") { Self.text(age) }
        return true
    }

    static func text(_ seconds: Int64) -> String {
        switch seconds {
        case ..<7200: "\(seconds / 60) minutes"
        case ..<172_800: "\(seconds / 3600) hours"
        default: "\(seconds / 86_400) days"
        }
    }
}
