internal import Foundation

/// An object whose row is not inserted yet.
struct NewObject {
    enum Content {
        case file
        case frame(Data)
        case parts(PartList)
    }

    let hash: ContentHash
    let size: Int
    let content: Content

    /// The memory that it needs, in bytes.
    var memory: Int {
        switch content {
        case .file: 0
        case .frame(let bytes): bytes.count
        case .parts(let list): 64 * list.parts.count
        }
    }
}

/// New rows of one kind that are collected in memory. A collected row has a negative number.
struct CollectedRows<Content> {
    /// The rows that are inserted, in the order of their negative numbers: the first of each run of consecutive rows.
    private var runs: [(index: Int, row: Int64)] = []
    private var settledCount = 0
    /// The others, after a prefix that is settled too.
    private var collected: [(content: Content, size: Int)] = []
    private var numbers: [ContentHash: Int64] = [:]
    /// The number of settled rows before those of `collected`.
    private var start = 0
    /// The memory of the collected rows, in bytes.
    private(set) var bytes = 0
    /// The memory of a row beside its content, in bytes: its hash, twice, and its places in array and dictionary.
    private static var rowSize: Int { 320 }

    /// The collected rows.
    var waiting: [Content] { collected.map(\.content) }

    func find(_ hash: ContentHash) -> Int64? { numbers[hash] }

    /// Returns the row of a number; a row that is inserted has itself as its number.
    func row(of number: Int64) -> Int64 {
        guard number < 0 else { return number }
        let index = Int(-number) - 1
        var (low, high) = (0, runs.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if runs[middle].index <= index { low = middle } else { high = middle }
        }
        return runs[low].row + Int64(index - runs[low].index)
    }

    /// Collects a row, unless one with the same hash is collected.
    mutating func add(_ content: Content, hash: ContentHash, size: Int) -> Int64 {
        if let known = numbers[hash] { return known }
        collected.append((content, size + Self.rowSize))
        bytes += size + Self.rowSize
        let number = -Int64(start + collected.count)
        numbers[hash] = number
        return number
    }

    /// Records the row of the first number that has none.
    mutating func commit(_ row: Int64) {
        if runs.last.map({ $0.row + Int64(settledCount - $0.index) }) != row { runs.append((settledCount, row)) }
        settledCount += 1
    }

    /// Removes the rows that are inserted.
    mutating func forgetSettled() {
        let count = settledCount - start
        bytes -= collected[..<count].reduce(0) { $0 + $1.size }
        collected.removeFirst(count)
        start = settledCount
        let last = -Int64(start)
        numbers = numbers.filter { $0.value < last }
    }
}
