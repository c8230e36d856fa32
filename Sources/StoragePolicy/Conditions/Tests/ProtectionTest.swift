internal import ContainerTree

/// `protection: [complete]`: the file's data protection class, where the input knows it: a device's backup does, and
/// says it in an attribute; a file system does not.
///
/// The classes' numbers are those of a key bag, which a backup's Manifest.db uses too.
/// Source: code.google.com/p/iphone-dataprotection, PROTECTION_CLASSES.
struct ProtectionTest: Test {
    static let key = "protection"
    static let cost = Cost.look
    static let attribute = "appcontainer.protection-class"

    private enum Class: String, CaseIterable {
        case complete
        case unlessOpen = "unless-open"
        case untilFirstUnlock = "until-first-unlock"
        case none

        var number: String {
            switch self {
            case .complete: "1"
            case .unlessOpen: "2"
            case .untilFirstUnlock: "3"
            case .none: "4"
            }
        }
    }
    private let classes: [Class]

    init(_ value: YAMLValue) throws(SourceError) { classes = try value.words("class", Class.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .attributes }

    func holds(for subject: inout Subject) -> Bool {
        guard let number = subject.text(ofAttribute: Self.attribute),
            let found = classes.first(where: { $0.number == number })
        else { return false }
        subject.note("protection", found.rawValue)
        return true
    }
}
