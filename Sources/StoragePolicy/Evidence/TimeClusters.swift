/// Numbers of files by the time of their modification, in bounded memory and independent of the order of arrival.
///
/// Times are counted in intervals of equal width. Where there are too many different intervals for the bound, each two
/// neighbors become one, so that the result depends only on the times themselves.
struct TimeClusters: Sendable {
    private var intervals: [Interval] = []
    /// The number of files.
    private(set) var count = 0
    /// The number of times neighboring intervals were joined.
    private var doublings: Int64 = 0
    private let width: Int64
    private let most: Int

    private struct Interval: Sendable {
        /// The interval's number, counted from 1970.
        var number: Int64
        var count: Int
    }

    /// An interval of one minute serves for files that were written together, one of an hour for copied containers.
    init(width: Int64 = 60, most: Int = 64) { (self.width, self.most) = (width, most) }

    /// Counts a time, in seconds since 1970.
    mutating func add(_ time: Int64) {
        let (quotient, remainder) = time.quotientAndRemainder(dividingBy: width)
        add(Interval(number: (remainder < 0 ? quotient - 1 : quotient) >> doublings, count: 1))
    }

    /// Counts what another counter of the same width has counted.
    mutating func add(_ other: TimeClusters) {
        while doublings < other.doublings { double() }
        for interval in other.intervals {
            // Each addition may join intervals once more.
            add(Interval(number: interval.number >> (doublings - other.doublings), count: interval.count))
        }
    }

    private mutating func add(_ interval: Interval) {
        count += interval.count
        // Files of one directory mostly come in the order of their making.
        if let last = intervals.last, last.number == interval.number {
            intervals[intervals.count - 1].count += interval.count
            return
        }
        let index = index(of: interval.number)
        if index < intervals.count, intervals[index].number == interval.number {
            intervals[index].count += interval.count
            return
        }
        intervals.insert(interval, at: index)
        while intervals.count > most { double() }
    }

    private func index(of number: Int64) -> Int {
        var (low, high) = (0, intervals.count)
        while low < high {
            let middle = (low + high) / 2
            if intervals[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func double() {
        doublings += 1
        var joined: [Interval] = []
        for interval in intervals {
            let number = interval.number >> 1
            if joined.last?.number == number {
                joined[joined.count - 1].count += interval.count
            } else {
                joined.append(Interval(number: number, count: interval.count))
            }
        }
        intervals = joined
    }

    /// The number of different intervals, up to a bound.
    var distinct: Int { intervals.count }

    /// The share of the files in the fullest interval, from 0 to 1; 0 where the intervals had to be joined.
    var fullestShare: Double {
        guard count > 0, doublings == 0 else { return 0 }
        return Double(intervals.lazy.map(\.count).max() ?? 0) / Double(count)
    }

    /// The share of the files in two neighboring intervals, so that a burst across the turn of a minute is one; 0 where
    /// the intervals had to be joined.
    var burstShare: Double {
        guard count > 0, doublings == 0 else { return 0 }
        var most = 0
        for (index, interval) in intervals.enumerated() {
            let isNeighbor = index > 0 && intervals[index - 1].number == interval.number - 1
            most = max(most, interval.count + (isNeighbor ? intervals[index - 1].count : 0))
        }
        return Double(most) / Double(count)
    }

    /// The memory that the counter takes, roughly, in bytes.
    var footprint: Int { intervals.count * 16 }
}
