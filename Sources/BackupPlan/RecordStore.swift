/// Records in pieces: none moves when more come, so that growing never needs twice the memory.
struct RecordStore: Sendable {
    private static let pieceBits = 14
    private var pieces: [[PlanRecord]] = []
    private(set) var count = 0

    mutating func append(_ record: PlanRecord) {
        if count & (1 << Self.pieceBits - 1) == 0 {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(1 << Self.pieceBits)
        }
        pieces[pieces.count - 1].append(record)
        count += 1
    }

    subscript(_ index: UInt32) -> PlanRecord {
        get { pieces[Int(index) >> Self.pieceBits][Int(index) & (1 << Self.pieceBits - 1)] }
        _modify { yield &pieces[Int(index) >> Self.pieceBits][Int(index) & (1 << Self.pieceBits - 1)] }
    }
}
