@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("TimeClusters") struct TimeClustersTests {
    private func clusters(_ times: [Int64]) -> TimeClusters {
        times.reduce(into: TimeClusters()) { $0.add($1) }
    }

    @Test(
        "A burst is the share of the files in two neighboring minutes",
        arguments: [
            ([0, 1, 59], 1.0), ([59, 60, 61, 119], 1.0), ([0, 120, 240, 360], 0.25), ([-1, 0, 1, 600], 0.75), ([], 0),
        ] as [([Int64], Double)])
    func burst(times: [Int64], share: Double) { #expect(clusters(times).burstShare == share) }

    @Test("The result does not depend on the order of arrival or on the order of merging")
    func order() {
        var generator = SystemRandomNumberGenerator()
        let times = (0..<500).map { _ in Int64.random(in: -10_000...10_000_000, using: &generator) }
        let expected = clusters(times)
        for _ in 0..<5 {
            let shuffled = times.shuffled(using: &generator)
            var merged = clusters(Array(shuffled[..<100]))
            merged.add(clusters(Array(shuffled[100...])))
            for other in [clusters(shuffled), merged] {
                #expect(other.count == 500)
                #expect(other.distinct == expected.distinct && other.burstShare == expected.burstShare)
            }
        }
    }

    @Test("Any number of times takes bounded memory, and scattered times are not a burst")
    func bounded() {
        var clusters = TimeClusters()
        for number in 0..<100_000 { clusters.add(Int64(number) * 7_777) }
        #expect(clusters.count == 100_000 && clusters.footprint <= 64 * 16)
        #expect(clusters.burstShare == 0 && clusters.fullestShare == 0)
    }

    @Test("Times at the ends of the range are counted")
    func extremes() {
        let all = clusters([.min, .min + 1, .max, .max - 1, 0, -1])
        #expect(all.count == 6 && all.distinct == 4)
        var merged = clusters([.min])
        merged.add(all)
        #expect(merged.count == 7)
    }
}
