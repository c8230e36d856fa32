import AppContainer
import ArgumentParser
import CommandLineSupport
import FileSystem
import Foundation
internal import PolicyRecords
import PolicyReports
import SystemPackage
import TextOutput

/// The option that keeps linting.
struct WatchOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "After the report, lint again when something changes, and print new and fixed findings with the time, until Ctrl-C.",
            discussion: "Changes that come together are one run. A container that is removed is awaited."))
    var watch = false
}

/// The containers of a run, linted again after each batch of changes.
///
/// A run begins when nothing has changed for `quiet`, at the latest after `longest`, and not before the pauses since the last one
/// add up to `restFactor` times what it cost: an app that writes all the time costs a fifth of a processor.
struct LintWatch {
    private static let (quiet, longest) = (0.15, 2.0)
    private static let restFactor = 4.0
    /// The interval of the look at the paths of the containers, whose directories may have been replaced.
    private static let interval = 1.0
    /// The interval of runs for a container that is missing or cannot be watched.
    private static let (awaited, polled) = (2.0, 10.0)

    private let style: Style
    private let again: () throws(Interrupted) -> LintedInputs
    private let signal = ChangeSignal()
    private var snapshot: ReportSnapshot
    private var watches: [Task<Void, Never>] = []
    private var identities: [FilePath: [UInt64]] = [:]
    /// The reason for which the containers are linted at intervals, or awaited.
    private var problem: String?
    private var isMissing = false
    /// The processor time of the last run, or its duration if that is longer.
    private var cost: Double

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - linted: The result of the first run.
    ///   - style: The style of the output.
    ///   - again: Lints all inputs again, without messages.
    init(_ linted: LintedInputs, style: Style, again: @escaping () throws(Interrupted) -> LintedInputs) {
        (self.style, self.again) = (style, again)
        snapshot = ReportSnapshot(linted.report)
        cost = max(linted.seconds, Self.processorTime)
    }

    /// Watches until the run is interrupted, or the reader of the output is gone.
    ///
    /// - Throws: `Interrupted`, or `UnwrittenOutput`.
    mutating func run(_ containers: [Container]) throws {
        let interruption = Invocation.current.interruption
        interruption.addHandler { [signal] in signal.wake() }
        defer { for watch in watches { watch.cancel() } }
        watch(containers)
        try show("watching; press Ctrl-C to end")
        while true {
            let isChanged = signal.wait(for: problem == nil ? Self.interval : isMissing ? Self.awaited : Self.polled)
            try interruption.check()
            guard isChanged || problem != nil || identities != Self.identities(of: identities.keys.map(\.self)) else {
                continue
            }
            signal.waitForQuiet(Self.quiet, atMost: Self.longest)
            try interruption.check()
            try lint()
            // The rest of the processor belongs to the app.
            signal.rest(for: cost * Self.restFactor)
            try interruption.check()
        }
    }

    private mutating func lint() throws {
        signal.clear()
        let start = Self.processorTime
        let linted = try again()
        cost = max(linted.seconds, Self.processorTime - start)
        if let failure = linted.failures.first {
            // The findings of a container that is missing are not fixed.
            if failure.message != problem { try show(failure.message + " Waiting for it.") }
            (problem, isMissing) = (failure.message, true)
            return
        }
        let new = ReportSnapshot(linted.report)
        let text = WatchText(ReportDifference(from: snapshot, to: new), at: Self.time, style: style).text
        snapshot = new
        let wasMissing = isMissing
        isMissing = false
        if wasMissing || identities != Self.identities(of: linted.containers.map(\.location)) {
            if wasMissing { try show("the container is there again") }
            watch(linted.containers)
        }
        if !text.isEmpty { try print(text) }
    }

    /// Watches containers instead of those before.
    private mutating func watch(_ containers: [Container]) {
        for watch in watches { watch.cancel() }
        (watches, problem) = ([], nil)
        identities = Self.identities(of: containers.map(\.location))
        for container in containers {
            do throws(ContainerError) {
                let changes = try container.changes(below: .root)
                watches.append(
                    Task { [signal] in
                        do {
                            for try await _ in changes { signal.wake() }
                        } catch { signal.wake() }
                    })
            } catch {
                problem = "\(error) Linting every \(Int(Self.polled)) seconds instead."
                Failure.printMessage("sandboxlint: \(problem ?? "")")
            }
        }
    }

    private static func identities(of paths: [FilePath]) -> [FilePath: [UInt64]] {
        var identities: [FilePath: [UInt64]] = [:]
        for path in paths {
            identities[path] = (try? Folder(opening: path).status("").identity).map { [$0.device, $0.inode] }
        }
        return identities
    }

    private func show(_ text: String) throws(UnwrittenOutput) { try print("\(Self.time) \(text)\n") }

    private func print(_ text: String) throws(UnwrittenOutput) {
        let output = Output(style)
        output.write(text)
        try output.end()
        // Nobody reads any longer.
        if output.isClosed { Invocation.current.interruption.request() }
    }

    /// The processor time of this process, in seconds. The unit of `clock` is a millionth of a second on each system (POSIX).
    private static var processorTime: Double { Double(clock()) / 1e6 }

    private static var time: String {
        let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: Date())
        return [parts.hour, parts.minute, parts.second].map { number in
            let text = String(number ?? 0)
            return text.count < 2 ? "0\(text)" : text
        }.joined(separator: ":")
    }
}

/// Changes of several containers as one signal, which any thread sends and one awaits.
private final class ChangeSignal: Sendable {
    private let condition = NSCondition()
    private let isSet = AtomicFlag(false)
    /// Set by a signal that has not been awaited by `waitForQuiet`.
    private let isLoud = AtomicFlag(false)

    func wake() {
        condition.lock()
        isSet.set(true)
        isLoud.set(true)
        condition.broadcast()
        condition.unlock()
    }

    func clear() { isSet.set(false) }

    /// Waits for a signal. Returns false if there was none.
    func wait(for seconds: Double) -> Bool {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isSet.value, condition.wait(until: end) {}
        return isSet.value
    }

    /// Waits until there was no signal for `quiet` seconds.
    func waitForQuiet(_ quiet: Double, atMost seconds: Double) {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while Date() < end {
            isLoud.set(false)
            let pause = min(end, Date(timeIntervalSinceNow: quiet))
            while !isLoud.value, condition.wait(until: pause) {}
            if !isLoud.value { return }
            // Signals of one burst are awaited together.
            condition.unlock()
            Thread.sleep(forTimeInterval: 0.02)
            condition.lock()
        }
    }

    /// Waits, at most a minute, also if there are signals; less if the run is interrupted.
    func rest(for seconds: Double) {
        let end = Date(timeIntervalSinceNow: min(60, seconds))
        let interruption = Invocation.current.interruption
        condition.lock()
        defer { condition.unlock() }
        while !interruption.isRequested, Date() < end {
            _ = condition.wait(until: min(end, Date(timeIntervalSinceNow: 0.2)))
        }
    }
}
