package import AppContainer
package import ContainerTree
internal import FileSystem
internal import Foundation
internal import SourceCode
internal import StoragePolicy
internal import SystemPackage
internal import TextOutput

/// The work of the interactive mode on threads of its own: reading and linting the container, and changing it.
///
/// At most one reading, one change and one lint run are running at a time.
package final class BrowserSession: Sendable {
    /// An event for the browser.
    package enum Event: Sendable {
        /// The items of the container, before all of them have been read.
        case firstItems([FirstItem])
        /// A reading has found this number of items.
        case reading(Int)
        case read(Content)
        case notRead(String)
        /// Findings for the index of a reading.
        case linted(BrowserFindings, generation: Int)
        case notLinted(String)
        /// The running work in words.
        case working(String)
        /// A change has ended.
        case changed(String, isError: Bool)
        /// A deletion of these items cannot be undone, for a reason.
        case undoObstacle([[UInt8]], String)
        /// A change was refused, and would be made after a confirmation.
        case refused(String, BrowserChange)
        /// Items that a search has found since the last event.
        case hits([Hit])
        /// A search has ended, with what the user has to know of it.
        case searched(String?, isError: Bool)
        case history([HistoryChange])
        case fixPlan(BrowserFixPlan)
        case preview([UInt8], ItemPreview)
        case facts([UInt8], [String])
    }

    /// An item of the container during the first reading.
    package struct FirstItem: Sendable, Hashable {
        /// The name as it is shown.
        package let name: String
        /// The bytes found in it until now.
        package let bytes: UInt64
    }

    /// A found item.
    package struct Hit: Sendable, Hashable {
        package let path: [UInt8]
        /// The place of a text in it.
        package let place: String?
    }

    /// The result of a reading.
    package struct Content: Sendable {
        package let index: ContainerIndex
        /// The number of the reading, from 1.
        package let generation: Int
        /// The bytes of all items that are backed up.
        package let backedUp: UInt64
        /// The findings of the last lint run, if any.
        package let findings: BrowserFindings?
    }

    struct State {
        var container: Container
        var events: [Event] = []
        var index: ContainerIndex?
        var generation = 0
        var report: LintReport?
        var classes: ItemClasses?
        /// True if a reading is running.
        var isReading = false
        var isChanging = false
        /// True if the container must be read again when the running reading has ended.
        var isOutdated = false
        var isLinting = false
        /// True if the container has been read after the running lint run began.
        var isLintOutdated = false
        var itemsRead = 0
        /// The names of the container's items, and the bytes found in each.
        var first: [(name: [UInt8], bytes: UInt64)] = []
        /// The number of the last request for work that a later one or the user cancels.
        var task = 0
        /// The path whose preview or facts are being made.
        var previewed: [UInt8]?
        var described: [UInt8]?
        /// True if the missing container has been reported.
        var isMissing = false
        var lastCheck = Host.uptime
    }

    let state: LockedValue<State>
    /// The path from which the configuration of the linter is searched.
    let configurationPath: String
    /// False for a copy, whose changes would be lost.
    private let canChange: Bool
    let searchesCode: Bool
    let sourceRoots: [String]

    /// Creates the work on a container.
    ///
    /// - Parameters:
    ///   - container: The container.
    ///   - path: The path from which the configuration of the linter is searched, if not that of the container.
    ///   - searchesCode: True to search the source code of the app for the lines that write items with findings.
    ///   - sourceRoots: The directories of the source code; those of the configuration or the git work tree by default.
    ///   - canChange: True to revert at first what an interrupted run has left unfinished.
    package init(
        _ container: Container, configuredAt path: String? = nil, searchesCode: Bool = false,
        sourceRoots: [String] = [],
        canChange: Bool = false
    ) {
        self.canChange = canChange
        (self.searchesCode, self.sourceRoots) = (searchesCode, sourceRoots)
        state = LockedValue(State(container: container))
        configurationPath = path ?? container.location.string
    }

    /// True if a change of the container is running.
    package var isChanging: Bool { state.withLock { $0.isChanging } }

    /// Returns the events since the last call.
    package func events() -> [Event] {
        checkContainer()
        return state.withLock { state in
            var events = state.events
            state.events = []
            if state.isReading, state.itemsRead > 0 {
                events.append(.reading(state.itemsRead))
                if state.generation == 0 { events.append(.firstItems(Self.shown(state.first))) }
            }
            return events
        }
    }

    /// Reads and lints the container again.
    package func refresh() {
        let isFirst = state.withLock { state in
            state.isOutdated = true
            defer { state.isReading = true }
            return !state.isReading
        }
        if isFirst { run { $0.readWhileOutdated() } }
    }

    /// The container in its last opening.
    package var container: Container { state.withLock { $0.container } }

    /// The index of the last reading, and its number.
    package var reading: (index: ContainerIndex, generation: Int)? {
        state.withLock { state in state.index.map { ($0, state.generation) } }
    }

    /// Runs a closure on a new thread. The stack of the threads of Dispatch is too small for deep containers.
    func run(_ body: @escaping @Sendable (BrowserSession) -> Void) {
        let thread = Thread { body(self) }
        thread.stackSize = 8 << 20
        thread.start()
    }

    func send(_ event: Event) {
        state.withLock { state in
            // The browser takes the found items of a moment at once: each time, it orders the whole list.
            if case .hits(let hits) = event, case .hits(let earlier)? = state.events.last {
                state.events[state.events.count - 1] = .hits(earlier + hits)
            } else {
                state.events.append(event)
            }
        }
    }

    // MARK: - Reading

    /// Reads the container until no later change requires another reading.
    private func readWhileOutdated() {
        if canChange, state.withLock({ $0.generation == 0 }) { recover() }
        while state.withLock({ state in
            defer { state.isOutdated = false }
            state.isReading = state.isOutdated
            return state.isReading
        }) { read() }
    }

    private func read() {
        do throws(ContainerError) {
            let container = try Self.reopened(state.withLock { $0.container })
            let isFirst = state.withLock { state in
                state.container = container
                (state.itemsRead, state.isMissing) = (0, false)
                return state.generation == 0
            }
            var options = ContainerIndex.Options()
            options.progress = { count in self.state.withLock { $0.itemsRead += count } }
            if isFirst {
                let names = Self.names(in: container)
                send(.firstItems(Self.shown(names.map { ($0, 0) })))
                state.withLock { $0.first = names.map { ($0, 0) } }
                let positions = Dictionary(
                    names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
                options.found = { name, bytes in
                    guard let position = positions[name] else { return }
                    self.state.withLock { $0.first[position].bytes &+= bytes }
                }
            }
            let index = try ContainerIndex(of: DirectoryTree(container), options: options)
            let backedUp = Self.backedUp(index)
            let report = state.withLock { state in
                state.index = index
                state.generation += 1
                state.itemsRead = 0
                return (state.report, state.generation, state.classes)
            }
            let findings = report.0.map { BrowserFindings($0, in: index, classes: report.2) }
            send(.read(Content(index: index, generation: report.1, backedUp: backedUp, findings: findings)))
            lint()
        } catch {
            state.withLock { $0.itemsRead = 0 }
            send(.notRead("\(error) The items below were read earlier."))
        }
    }

    /// Opens the container again, because another directory may have been moved to its path.
    private static func reopened(_ container: Container) throws(ContainerError) -> Container {
        let path = container.location
        var opened: Container
        do throws(ContainerError) {
            opened = try Container.open(path)
            if opened.bundleIdentifier == nil, let identifier = container.bundleIdentifier {
                opened = try Container.open(path, bundleIdentifier: identifier)
            }
        } catch {
            guard error.code == .notAContainer else { throw error }
            // The container of a group may have none of the known directories.
            opened = try Container.open(
                known: path, bundleIdentifier: container.bundleIdentifier, kind: container.kind)
            guard opened.isSameDirectory(as: container) else { throw error }
        }
        (opened.keepsAttributes, opened.keepsHoles) = (container.keepsAttributes, container.keepsHoles)
        return opened
    }

    /// Returns the names in the container, sorted, at most `firstNames`.
    private static func names(in container: Container) -> [[UInt8]] {
        var count = 0
        let names = try? container.folder.names { _ in
            count += 1
            return count <= firstNames
        }
        return (names ?? []).map { Array($0.bytes) }
    }

    /// The number of names that are shown before the container has been read.
    private static let firstNames = 50_000
    /// The number of them that fit on any screen.
    private static let visibleNames = 1_000

    private static func shown(_ items: [(name: [UInt8], bytes: UInt64)]) -> [FirstItem] {
        items.prefix(visibleNames).map { FirstItem(name: ByteText.escaped($0.name), bytes: $0.bytes) }
    }

    private static func backedUp(_ index: ContainerIndex) -> UInt64 {
        var sum: UInt64 = 0
        for item in 0..<index.count {
            let size = index[item].own.logical
            guard size > 0, !index[item].isRepeatedLink, index.decision(for: item).state == .included,
                index.availability(of: item) != .evicted
            else { continue }
            let (result, isOver) = sum.addingReportingOverflow(size)
            sum = isOver ? .max : result
        }
        return sum
    }

    /// Reports once that the container no longer exists. At most one check per second.
    private func checkContainer() {
        let container = state.withLock { state -> Container? in
            guard !state.isMissing, Host.uptime - state.lastCheck > 1_000_000_000 else { return nil }
            state.lastCheck = Host.uptime
            return state.container
        }
        guard let container else { return }
        guard let known = try? container.folder.status("").identity else { return }
        if let current = try? Folder(opening: container.location).status("").identity, current == known { return }
        state.withLock { state in
            state.isMissing = true
            state.events.append(
                .notRead(
                    "The container is no longer at its path; it was removed, moved or replaced. The items below were read "
                        + "earlier. Press r to read the path again, q to quit."))
        }
    }

    // MARK: - Linting

    /// Lints the container, unless a lint run is running; that one is repeated.
    private func lint() {
        let isFirst = state.withLock { state in
            state.isLintOutdated = true
            defer { state.isLinting = true }
            return !state.isLinting
        }
        guard isFirst else { return }
        run { session in
            while let container = session.state.withLock({ state -> Container? in
                defer { state.isLintOutdated = false }
                state.isLinting = state.isLintOutdated
                return state.isLinting ? state.container : nil
            }) { session.lint(container) }
        }
    }

    private func lint(_ container: Container) {
        do {
            let linter = try Linter(configuredFor: configurationPath)
            let code = searchesCode ? source(for: linter.configuration, of: container) : nil
            let linting = linter.weighing(code)
            let count = reading?.index.count ?? 0
            // Classes take as long again; of a large container, the findings are shown first.
            if count > Self.mostClassifiedAtOnce {
                report(try linting.lint(container), nil, linter.configuration, code)
            }
            guard count <= Self.mostClassified else { return }
            let (result, classes) = try linting.lintWithClasses(container)
            report(result, classes, linter.configuration, code)
        } catch {
            send(.notLinted("\(error)"))
        }
    }

    /// The number of items up to which findings and classes come from one run.
    private static let mostClassifiedAtOnce = 20_000
    /// The number of items up to which each has a class, which takes memory and time.
    private static let mostClassified = 200_000

    /// Sends the result of a lint run, and again with the lines of source code that write the items.
    private func report(
        _ report: LintReport, _ classes: ItemClasses?, _ configuration: Configuration, _ code: AppSource?
    ) {
        let (index, generation) = state.withLock { state in
            (state.report, state.classes) = (report, classes)
            return (state.index, state.generation)
        }
        guard let index else { return }
        var findings = BrowserFindings(report, in: index, classes: classes)
        send(.linted(findings, generation: generation))
        guard let code, !code.roots.roots.isEmpty, !report.findings.isEmpty else { return }
        findings.addSources(configuration, code: code)
        send(.linted(findings, generation: generation))
    }

    func source(for configuration: Configuration, of container: Container) -> AppSource {
        let inputs = [configurationPath, container.location.string]
        let roots = SourceRoots(
            sourceRoots.isEmpty ? configuration.sourceRoots : sourceRoots, configuration: configuration.files.last,
            besides: inputs)
        return AppSource(roots, besides: inputs, threads: 0, sdk: RegisteredWriters.name)
    }
}
