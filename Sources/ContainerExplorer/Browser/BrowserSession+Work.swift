internal import AppContainer
package import ContainerTree
internal import FileSystem
internal import SourceCode
internal import StoragePolicy
internal import TextOutput

/// The changes that would fix the findings of items.
package struct BrowserFixPlan: Sendable {
    package let paths: [[UInt8]]
    package let fix: ItemFix
}

extension BrowserSession {
    // MARK: - Changes

    /// Changes the container, then reads and lints it again. Must not be called while a change is running.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - source: The session of the container that `put` copies from.
    package func perform(_ change: BrowserChange, from source: BrowserSession? = nil) {
        let task = beginTask(isChange: true)
        let other = source?.container
        run { session in
            defer { session.refresh() }
            do {
                let text = try session.make(change, from: other, task: task)
                session.end(.changed(text.text, isError: text.isError))
            } catch let error as ExplorerError {
                if error.code == .refused, case .move(let paths, let directory, false) = change {
                    let again = BrowserChange.move(paths, into: directory, allowsUserData: true)
                    session.end(.refused("\(error)", again))
                } else {
                    session.end(.changed("\(error)", isError: error.code != .cancelled))
                }
            } catch { session.end(.changed("\(error)", isError: true)) }
        }
    }

    private func make(
        _ change: BrowserChange, from other: Container?, task: Int
    ) throws -> (text: String, isError: Bool) {
        var editor = ContainerEditor(container)
        editor.isCancelled = { self.isCancelled(task) }
        editor.onProgress = { progress in
            self.send(
                .working(
                    "\(change.activity), \(Quantity.grouped(progress.items)) of \(Quantity.count(progress.totalItems, "file"))"
                        + ", \(Quantity.bytes(progress.bytes)) of \(Quantity.bytes(progress.totalBytes)); Esc cancels"))
        }
        let report: ChangeReport
        switch change {
        case .delete(let paths, let forGood, let losesContent):
            report = try editor.delete(paths, forGood: forGood, losesContent: losesContent)
        case .exclude(let paths): report = try editor.exclude(paths)
        case .include(let paths): report = try editor.include(paths)
        case .copy(let paths, let directory): report = try editor.copy(paths, into: directory)
        case .move(let paths, let directory, let allowsUserData):
            report = try editor.move(paths, into: directory, allowsUserData: allowsUserData)
        case .rename(let path, let name): report = try editor.rename(path, to: name)
        case .renameAll(let paths, let pattern): report = try editor.rename(paths, by: pattern)
        case .makeDirectory(let name, let directory): report = try editor.makeDirectory(name, in: directory)
        case .put(let paths, let directory):
            guard let other else { return ("The other pane was closed. Nothing was copied.", true) }
            report = try editor.put(paths, of: other, into: directory)
        case .fix(let paths, let allowsUnsafe):
            let fix = try editor.fix(paths, configuredAt: configurationPath, allowsUnsafe: allowsUnsafe, isPlan: false)
            let left = fix.findingsLeft > 0 ? "; \(Quantity.count(fix.findingsLeft, "finding")) left" : ""
            return ("\(Quantity.count(fix.changes, "change")) made\(left).", false)
        case .undo(let number):
            let report = try editor.undo(number)
            let conflicts = report.conflicts.first.map { " “\($0.path)”: \($0.reason)." } ?? ""
            return (report.message + conflicts, !report.conflicts.isEmpty)
        }
        let undo = if case .kept = report.undo { "; u reverts it" } else { "" }
        return (report.message + undo + ".", !report.isComplete)
    }

    /// Reverts what an earlier run has left unfinished. Says so in the message line.
    func recover() {
        do {
            guard let report = try ContainerEditor(container).recover().first else { return }
            send(.changed(report.message, isError: !report.conflicts.isEmpty))
        } catch {
            // The container may be locked by the change that another process makes.
        }
    }

    /// Finds out if a deletion of items can be undone.
    package func checkUndo(of paths: [[UInt8]]) {
        run { session in
            guard let reason = ContainerEditor(session.container).undoObstacle(to: paths) else { return }
            session.send(.undoObstacle(paths, reason))
        }
    }

    /// Lists the changes that can be reverted.
    package func listHistory() {
        run { session in
            do { session.send(.history(try ContainerEditor(session.container).changes())) } catch {
                session.send(.changed("\(error)", isError: true))
            }
        }
    }

    /// Plans the automatic fixes of the findings of items.
    package func planFix(of paths: [[UInt8]]) {
        _ = beginTask(isChange: false)
        run { session in
            do {
                let fix = try ContainerEditor(session.container).fix(
                    paths, configuredAt: session.configurationPath, isPlan: true)
                session.send(.fixPlan(BrowserFixPlan(paths: paths, fix: fix)))
            } catch { session.send(.changed("\(error)", isError: true)) }
        }
    }

