internal import ContainerTree
internal import FileSystem

/// `companion: { drop: "-wal" }`: beside the item lies what has its name without that ending. With `is: missing`,
/// that nothing does. `add` puts an ending on, `prefix` a beginning.
struct CompanionTest: Test {
    static let key = "companion"
    static let cost = Cost.look

    private enum State: String, CaseIterable { case present, missing }
    private let drop: [UInt8]
    private let prefix: [UInt8]
    private let add: [UInt8]
    private let state: State

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["drop", "prefix", "add", "is"])
        drop = Array(try fields["drop"]?.string().utf8 ?? "".utf8)
        prefix = Array(try fields["prefix"]?.string().utf8 ?? "".utf8)
        add = Array(try fields["add"]?.string().utf8 ?? "".utf8)
        state = try fields["is"]?.word("state", State.self) ?? .present
        if drop.isEmpty, prefix.isEmpty, add.isEmpty { throw value.error("a companion has another name") }
    }

    func signals(_ slots: inout SignalSlots) -> Signals { [] }

    func holds(for subject: inout Subject) -> Bool {
        let name = Array(subject.item.name)
        guard name.count > drop.count, name.suffix(drop.count).elementsEqual(drop) else { return false }
        let other = prefix + name.dropLast(drop.count) + add
        let isThere = subject.item.source.status(ofSibling: other) != nil
        guard isThere == (state == .present) else { return false }
        subject.note("companion", ByteText.escaped(other))
        return true
    }
}
