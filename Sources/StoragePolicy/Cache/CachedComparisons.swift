internal import ContainerTree
internal import FileSystem
internal import SystemPackage

/// The cached results of reading files after the walk of one container: evidence in their beginnings, and comparisons.
final class CachedComparisons {
    private enum Key: Hashable {
        case evidence([UInt8])
        case digest([UInt8], limit: UInt64)
        case comparison([UInt8], [UInt8])

        var paths: [[UInt8]] {
            switch self {
            case .evidence(let path), .digest(let path, _): [path]
            case .comparison(let first, let second): [first, second]
            }
        }
    }

    private enum Outcome {
        case evidence([PieceOfEvidence])
        /// A digest is equal for equal content only among digests of one process.
        case digest(Int, process: UInt64)
        case comparison(Bool)
    }

    private struct Entry {
        let states: [ContentState]
        let outcome: Outcome
        /// The bytes that the comparison took of the budget.
        let taken: Int
    }

    private let folder: Folder
    private let clock: @Sendable () -> Timestamp
    private let process = UInt64.random(in: 0...UInt64.max)
    private let known: [Key: Entry]
    private var used: [Key: Entry] = [:]
    private var isExtended = false

    /// Reads stored results; those that are damaged are ignored.
    init(_ stored: CacheReader?, in folder: Folder, _ clock: @escaping @Sendable () -> Timestamp) {
        self.folder = folder
        self.clock = clock
        var stored = stored
        let entries = try? stored?.each { reader throws(DamagedCache) in try Self.entry(&reader) }
        known = Dictionary(entries ?? []) { first, _ in first }
    }

    // MARK: - Results

    /// Returns the evidence in a file, which `read` finds if it is not known; nil for an unreadable file.
    func evidence(in path: [UInt8], _ read: () -> [PieceOfEvidence]?) -> [PieceOfEvidence]? {
        var budget = ComparisonBudget()
        let outcome = outcome(of: .evidence(path), within: &budget) { _ in read().map(Outcome.evidence) }
        guard case .evidence(let pieces) = outcome else { return nil }
        return pieces
    }

    /// Returns true if two files have equal content. `compare` compares them if that is not known.
    func isEqual(
        _ first: [UInt8], _ second: [UInt8], within budget: inout ComparisonBudget,
        _ compare: (inout ComparisonBudget) -> Bool
    ) -> Bool {
        let outcome = outcome(of: .comparison(first, second), within: &budget) { .comparison(compare(&$0)) }
        guard case .comparison(let isEqual) = outcome else { return false }
        return isEqual
    }

    /// Returns numbers that are equal for files with equal beginnings; nil for an unreadable file. `read` reads one file.
    func digests(
        of paths: [[UInt8]], limit: UInt64, within budget: inout ComparisonBudget,
        _ read: ([UInt8], inout ComparisonBudget) -> Int?
    ) -> [Int?] {
        let keys = paths.map { Key.digest($0, limit: limit) }
        let entries = keys.compactMap(entry)
        let digests = entries.compactMap { entry -> (value: Int, process: UInt64)? in
            guard case .digest(let value, let process) = entry.outcome else { return nil }
            return (value, process)
        }
        let bytes = entries.reduce(0) { $0.addingReportingOverflow($1.taken).partialValue }
        if digests.count == paths.count, Set(digests.map(\.process)).count == 1, budget.has(bytes), budget.take(bytes) {
            for (key, entry) in zip(keys, entries) { used[key] = entry }
            return digests.map(\.value)
        }
        return paths.map { path in
            let outcome = newOutcome(of: .digest(path, limit: limit), within: &budget) { budget in
                read(path, &budget).map { .digest($0, process: process) }
            }
            guard case .digest(let value, _) = outcome else { return nil }
            return value
        }
    }

    private func outcome(
        of key: Key, within budget: inout ComparisonBudget, _ find: (inout ComparisonBudget) -> Outcome?
    ) -> Outcome? {
        guard let entry = entry(of: key), budget.has(entry.taken), budget.take(entry.taken) else {
            return newOutcome(of: key, within: &budget, find)
        }
        used[key] = entry
        return entry.outcome
    }