    // MARK: - Searches

    /// Lists the items that match conditions.
    package func find(_ text: String) {
        let task = beginTask(isChange: false)
        run { session in
            do throws(ExplorerError) {
                let query = try ItemQuery(text)
                let (index, report, classes) = session.state.withLock { ($0.index, $0.report, $0.classes) }
                guard let index else { return session.send(.searched(nil, isError: false)) }
                let findings = report.map { BrowserFindings($0, in: index) }
                let now = Timestamp.now.seconds
                let items = query.items(
                    in: index, now: now, classes: classes, findings: { findings?.findings(of: $0) ?? [] },
                    isCancelled: { session.isCancelled(task) })
                guard !session.isCancelled(task) else { return }
                session.send(.hits(items.map { Hit(path: index.path(of: $0), place: nil) }))
                let isBlind = query.needsClasses && classes == nil || query.needsFindings && report == nil
                session.send(
                    .searched(
                        isBlind ? "The linter has not finished; search again when it has." : nil, isError: isBlind))
            } catch { session.send(.searched("\(error)", isError: true)) }
        }
    }

    /// Lists the files that contain a text or a key.
    package func search(_ text: String) {
        let task = beginTask(isChange: false)
        run { session in
            guard let index = session.reading?.index else { return session.send(.searched(nil, isError: false)) }
            do throws(ExplorerError) {
                let summary = try ContentSearch(text: text).run(
                    in: session.container, index: index, isCancelled: { session.isCancelled(task) },
                    progress: { count in
                        guard count.isMultiple(of: 64), !session.isCancelled(task) else { return }
                        session.send(.working("searching, \(Quantity.count(count, "file")) done; Esc cancels"))
                    },
                    found: { hit in
                        guard !session.isCancelled(task) else { return }
                        let excerpt = hit.excerpt.isEmpty ? "" : ": " + hit.excerpt
                        session.send(.hits([Hit(path: hit.path, place: hit.place + excerpt)]))
                    })
                guard !session.isCancelled(task) else { return }
                let unread = summary.unread.first.map { first in
                    "\(Quantity.count(summary.unreadCount, "file")) not searched: “\(ByteText.escaped(first.path))” "
                        + "(\(first.reason))" + (summary.unreadCount > 1 ? ", …" : "")
                }
                session.send(.searched(unread, isError: false))
            } catch { session.send(.searched("\(error)", isError: true)) }
        }
    }

    /// Cancels the running change or search. A cancelled change is reverted.
    package func cancel() {
        let isChanging = state.withLock { state in
            state.task += 1
            return state.isChanging
        }
        if !isChanging { send(.searched("Cancelled; the list may be incomplete.", isError: false)) }
    }

    // MARK: - Previews

    /// Makes the preview of an item. Only the last request is answered.
    package func preview(_ path: [UInt8], columns: Int) {
        let isNew = state.withLock { state in
            defer { state.previewed = path }
            return state.previewed != path
        }
        guard isNew else { return }
        run { session in
            let isLast: @Sendable () -> Bool = { session.state.withLock { $0.previewed == path } }
            let preview = ItemPreview.make(
                of: path, in: session.container, columns: columns, isCancelled: { !isLast() })
            guard isLast() else { return }
            session.state.withLock { $0.previewed = nil }
            session.send(.preview(path, preview))
        }
    }

    /// Finds what is known of an item. Only the last request is answered.
    package func describe(_ path: [UInt8]) {
        let isNew = state.withLock { state in
            defer { state.described = path }
            return state.described != path
        }
        guard isNew else { return }
        run { session in
            let container = session.container
            let lines: [String]
            do {
                let linter = try Linter(configuredFor: session.configurationPath)
                let code = session.searchesCode ? session.source(for: linter.configuration, of: container) : nil
                lines = try ItemFacts.make(of: path, in: container, linter: linter, code: code).lines
            } catch { lines = ["Not known: \(error)"] }
            guard session.state.withLock({ $0.described == path }) else { return }
            session.state.withLock { $0.described = nil }
            session.send(.facts(path, lines))
        }
    }

    // MARK: - Tasks

    private func beginTask(isChange: Bool) -> Int {
        state.withLock { state in
            if isChange { state.isChanging = true }
            state.task += 1
            return state.task
        }
    }

    private func isCancelled(_ task: Int) -> Bool { state.withLock { $0.task != task } }

    /// Ends a change with its event.
    private func end(_ event: Event) {
        state.withLock { state in
            state.events.append(event)
            state.isChanging = false
        }
    }
}
