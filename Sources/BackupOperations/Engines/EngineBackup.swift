package import AppContainer
package import BackupPlan
package import BackupRepository
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// Has a backup tool of someone else's keep what the plan of a container says, and holds what came of it against the
/// plan.
///
/// SQLite stores in use go, as one state of each, into a second snapshot of the same run, and the first goes without
/// them. Where the container has changed under the tool, all is done once more, and the first try taken away.
package struct EngineBackup {
    package let container: Container
    package let rules: PlanRules
    package let kind: EngineKind
    package let repository: EngineRepository
    /// Is told how many files and bytes the tool has seen to, of how many, where it `tellsProgress`.
    package var progress: (_ done: (files: Int, bytes: UInt64), _ all: (files: Int, bytes: UInt64)) -> Void = { _, _ in
    }

    package init(of container: Container, rules: PlanRules, with kind: EngineKind, to repository: EngineRepository) {
        self.container = container
        self.rules = rules
        self.kind = kind
        self.repository = repository
    }

    /// What a run did.
    package struct Outcome: Sendable {
        package let kind: EngineKind
        package let version: String
        /// What the tool calls the snapshot of the container.
        package let snapshot: String
        /// The snapshot of the stores in use; nil where there were none.
        package let stores: String?
        package let files: Int
        package let bytes: UInt64
        /// What is not kept as planned; sorted by path.
        package let incidents: [Snapshot.Incident]
        /// What a user should know, though it was kept as planned.
        package let remarks: [Snapshot.Incident]
        /// Snapshots of a first try that are still there, since they could not be taken away.
        package let leftovers: [String]
    }

    /// What one try did.
    private struct Try {
        /// What could not be looked at when it was planned.
        let planned: [PlanIncident]
        let specialNodes: [Snapshot.Incident]
        let trace: PlanTrace
        let staged: StagedDatabases
        var snapshots: [String] = []
        var incidents: [Snapshot.Incident] = []
        var files = 0
        var bytes: UInt64 = 0
    }

    /// Makes the snapshots.
    ///
    /// - Throws: `noStore`, `locked`, `interrupted`, `failed`. What the container does not give is an incident.
    package func run() throws(BackupError) -> Outcome {
        try RunCancellation.during { () throws(BackupError) in
            let engine = try kind.open(repository)
            var made: [String] = []
            do throws(BackupError) { return try make(with: engine, &made) } catch {
                throw withdraw(made, from: engine, after: error)
            }
        }
    }

    /// Makes them, and tells of all that is in the repository then, also where this throws.
    private func make(with engine: any BackupEngine, _ made: inout [String]) throws(BackupError) -> Outcome {
        let root = try root()
        var (parent, inUse) = (try engine.last(of: owner), Set<[UInt8]>())
        var superseded: [String] = []
        while true {
            var done = try attempt(&inUse, engine, root, parent: parent, &made)
            let after = try self.plan()
            let changes = PlanChanges(from: done.trace, to: after, without: done.staged.holds)
            done.incidents.removeAll { incident in
                // A name came or went after the tool had been there.
                incident.reason == "stored-with-other-time" && changes.directories.contains(incident.path)
            }
            let isToBeTriedAgain = !changes.changed.isEmpty || (!done.incidents.isEmpty && changes.hasOthers)
            if superseded.isEmpty, isToBeTriedAgain {
                for path in changes.changed { inUse.formUnion(after.stores(of: path, in: container)) }
                (superseded, parent) = (made, made.first)
                continue
            }
            done.incidents += changes.changed.map { Snapshot.Incident(path: $0, reason: "changed-while-read") }
            done.incidents += done.staged.inconsistent.map { Snapshot.Incident(path: $0, reason: "no-consistent-copy") }
            done.incidents += done.staged.bare.map { Snapshot.Incident(path: $0, reason: "attributes-not-kept") }
            return outcome(done, engine, superseded: superseded)
        }
    }

    /// Has the tool keep what a new plan says, with a state of each store that is in use. The plan is gone at the end: two
    /// of them would be the most of the memory that all of this takes.
    private func attempt(
        _ inUse: inout Set<[UInt8]>, _ engine: any BackupEngine, _ root: FilePath, parent: String?,
        _ made: inout [String]
    ) throws(BackupError) -> Try {
        let plan = try self.plan()
        inUse.formUnion(plan.databasesInUse(in: container))
        let staged = try StagedDatabases(inUse, of: container, plan)
        defer { staged.remove() }
        var result = Try(
            planned: plan.incidents, specialNodes: plan.specialNodeRemarks,
            trace: PlanTrace(of: plan, without: staged.holds),
            staged: staged)
        var task = EngineTask(
            part: .container, directory: root, items: PlannedItems(plan, without: staged), owner: owner,
            run: UUID().uuidString, parent: parent)
        let all = (
            files: plan.count { $0.decision == .include && $0.kind == .file }, bytes: plan.sum(of: .include).bytes
        )
        progress((0, 0), all)
        task.progress = { [progress] in progress(($0, $1), all) }
        try keep(task, engine, &result, &made)
        if !staged.items.isEmpty, !staged.mains.isEmpty {
            task = EngineTask(
                part: .stores, directory: staged.location, items: StagedItems(staged.items), owner: owner, run: task.run
            )
            try keep(task, engine, &result, &made)
        }
        return result
    }

    private func keep(
        _ task: EngineTask, _ engine: any BackupEngine, _ result: inout Try, _ made: inout [String]
    ) throws(BackupError) {
        let snapshot = try engine.make(task)
        made.append(snapshot)
        result.snapshots.append(snapshot)
        var reconciliation = Reconciliation(task.items, in: engine)
        // More than was planned may have come meanwhile, but not many times as much.
        try engine.list(snapshot, atMost: 10 * task.items.numbers.count + EngineOutput.mostLines) {
            reconciliation.meet($0)
        }
        let found = reconciliation.end()
        result.incidents += found.incidents
        result.files += found.files
        result.bytes.addClamped(found.bytes)
        if !engine.preservesBinaryTargets { result.incidents += targetsNotText(task.items) }
    }

    /// Links that come back with another target from a tool that keeps it as text.
    private func targetsNotText(_ items: any EngineItems) -> [Snapshot.Incident] {
        var incidents: [Snapshot.Incident] = []
        items.each { item in
            guard item.status.kind == .symbolicLink,
                let target = try? container.folder.linkTarget(FilePath(bytes: item.path)),
                String(validating: target, as: UTF8.self) == nil
            else { return }
            incidents.append(Snapshot.Incident(path: item.path, reason: "target-not-text"))
        }
        return incidents
    }

    private func outcome(_ done: Try, _ engine: any BackupEngine, superseded: [String]) -> Outcome {
        var seen: Set<[UInt8]> = []
        let planned = done.planned.map { Snapshot.Incident(path: $0.path, reason: $0.reason) }
        let incidents = (planned + done.incidents).filter { seen.insert($0.path).inserted }
        return Outcome(
            kind: kind, version: engine.version, snapshot: done.snapshots[0],
            stores: done.snapshots.count > 1 ? done.snapshots[1] : nil, files: done.files, bytes: done.bytes,
            incidents: incidents.sorted { PathOrder.precedes($0.path, $1.path) }, remarks: done.specialNodes,
            leftovers: leftovers(of: superseded, in: engine, within: .seconds(120)))
    }

    private func plan() throws(BackupError) -> Plan {
        let plan: Plan
        do throws(ContainerError) { plan = try Plan(of: container, rules: rules) } catch { throw BackupError(error) }
        try plan.requireIncludedContainer()
        return plan
    }

    /// Where the container is. Tools are told paths as text.
    private func root() throws(BackupError) -> FilePath {
        do {
            let root = try container.folder.absolutePath()
            guard FilePath(root.string) == root else {
                throw BackupError(.failed, "the way to the container is not UTF-8", hint: "rename what is not on it")
            }
            return root
        } catch { throw BackupError(error) }
    }

    /// Whose container it is, of characters that no tool takes for anything else.
    private var owner: String {
        let isPlain = { (byte: UInt8) in
            UnicodeScalar(byte).properties.isAlphabetic || (48...57).contains(byte) || byte == 45 || byte == 46
        }
        let name = container.bundleIdentifier ?? ""
        let isUsable = !name.isEmpty && name.utf8.count <= 200 && name.utf8.allSatisfy { $0 < 0x80 && isPlain($0) }
        return isUsable && !name.hasPrefix("-") && !name.hasPrefix(".") ? name : "container"
    }
}

extension EngineBackup {
    /// Takes away what was made before something went wrong, which no one has found good. Gives the error, with the names
    /// of what stays.
    func withdraw(_ made: [String], from engine: any BackupEngine, after error: BackupError) -> BackupError {
        let left = leftovers(of: made, in: engine, within: .seconds(20))
        guard !left.isEmpty else { return error }
        let what = "still in the repository, of a run that did not end well: \(left.joined(separator: ", "))"
        let hint = "take it away with `\(kind.rawValue) \(kind == .restic ? "forget" : "delete")`"
        RunCancellation.remark = "\(what); \(hint)"
        return BackupError(
            error.code, "\(error.what); \(what)", hint: error.hint.isEmpty ? hint : "\(error.hint), and \(hint)")
    }

    /// Takes snapshots away, all of them in so much time, and gives those that stay.
    func leftovers(of snapshots: [String], in engine: any BackupEngine, within limit: Duration) -> [String] {
        let end = ContinuousClock.now + limit
        return snapshots.filter { snapshot in
            let rest = max(.seconds(1), end - .now)
            do throws(BackupError) { try engine.remove(snapshot, within: rest) } catch { return true }
            return false
        }
    }
}
