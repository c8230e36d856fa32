internal import Foundation
internal import StoragePolicy

/// The entries of a baseline in little memory, since there may be a million of them. They are found after they were sorted.
struct BaselineTable: Sendable {
    /// The rule and the container of entries, as words of their lines.
    private struct Subject: Hashable {
        let rule: String
        let container: String
    }

    private struct Record {
        /// The rule and the container, by their index.
        var subject: UInt32
        /// The number of the line in the file, from 1; 0 for an entry that was not read.
        let line: UInt32
        /// The range of the path in the bytes of all paths.
        let start: Int
        let length: Int
        var limit: Baseline.Limit
        let found: UInt64?
    }

    private var subjects: [Subject] = []
    private var numbers: [Subject: UInt32] = [:]
    private var paths: [UInt8] = []
    private var records: [Record] = []

    var count: Int { records.count }

    /// Makes room for entries with so many bytes of lines.
    mutating func reserve(entries: Int, bytes: Int) {
        records.reserveCapacity(entries)
        paths.reserveCapacity(bytes)
    }

    /// Adds an entry with its line in a file, which must be followed by `sort()`.
    mutating func append(_ entry: Baseline.Entry, line: Int) {
        let subject = Subject(rule: entry.key.rule, container: entry.key.container)
        let number = numbers[subject] ?? UInt32(subjects.count)
        if Int(number) == subjects.count {
            numbers[subject] = number
            subjects.append(subject)
        }
        let start = paths.count
        paths.append(contentsOf: entry.key.path.utf8)
        records.append(
            Record(
                subject: number, line: UInt32(clamping: line), start: start, length: paths.count - start,
                limit: entry.limit, found: entry.key.found))
    }

    /// Sorts the entries. Of several with one key, the higher limits count.
    mutating func sort() {
        sortSubjects()
        var sorted: [Record] = []
        swap(&sorted, &records)
        paths.withUnsafeBytes { paths in
            func precedes(_ left: Record, _ right: Record) -> Bool { Self.order(left, right, paths: paths) < 0 }
            if !zip(sorted, sorted.dropFirst()).allSatisfy({ !precedes($1, $0) }) { sorted.sort(by: precedes) }
            var count = 0
            for record in sorted {
                if count > 0, Self.order(sorted[count - 1], record, paths: paths) == 0 {
                    sorted[count - 1].limit = sorted[count - 1].limit.merged(with: record.limit)
                } else {
                    sorted[count] = record
                    count += 1
                }
            }
            sorted.removeSubrange(count...)
        }
        records = sorted
    }

    private mutating func sortSubjects() {
        let words = subjects.map { Array("\($0.rule) \(Baseline.Entry.word(container: $0.container)) ".utf8) }
        let order = subjects.indices.sorted { words[$0].lexicographicallyPrecedes(words[$1]) }
        guard order != Array(subjects.indices) else { return }
        var places = [UInt32](repeating: 0, count: order.count)
        for (place, old) in order.enumerated() { places[old] = UInt32(place) }
        subjects = order.map { subjects[$0] }
        numbers = numbers.mapValues { places[Int($0)] }
        for index in records.indices { records[index].subject = places[Int(records[index].subject)] }
    }

    /// Compares by subject, path and what was found. Returns a number below, equal to or above zero.
    private static func order(_ left: Record, _ right: Record, paths: UnsafeRawBufferPointer) -> Int {
        guard left.subject == right.subject else { return left.subject < right.subject ? -1 : 1 }
        let path = UnsafeRawBufferPointer(rebasing: paths[right.start..<(right.start + right.length)])
        return order(left, path: path, found: right.found, paths: paths)
    }

    private static func order(
        _ record: Record, path: UnsafeRawBufferPointer, found: UInt64?, paths: UnsafeRawBufferPointer
    ) -> Int {
        let common = Swift.min(record.length, path.count)
        if common > 0, let start = paths.baseAddress, let other = path.baseAddress {
            let order = memcmp(start + record.start, other, common)
            if order != 0 { return Int(order) }
        }
        guard record.length == path.count else { return record.length < path.count ? -1 : 1 }
        switch (record.found, found) {
        case (nil, nil): return 0
        case (nil, _): return -1
        case (_, nil): return 1
        case (let left?, let right?): return left < right ? -1 : left == right ? 0 : 1
        }
    }

    /// The limit of the entry with a key; nil for a key without an entry.
    subscript(key: Baseline.Key) -> Baseline.Limit? {
        guard let subject = numbers[Subject(rule: key.rule, container: key.container)] else { return nil }
        var path = key.path
        return path.withUTF8 { path in
            paths.withUnsafeBytes { paths in
                func order(_ record: Record) -> Int {
                    guard record.subject == subject else { return record.subject < subject ? -1 : 1 }
                    return Self.order(record, path: UnsafeRawBufferPointer(path), found: key.found, paths: paths)
                }
                var (low, high) = (0, records.count)
                while low < high {
                    let middle = (low + high) / 2
                    if order(records[middle]) < 0 { low = middle + 1 } else { high = middle }
                }
                return low < records.count && order(records[low]) == 0 ? records[low].limit : nil
            }
        }
    }

    /// Calls a closure with each entry and its line in the file. Entries of one path are in the order of what was found.
    func forEach(_ body: (_ entry: Baseline.Entry, _ line: Int) -> Void) {
        for record in records { body(entry(record), Int(record.line)) }
    }

    /// Calls a closure with each entry in the order of the text of its line.
    func forEachInOrder(_ body: (Baseline.Entry) -> Void) {
        // Only the lines of one path may be in another order.
        var run: [Baseline.Entry] = []
        func finish() {
            if run.count > 1 {
                run = run.map { ($0.line, $0) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map(\.1)
            }
            run.forEach(body)
            run.removeAll(keepingCapacity: true)
        }
        for record in records {
            let entry = entry(record)
            if let last = run.last?.key, (last.rule, last.container, last.path) != entry.subject { finish() }
            run.append(entry)
        }
        finish()
    }

    /// Returns the table with the entries for which `isIncluded` returns true.
    func filter(_ isIncluded: (Baseline.Entry) -> Bool) -> BaselineTable {
        var table = self
        table.records = records.filter { isIncluded(entry($0)) }
        return table
    }

    private func entry(_ record: Record) -> Baseline.Entry {
        let subject = subjects[Int(record.subject)]
        let path = String(decoding: paths[record.start..<(record.start + record.length)], as: UTF8.self)
        return Baseline.Entry(
            key: Baseline.Key(rule: subject.rule, container: subject.container, path: path, found: record.found),
            limit: record.limit)
    }
}

extension Baseline.Entry {
    fileprivate var subject: (String, String, String) { (rule, container, path) }
}
