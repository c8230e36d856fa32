/// All names of a plan in a few large pieces: no allocation a name, and none moves when more come.
struct NameArena: Sendable {
    private static let pieceSize = 1 << 20
    private var pieces: [[UInt8]] = []

    /// Adds the names of several items at once; gives where their first byte lies.
    mutating func add(_ names: [UInt8]) -> (piece: UInt32, start: UInt32) {
        if pieces.last.map({ $0.count + names.count > Self.pieceSize }) ?? true {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(max(Self.pieceSize, names.count))
        }
        let start = pieces[pieces.count - 1].count
        pieces[pieces.count - 1] += names
        return (UInt32(pieces.count - 1), UInt32(start))
    }

    /// The name of a record.
    func name(of record: PlanRecord) -> ArraySlice<UInt8> {
        let start = Int(record.nameStart)
        return pieces[Int(record.namePiece)][start..<(start + Int(record.nameLength))]
    }
}
