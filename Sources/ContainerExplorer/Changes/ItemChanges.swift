package import AppContainer
internal import ContainerTree
internal import FileSystem
internal import StoragePolicy
internal import SystemPackage
internal import TextOutput

/// Changes to items of a container, first as a plan and then on disk.
package struct ItemChanges {
    private let editor: ContainerEditor
    private let index: ContainerIndex
    private var container: Container { editor.container }

    /// Reads the items of a container.
    ///
    /// - Throws: The error of a container that cannot be read.
    package init(_ container: Container) throws(ContainerError) { try self.init(ContainerEditor(container)) }

    /// Reads the items of the container of an editor.
    package init(_ editor: ContainerEditor) throws(ContainerError) {
        self.editor = editor
        index = try ContainerIndex(of: DirectoryTree(editor.container))
    }

    private func path(of number: Int) -> ContainerPath {
        ContainerPath(components: FilePath(bytes: index.path(of: number)))
    }

    private func change(_ action: ChangeReport.Action, number: Int) -> ChangeReport.Change {
        ChangeReport.Change(
            action, path: number == ContainerIndex.root ? "." : ByteText.escaped(index.path(of: number)),
            items: index[number].items + 1, bytes: index[number].total.logical)
    }

    /// Returns the selected items without those below another selected one.
    private func topmost(_ numbers: [Int]) -> [Int] {
        var tops: [Int] = []
        for number in numbers.sorted() where tops.last.map({ !index.subtree(of: $0).contains(number) }) ?? true {
            tops.append(number)
        }
        return tops
    }

    private func item(_ number: Int) -> FilePath { FilePath(bytes: index.path(of: number)) }

    /// Deletes items with everything below them.
    ///
    /// - Parameters:
    ///   - arguments: Paths and patterns.
    ///   - forGood: True to delete without an undo.
    ///   - isPlan: True to change nothing.
    ///   - confirm: Receives the plan, and the reason why the deletion cannot be reverted; nil if it can be. Throws if the
    ///     plan is not confirmed.
    /// - Returns: The changes.
    /// - Throws: `usage`, `notFound`, `refused` for the container itself and for directories of the system; the error
    ///   of `confirm`. Then nothing has changed.
    package func delete(
        _ arguments: [String], forGood: Bool = false, isPlan: Bool,
        confirm: (ChangeReport, _ noUndo: String?) throws -> Void
    ) throws -> ChangeReport {
        try delete(topmost(try index.select(arguments)), forGood: forGood, isPlan: isPlan, confirm: confirm)
    }

    func delete(
        _ numbers: [Int], forGood: Bool, isPlan: Bool, confirm: (ChangeReport, _ noUndo: String?) throws -> Void
    ) throws -> ChangeReport {
        for number in numbers {
            let components = path(of: number).components
            guard let location = Location.exactly(components, bundleIdentifier: container.bundleIdentifier),
                Location.systemDefined.contains(location)
            else { continue }
            throw ExplorerError(
                .refused,
                description:
                    "“\(location)” is a directory of every container. Nothing was deleted. Delete its content: "
                    + (location == .root ? "name the items." : "'\(location)/*'."))
        }
        var plan = ChangeReport(isPlan: true)
        for number in numbers { plan.make(change(.delete, number: number)) { nil } }
        if isPlan { return plan }
        let changes = numbers.map { ItemChange(change: change(.delete, number: $0), work: .delete(item($0))) }
        if forGood {
            try confirm(plan, ChangeReport.asRequested)
            return try container.withLock { editor.performDirectly(changes, because: ChangeReport.asRequested) }
        }
        let obstacle = editor.undoObstacle(to: numbers.map { index.path(of: $0) })
        try confirm(plan, obstacle)
        return try editor.perform(changes, as: .delete, losesContent: obstacle != nil)
    }

    /// Excludes items from backup.
    ///
    /// - Parameters:
    ///   - arguments: Paths and patterns.
    ///   - recursively: True to mark each file and directory below an item too.
    ///   - allowsUserData: True to exclude items that may be user data.
    ///   - isPlan: True to change nothing.
    /// - Returns: The changes.
    /// - Throws: `usage`, `notFound`; `refused` if a file that is backed up now is not recorded as re-downloadable or
    ///   regenerable. Then nothing has changed.
    package func exclude(
        _ arguments: [String], recursively: Bool, allowsUserData: Bool, isPlan: Bool
    ) throws -> ChangeReport {
        let numbers = topmost(try index.select(arguments))
        if !allowsUserData {
            try requireProof(
                for: numbers, to: "excluding", hint: "Use --unsafe to exclude it nevertheless")
        }
        if isPlan {
            var plan = ChangeReport(isPlan: true)
            for number in numbers { plan.make(change(.exclude, number: number)) { nil } }
            return plan
        }
        return try editor.perform(
            numbers.map {
                ItemChange(change: change(.exclude, number: $0), work: .exclude(item($0), recursively: recursively))
            }, as: .exclude)
    }

    /// Gives items other names, each in its directory: `ContainerEditor.rename(_:by:isPlan:)` for paths and patterns.
    package func rename(_ arguments: [String], by pattern: RenamePattern, isPlan: Bool) throws -> ChangeReport {
        try editor.rename(index.select(arguments).map { index.path(of: $0) }, by: pattern, isPlan: isPlan)
    }

    /// The check of `requireProof(for:to:hint:)` for paths. Paths without an item are ignored.
    func requireProof(forItemsAt paths: [[UInt8]], to action: String, hint: String) throws {
        try requireProof(for: paths.compactMap { index.number(at: $0) }, to: action, hint: hint)
    }

    /// Throws unless every file that would leave the backup is proven to be re-downloadable or regenerable.
    ///
    /// - Parameters:
    ///   - numbers: The items.
    ///   - action: The action, as a present participle.
    ///   - hint: The way to do it nevertheless.
    /// - Throws: `refused`.
    func requireProof(for numbers: [Int], to action: String, hint: String) throws {
        var unproven = numbers.map { index.subtree(of: $0) }.joined().filter { index.mayBeUserData($0) }
        guard !unproven.isEmpty else { return }
        let classes = try Linter(configuredFor: container.location.string)
            .classes(of: Set(unproven.map { index.path(of: $0) }), in: container)
        unproven.removeAll { classes[index.path(of: $0)]?.mayLeaveBackups ?? false }
        guard let example = unproven.first else { return }
        let others = unproven.count > 1 ? " and \(Quantity.count(unproven.count - 1, "other file"))" : ""
        throw ExplorerError(
            .refused,
            description:
                "\(action) “\(ByteText.escaped(index.path(of: example)))”\(others) could remove user data from backups: nothing "
                + "proves that \(unproven.count > 1 ? "they" : "it") can be downloaded or derived again. "
                + "Nothing on disk has changed. \(hint).")
    }

    /// Includes items in backups again: removes their own exclusion marks.
    ///
    /// - Parameters:
    ///   - arguments: Paths and patterns.
    ///   - recursively: True to remove the marks below an item too.
    ///   - isPlan: True to change nothing.
    /// - Returns: The changes. A note states what still excludes an item.
    /// - Throws: `usage`, `notFound`. Then nothing has changed.
    package func include(_ arguments: [String], recursively: Bool, isPlan: Bool) throws -> ChangeReport {
        let numbers = try index.select(arguments)
        if isPlan {
            var plan = ChangeReport(isPlan: true)
            for number in numbers {
                var change = change(.include, number: number)
                if index.ownMark(of: number) == nil { change.note = "it has no exclusion of its own" }
                plan.make(change) { nil }
            }
            return plan
        }
        return try editor.perform(
            numbers.map { number in
                ItemChange(
                    change: change(.include, number: number), work: .include(item(number), recursively: recursively),
                    remark: { try remark(onIncluded: number) })
            }, as: .include)
    }

    /// Returns what still excludes an item.
    private func remark(onIncluded number: Int) throws -> String? {
        let exclusion = try container.exclusion(of: path(of: number))
        if exclusion.state == .excluded, let carrier = exclusion.carrier {
            return "still excluded by “\(carrier.isEmpty ? "the container" : carrier)”"
        }
        let backup = index.decision(for: number)
        guard case .location(let location) = backup.decider.origin, !backup.isStored else { return nil }
        return "“\(location)” is not backed up"
    }

    /// Creates directories with their parents.
    ///
    /// - Parameters:
    ///   - arguments: The paths. `{bundle-id}` stands for the app's identifier.
    ///   - container: The container.
    ///   - isPlan: True to change nothing.
    /// - Returns: The changes.
    /// - Throws: `usage`.
    package static func makeDirectories(
        _ arguments: [String], in container: Container, isPlan: Bool
    ) throws -> ChangeReport {
        var plan = ChangeReport(isPlan: true)
        var changes: [ItemChange] = []
        for argument in try arguments.map({ try PathArgument($0) }) {
            let directory = argument.containerPath(in: container)
            let change = ChangeReport.Change(
                .create, path: argument.shown, note: try container.exists(directory) ? "exists" : nil)
            plan.make(change) { nil }
            changes.append(ItemChange(change: change, work: .createDirectory(try container.relative(directory))))
        }
        return isPlan ? plan : try ContainerEditor(container).perform(changes, as: .create)
    }
}

extension ContainerPath {
    /// The names of the path's components.
    var components: [String] { description.split(separator: "/").map(String.init) }
}
