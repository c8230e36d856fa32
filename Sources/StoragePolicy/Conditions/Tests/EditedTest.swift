internal import ContainerTree
internal import FileSystem

/// `edited: 1s`: the content was changed at least that long after the file was made. A file that was copied with its
/// old date is not; where the file system keeps no birth, nothing is.
struct EditedTest: Test {
    static let key = "edited"
    static let cost = Cost.free
    private let seconds: Int64

    init(_ value: YAMLValue) throws(SourceError) { seconds = try value.duration() }

    func signals(_ slots: inout SignalSlots) -> Signals { .changedSinceMade }

    func holds(for subject: inout Subject) -> Bool {
        let status = subject.item.status
        guard let birth = status.birth, status.modified.seconds > birth.seconds,
            status.modified.seconds - birth.seconds >= seconds
        else { return false }
        subject.note("edited", "\(AgeTest.text(status.modified.seconds - birth.seconds)) after it arrived")
        return true
    }
}
