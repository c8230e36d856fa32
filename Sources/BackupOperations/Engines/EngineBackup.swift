package import AppContainer
internal import BackupPlan
package import BackupRepository
internal import ContainerTree
internal import ExternalPrograms
package import FileSystem
internal import Foundation
internal import PropertyLists
internal import SystemPackage

/// A backup with an external tool, whose snapshot is compared with the plan.
///
/// Databases in use are stored in a second snapshot of the run, each in one consistent state, and omitted from the
/// first. If the container changes during the run, the run is repeated once and the first attempt is removed.
package struct EngineBackup {
    package let container: Container
    package let rules: BackupRules
    package let kind: EngineKind
    package let repository: EngineRepository
    /// The date to record; nil for the time of the run.
    package var taken: Timestamp?
    /// Called with the number of processed and of all files and bytes, if the tool reports progress.
    package var progress: (_ done: (files: Int, bytes: UInt64), _ all: (files: Int, bytes: UInt64)) -> Void = { _, _ in
    }

    package init(of container: Container, rules: BackupRules, with kind: EngineKind, to repository: EngineRepository) {
        self.container = container
        self.rules = rules
        self.kind = kind
        self.repository = repository
    }

    /// The result of a run.
    package struct Outcome: Sendable {
        package let kind: EngineKind
        package let version: String
        /// The identifier of the snapshot of the container.
        package let snapshot: String
        /// The identifier of the snapshot of databases in use; nil if there were none.
        package let stores: String?
        package let files: Int
        package let bytes: UInt64
        /// Items that are not stored as planned; sorted by path.
        package let incidents: [Snapshot.Incident]
        /// Notes for the user on items that are stored as planned.
        package let remarks: [Snapshot.Incident]
        /// Snapshots of the first attempt that could not be removed.
        package let leftovers: [String]
    }

    /// The result of one attempt.
    private struct Attempt {
        /// Items that could not be analyzed.
        let planned: [PlanIncident]
        let remarks: [Snapshot.Incident]
        let trace: PlanTrace
        let staged: StagedDatabases
        var snapshots: [String] = []
        var incidents: [Snapshot.Incident] = []
        var files = 0
        var bytes: UInt64 = 0
    }

    /// Creates the snapshots.
    ///
    /// - Throws: `noRepository`, `locked`, `interrupted`, `failed`. Items that cannot be read become incidents.
    package func run() throws(BackupError) -> Outcome {
        try Invocation.current.interruption.during { () throws(BackupError) in
            let engine = try kind.open(repository)
            var made: [String] = []
            do throws(BackupError) { return try make(with: engine, &made) } catch {
                throw removeSnapshots(made, from: engine, after: error)
            }
        }
    }

    /// Creates the snapshots and records in `made` all that are in the repository, also if it throws.
    private func make(with engine: any BackupEngine, _ made: inout [String]) throws(BackupError) -> Outcome {
        let root = try root()
        var (parent, inUse) = (try engine.latestSnapshot(of: owner), Set<[UInt8]>())
        var superseded: [String] = []
        while true {
            var done = try attempt(&inUse, engine: engine, root: root, parent: parent, made: &made)
            let after = try self.plan()
            let changes = PlanChanges(from: done.trace, to: after, without: done.staged.holds)
            done.incidents.removeAll { incident in
                // An entry was added or removed after the tool had read the directory.
                incident.reason == "stored-with-other-time" && changes.directories.contains(incident.path)
            }
            let isToBeTriedAgain = !changes.changed.isEmpty || (!done.incidents.isEmpty && changes.hasOthers)
            if superseded.isEmpty, isToBeTriedAgain {
                for path in changes.changed { inUse.formUnion(after.stores(of: path, in: container)) }
                (superseded, parent) = (made, made.first)
                continue
            }
            done.incidents += changes.changed.map { Snapshot.Incident(path: $0, reason: "changed-while-read") }
            done.incidents += done.staged.incidents
            done.incidents += done.staged.withoutAttributes.map {
                Snapshot.Incident(path: $0, reason: "attributes-not-kept")
            }
            return outcome(done, engine: engine, superseded: superseded)
        }
    }

    /// Stores a new plan with the tool, and the databases in use as copies. The plan is released at the end, because
    /// two plans would dominate the memory of the run.
    private func attempt(
        _ inUse: inout Set<[UInt8]>, engine: any BackupEngine, root: FilePath, parent: String?,
        made: inout [String]
    ) throws(BackupError) -> Attempt {
        let plan = try self.plan()
        inUse.formUnion(plan.databasesInUse(in: container))
        let staged = try StagedDatabases(inUse, of: container, plan: plan)
        defer { staged.remove() }
        var result = Attempt(
            planned: plan.incidents, remarks: Snapshot.Incident.sorted(plan.remarks),
            trace: PlanTrace(of: plan, without: staged.holds),
            staged: staged)
        var task = EngineTask(
            part: .container, directory: root, items: PlannedItems(plan, without: staged), owner: owner,
            run: UUID().uuidString, taken: taken, parent: parent)
        let all = (
            files: plan.count { $0.isStored && $0.kind == .file }, bytes: plan.sum(stored: true).bytes
        )
        progress((0, 0), all)
        task.progress = { [progress] in progress(($0, $1), all) }
        try storeSnapshot(task, engine: engine, into: &result, made: &made)
        if !staged.items.isEmpty, !staged.mains.isEmpty {
            task = EngineTask(
                part: .stores, directory: staged.location, items: StagedItems(staged.items), owner: owner,
                run: task.run,
                taken: taken)
            try storeSnapshot(task, engine: engine, into: &result, made: &made)
        }
        return result
    }

    private func storeSnapshot(
        _ task: EngineTask, engine: any BackupEngine, into result: inout Attempt, made: inout [String]
    ) throws(BackupError) {
        let snapshot = try engine.createSnapshot(task)
        made.append(snapshot)
        result.snapshots.append(snapshot)
        var reconciliation = Reconciliation(task.items, in: engine)
        // More items than planned may have appeared, but not many times as many.
        try engine.listItems(of: snapshot, atMost: 10 * task.items.numbers.count + ProgramOutput.mostLines) {
            reconciliation.compare($0)
        }
        let found = reconciliation.end()
        result.incidents += found.incidents
        result.files += found.files
        result.bytes.addClamped(found.bytes)
        if !engine.preservesBinaryTargets { result.incidents += targetsNotText(task.items) }
    }

    /// Returns the links whose target a tool with text targets changes.
    private func targetsNotText(_ items: any EngineItems) -> [Snapshot.Incident] {
        var incidents: [Snapshot.Incident] = []
        items.forEach { item in
            guard item.status.kind == .symbolicLink,
                let target = try? container.folder.linkTarget(FilePath(bytes: item.path)),
                String(utf8: target) == nil
            else { return }
            incidents.append(Snapshot.Incident(path: item.path, reason: "target-not-text"))
        }
        return incidents
    }

    private func outcome(_ done: Attempt, engine: any BackupEngine, superseded: [String]) -> Outcome {
        var seen: Set<[UInt8]> = []
        let planned = done.planned.map { Snapshot.Incident(path: $0.path, reason: $0.reason) }
        let incidents = (planned + done.incidents).filter { seen.insert($0.path).inserted }
        return Outcome(
            kind: kind, version: engine.version, snapshot: done.snapshots[0],
            stores: done.snapshots.count > 1 ? done.snapshots[1] : nil, files: done.files, bytes: done.bytes,
            incidents: incidents.sorted { PathOrder.precedes($0.path, $1.path) }, remarks: done.remarks,
            leftovers: leftovers(of: superseded, in: engine, within: .seconds(120)))
    }

    private func plan() throws(BackupError) -> Plan {
        let plan: Plan
        do throws(ContainerError) { plan = try Plan(of: container, rules: rules) } catch { throw BackupError(error) }
        try plan.requireIncludedContainer()
        return plan
    }

    /// Returns the path of the container. Tools accept paths only as text.
    private func root() throws(BackupError) -> FilePath {
        do {
            let root = try container.folder.absolutePath()
            guard FilePath(root.string) == root else {
                throw BackupError(
                    .failed, what: "the path of the container is not UTF-8",
                    hint: "rename the directories that are not UTF-8"
                )
            }
            return root
        } catch { throw BackupError(error) }
    }

    /// The owner of the container, in characters without a special meaning for the tools.
    private var owner: String {
        let isPlain = { (byte: UInt8) in
            UnicodeScalar(byte).properties.isAlphabetic || (48...57).contains(byte) || byte == 45 || byte == 46
        }
        let name = container.bundleIdentifier ?? ""
        let isUsable = !name.isEmpty && name.utf8.count <= 200 && name.utf8.allSatisfy { $0 < 0x80 && isPlain($0) }
        return isUsable && !name.hasPrefix("-") && !name.hasPrefix(".") ? name : Self.unknownOwner
    }

    /// The owner of a container without a usable bundle identifier.
    static let unknownOwner = "container"
}

extension EngineBackup {
    /// Removes the snapshots of a failed run, and adds those that remain to the error.
    func removeSnapshots(_ made: [String], from engine: any BackupEngine, after error: BackupError) -> BackupError {
        let left = leftovers(of: made, in: engine, within: .seconds(20))
        guard !left.isEmpty else { return error }
        let what = "still in the repository after the failed run: \(left.joined(separator: ", "))"
        let hint = "remove it with `\(kind.rawValue) \(kind == .restic ? "forget" : "delete")`"
        Invocation.current.interruption.remark = "\(what); \(hint)"
        return BackupError(
            error.code, what: "\(error.what); \(what)", hint: error.hint.isEmpty ? hint : "\(error.hint), and \(hint)")
    }

    /// Removes snapshots within a time limit, and returns those that remain.
    func leftovers(of snapshots: [String], in engine: any BackupEngine, within limit: Duration) -> [String] {
        let end = ContinuousClock.now + limit
        return snapshots.filter { snapshot in
            let rest = max(.seconds(1), end - .now)
            do throws(BackupError) { try engine.removeSnapshot(snapshot, within: rest) } catch { return true }
            return false
        }
    }
}
