internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// `foreign-mark: any`: the item is marked for other systems' backups: by the attribute `xdg.robots.backup`, by being
/// a CACHEDIR.TAG with its signature, or by the bit that leaves it out of dumps.
struct ForeignMarkTest: Test {
    static let key = "foreign-mark"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case any }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("mark", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .foreignMark }

    func holds(for subject: inout Subject) -> Bool {
        guard let mark = mark(of: subject) else { return false }
        subject.note("mark", mark.rawValue)
        return true
    }

    private func mark(of subject: Subject) -> ExclusionMark? {
        let robots = subject.value(ofAttribute: ExclusionMark.robots.rawValue)
        if let robots, ExclusionMark.robots.isMark(value: robots) { return .robots }
        if subject.item.status.kind == .file, subject.item.name.elementsEqual(Self.tagName),
            subject.facts[FirstBytesFact.self]?.starts(with: ExclusionMark.cacheTagSignature) == true
        {
            return .cacheTag
        }
        return subject.item.status.isNoDump ? .noDump : nil
    }

    private static let tagName = Array(ExclusionMark.cacheTag.rawValue.utf8)

    /// Whether what the walk brought lets it be so.
    static func isPossible(_ item: Item) -> Bool {
        item.status.isNoDump || item.name.elementsEqual(tagName)
            || (!item.attributes.isEmpty && item.attributes.contains(ExclusionMark.robots.rawValue))
    }
}
