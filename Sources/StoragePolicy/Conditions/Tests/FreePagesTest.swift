internal import DatabaseInspection
internal import ContainerTree
internal import FileSystem

/// `free-pages: { percent-over: 25, bytes-over: 10MiB }`: an SQLite database holds so many pages that hold nothing, by
/// its header, and does not give them back by itself.
struct FreePagesTest: Test {
    static let key = "free-pages"
    static let cost = Cost.read
    private let percent: UInt64
    private let bytes: UInt64

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["percent-over", "bytes-over"])
        percent = UInt64(clamping: try value.required("percent-over", of: fields).integer())
        bytes = try value.required("bytes-over", of: fields).size()
    }

    func signals(_ slots: inout SignalSlots) -> Signals { slots.size(bytes...UInt64.max) }

    func holds(for subject: inout Subject) -> Bool {
        guard subject.item.status.size > bytes, let header = subject.facts[StoreHeaderFact.self], header.vacuum == .none
        else { return false }
        let size = subject.item.status.size
        // What the header says of a file that is shorter than that is not believed.
        let free = header.freePages * UInt64(header.pageSize)
        guard free > bytes, free <= size, free * 100 > size * percent else { return false }
        subject.note("free", ByteCount.text(free))
        return true
    }
}
