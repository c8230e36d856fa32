internal import FileSystem

/// The time that rules and facts took, if it is measured.
package final class Timings: Sendable {
    /// Calls and time of one rule or fact.
    package struct Entry: Sendable, Hashable {
        package var calls = 0
        package var nanoseconds: UInt64 = 0
    }
    let isOn: Bool
    private let entries = LockedValue<[String: Entry]>([:])

    /// Measures nothing unless `isOn`, since asking the clock costs more than most rules.
    package init(isOn: Bool) { self.isOn = isOn }

    func measure<Result>(fact name: String, _ body: () -> Result) -> Result { measure("fact \(name)", body) }
    func measure<Result>(rule name: String, _ body: () -> Result) -> Result { measure("rule \(name)", body) }

    private func measure<Result>(_ name: @autoclosure () -> String, _ body: () -> Result) -> Result {
        guard isOn else { return body() }
        let start = Host.uptime
        defer {
            let time = Host.uptime - start
            let name = name()
            entries.withLock {
                $0[name, default: Entry()].calls += 1
                $0[name, default: Entry()].nanoseconds += time
            }
        }
        return body()
    }

    /// Everything measured, the slowest first. A rule's time holds that of the facts it asked for first.
    package var all: [(name: String, entry: Entry)] {
        entries.withLock { $0 }.map { ($0.key, $0.value) }.sorted {
            ($1.entry.nanoseconds, $0.name) < ($0.entry.nanoseconds, $1.name)
        }
    }
}
