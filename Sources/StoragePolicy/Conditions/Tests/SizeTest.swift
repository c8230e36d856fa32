internal import ContainerTree
internal import FileSystem

/// `size: { over: 50MiB }`, `{ at-most: 0 }`: bytes of a file's content; several words must all hold.
struct SizeTest: Test {
    static let key = "size"
    static let cost = Cost.free
    private let least: UInt64
    private let most: UInt64

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["over", "at-least", "at-most"])
        let over = try fields["over"]?.size()
        least = try fields["at-least"]?.size() ?? over.map { $0 + 1 } ?? 0
        most = try fields["at-most"]?.size() ?? .max
        if fields.isEmpty { throw value.error("a size needs over, at-least or at-most") }
    }

    func signals(_ slots: inout SignalSlots) -> Signals { least <= most ? slots.size(least...most) : .file }

    func isDecided(by signals: Signals) -> Bool { signals != .file }

    func holds(for subject: inout Subject) -> Bool {
        let size = subject.item.status.size
        guard subject.item.status.isFile, size >= least, size <= most else { return false }
        subject.note("size") { ByteCount.text(size) }
        return true
    }
}
