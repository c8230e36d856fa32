internal import TextOutput

/// `collides: name`: another item of the directory has the same name to a file system that tells neither small from
/// capital letters nor one spelling of an accented letter from another. Of several such items the first by its bytes is
/// let be. Answered when the directory has been read, of the name and kind alone: nothing more can be read then.
struct CollidesTest: Test {
    static let key = "collides"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case name }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("collision", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .colliding }

    func holds(for subject: inout Subject) -> Bool {
        guard subject.signals.contains(.colliding), let other = subject.collidesWith else { return false }
        subject.note("other", ByteText.escaped(other))
        return true
    }
}