    /// Finds a result and keeps it, if the files did not change meanwhile and any later change is sure to be visible.
    private func newOutcome(
        of key: Key, within budget: inout ComparisonBudget, _ find: (inout ComparisonBudget) -> Outcome?
    ) -> Outcome? {
        let (started, before, states) = (clock(), budget.bytes, states(of: key))
        guard let outcome = find(&budget) else { return nil }
        let taken = Int(clamping: before - budget.bytes)
        if case .comparison(false) = outcome, taken == 0 { return outcome }
        if let states, !budget.isSpent, states.allSatisfy({ $0.isSettled(at: started) }), states == self.states(of: key)
        {
            used[key] = Entry(states: states, outcome: outcome, taken: taken)
            isExtended = true
        }
        return outcome
    }

    /// Returns the stored result if the files have not changed.
    private func entry(of key: Key) -> Entry? {
        guard let entry = used[key] ?? known[key], entry.states == states(of: key) else { return nil }
        return entry
    }

    private func states(of key: Key) -> [ContentState]? {
        let states = key.paths.compactMap { try? folder.statusIfPresent(FilePath(bytes: $0)) }.map(ContentState.init)
        return states.count == key.paths.count ? states : nil
    }

    // MARK: - Form

    /// The results that the run used, in their stored form; nil if they are the stored ones.
    var encoded: [UInt8]? {
        guard isExtended || used.count != known.count else { return nil }
        var writer = CacheWriter()
        writer.add(each: used.map(Self.encoded).sorted { $0.lexicographicallyPrecedes($1) }) { writer, entry in
            writer.append(entry)
        }
        return writer.bytes
    }

    private static func encoded(_ key: Key, _ entry: Entry) -> [UInt8] {
        var writer = CacheWriter()
        switch key {
        case .evidence(let path):
            writer.add(0)
            writer.add(path)
        case .digest(let path, let limit):
            writer.add(1)
            writer.add(path)
            writer.add(limit)
        case .comparison(let first, let second):
            writer.add(2)
            writer.add(first)
            writer.add(second)
        }
        switch entry.outcome {
        case .evidence(let pieces):
            writer.add(0)
            writer.add(each: pieces) { writer, piece in
                writer.add(piece.id)
                writer.addFixed(piece.strength.bitPattern)
                writer.add(piece.detail)
            }
        case .digest(let value, let process):
            writer.add(1)
            writer.addFixed(UInt64(bitPattern: Int64(value)))
            writer.addFixed(process)
        case .comparison(let isEqual): writer.add(isEqual ? 3 : 2)
        }
        writer.add(each: entry.states) { $0.add($1) }
        writer.add(entry.taken)
        return writer.bytes
    }

    private static func entry(_ reader: inout CacheReader) throws(DamagedCache) -> (Key, Entry) {
        let key: Key
        switch try reader.byte() {
        case 0: key = .evidence(try reader.string())
        case 1: key = .digest(try reader.string(), limit: try reader.number())
        case 2: key = .comparison(try reader.string(), try reader.string())
        default: throw DamagedCache()
        }
        let outcome: Outcome
        switch try reader.byte() {
        case 0:
            outcome = .evidence(
                try reader.each { reader throws(DamagedCache) in
                    let (id, strength) = (try reader.text(), Double(bitPattern: try reader.fixed()))
                    return PieceOfEvidence(id, strength, try reader.text())
                })
        case 1:
            let value = Int(truncatingIfNeeded: Int64(bitPattern: try reader.fixed()))
            outcome = .digest(value, process: try reader.fixed())
        case 2: outcome = .comparison(false)
        case 3: outcome = .comparison(true)
        default: throw DamagedCache()
        }
        let states = try reader.each { reader throws(DamagedCache) in try reader.state() }
        guard let taken = Int(exactly: try reader.number()) else { throw DamagedCache() }
        return (key, Entry(states: states, outcome: outcome, taken: taken))
    }
}
