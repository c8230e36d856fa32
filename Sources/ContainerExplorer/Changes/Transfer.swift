package import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Foundation
internal import SystemPackage
internal import TextOutput

/// Copies and moves of items: within a container, into it, and out of it. Attributes, modes and times are kept.
package struct Transfer {
    /// The direction of a transfer.
    package enum Direction: Sendable { case copy, move, put, get }

    /// One item and its new path.
    private struct Step {
        let source: Source
        let target: FilePath
        /// The item that is replaced.
        let isReplacement: Bool
        let change: ChangeReport.Change
    }

    private typealias Source = ItemChange.Source

    private let direction: Direction
    private let container: Container
    private let targetFolder: Folder
    /// The directory of the target outside the container, for messages.
    private let outside: FilePath
    private var steps: [Step] = []
    /// True if the user has confirmed that a replacement cannot be reverted.
    package var mayLoseContent = false

    /// The reason why a replacement cannot be reverted; nil if it can be, and if nothing is replaced.
    package func undoObstacle(in editor: ContainerEditor) -> String? {
        guard direction != .get, replacements > 0 else { return nil }
        return editor.undoObstacle(to: steps.filter(\.isReplacement).map(\.target.bytes))
    }

    /// Plans a transfer.
    ///
    /// - Parameters:
    ///   - direction: The direction.
    ///   - sources: Paths and patterns in the container; for `put`, paths outside of it.
    ///   - target: A path in the container; for `get`, one outside of it. An existing directory is the parent of the new
    ///     items.
    ///   - container: The container.
    ///   - allowsUserData: True to move items that may be user data out of backups.
    /// - Throws: `usage`, `notFound`, `refused`, and the errors of the file system. Nothing has changed.
    package init(
        _ direction: Direction, sources: [String], to target: String, in container: Container,
        allowsUserData: Bool = false
    ) throws {
        self.direction = direction
        self.container = container
        let index = direction == .put ? nil : try ContainerIndex(of: DirectoryTree(container))
        let path: FilePath
        let isDirectory: Bool
        if direction == .get {
            (targetFolder, path, isDirectory) = try Self.outsideTarget(target)
            outside = isDirectory ? FilePath(target) : FilePath(target).removingLastComponent()
        } else {
            path = try container.relative(PathArgument(target).containerPath(in: container))
            isDirectory = try container.folder.statusIfPresent(path)?.kind == .directory
            targetFolder = container.folder
            outside = ""
        }
        var items: [(Source, name: FilePath, items: Int, bytes: UInt64)] = []
        if let index {
            let numbers = try index.select(sources)
            for number in numbers {
                guard number != ContainerIndex.root else {
                    throw ExplorerError(
                        .usage, description: "the container itself cannot be transferred. Name items in it.")
                }
                items.append(
                    (
                        .item(FilePath(bytes: index.path(of: number))), FilePath(bytes: index.name(of: number)),
                        index[number].items + 1, index[number].total.logical
                    ))
            }
            if direction == .move, !allowsUserData,
                try !container.backupDecision(of: ContainerPath(components: path), mayBeMissing: true).isStored
            {
                try ItemChanges(container).requireProof(
                    for: numbers, to: "moving", hint: "Use --unsafe to move it nevertheless")
            }
        } else {
            items = try sources.map { try Self.outsideSource($0) }
        }
        guard isDirectory || items.count == 1 else {
            throw ExplorerError(
                .usage,
                description:
                    "“\(ByteText.escaped(Array(target.utf8)))” is not a directory, and \(items.count) items cannot have one "
                    + "name. Nothing on disk has changed. Name a directory.")
        }
        for item in items { try add(item, to: isDirectory ? path.appending(item.name.components) : path) }
        guard Set(steps.map(\.target.bytes)).count == steps.count else {
            throw ExplorerError(
                .usage,
                description:
                    "several items would have the same new path. Nothing on disk has changed. Name fewer items.")
        }
    }

    private mutating func add(
        _ item: (source: Source, name: FilePath, items: Int, bytes: UInt64), to target: FilePath
    ) throws {
        let existing = try targetFolder.statusIfPresent(target)
        let shownTarget =
            direction == .get
            ? ByteText.escaped(outside.appending(target.components).bytes) : ByteText.escaped(target.bytes)
        let shownSource: String
        switch item.source {
        case .item(let path): shownSource = ByteText.escaped(path.bytes)
        case .outside(let folder, let name):
            shownSource = ByteText.escaped((folder.path == "." ? name : folder.path.appending(name.components)).bytes)
        }
        if let existing {
            guard existing.kind == .file else {
                throw ExplorerError(
                    .refused,
                    description:
                        "“\(shownTarget)” exists and is a \(ItemText.word(for: existing.kind)), which is never replaced. "
                        + "Nothing on disk has changed. Choose another name, or remove it.")
            }
            // A file that replaces itself.
            if case .item(let path) = item.source, direction != .get, path == target {
                throw ExplorerError(
                    .usage,
                    description: "“\(shownTarget)” is both the source and the target. Nothing on disk has changed.")
            }
        }
        let action: ChangeReport.Action = existing != nil ? .replace : direction == .move ? .move : .copy
        let change =
            existing == nil
            ? ChangeReport.Change(action, path: shownSource, to: shownTarget, items: item.items, bytes: item.bytes)
            : ChangeReport.Change(
                action, path: shownTarget, items: 1, bytes: item.bytes, note: "with “\(shownSource)”")
        steps.append(Step(source: item.source, target: target, isReplacement: existing != nil, change: change))
    }

    /// The plan.
    package var plan: ChangeReport {
        var report = ChangeReport(isPlan: true)
        for step in steps { report.make(step.change) { nil } }
        return report
    }

    /// The number of existing files that are replaced.
    package var replacements: Int { steps.count(where: \.isReplacement) }

    /// Transfers the items. A failed change does not prevent the others.
    ///
    /// - Parameter editor: The editor of the container. Not used for `get`, which changes nothing in it.
    /// - Returns: The changes.
    /// - Throws: The errors of `ContainerEditor`; for `get` none.
    package func perform(by editor: ContainerEditor) throws -> ChangeReport {
        guard direction != .get else { return get() }
        let changes = steps.map { step in
            let work: ItemChange.Work
            switch (direction, step.source) {
            case (.move, .item(let path)): work = .move(path, to: step.target, replaces: step.isReplacement)
            case (_, let source): work = .copy(source, to: step.target, replaces: step.isReplacement)
            }
            return ItemChange(change: step.change, work: work)
        }
        var target = steps.first?.target
        if steps.count > 1 { target = target?.split?.parent } else if direction == .put { target = nil }
        // A replacement has been confirmed, with or without an undo.
        return try editor.perform(
            changes, as: direction == .move ? .move : .copy, to: target, losesContent: mayLoseContent)
    }

    /// Copies items out of the container.
    private func get() -> ChangeReport {
        var report = ChangeReport(isPlan: false)
        for step in steps {
            report.make(step.change) {
                guard case .item(let path) = step.source else { return nil }
                do throws(AtomicWriteError) {
                    if step.isReplacement {
                        try container.folder.copyFile(path, over: step.target, in: targetFolder, by: AtomicWrite())
                    } else {
                        try container.folder.copy(path, to: step.target, in: targetFolder)
                    }
                } catch { throw ContainerError(error) }
                return nil
            }
        }
        return report
    }

    private static func outsideTarget(_ text: String) throws -> (Folder, FilePath, isDirectory: Bool) {
        let path = FilePath(text)
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(
            atPath: Invocation.current.workingDirectory.resolved(text), isDirectory: &isDirectory),
            isDirectory.boolValue
        {
            return (try Folder(opening: path), "", true)
        }
        guard !text.hasSuffix("/"), let name = path.lastComponent, name.kind == .regular else {
            throw ExplorerError(
                .usage,
                description: "the directory “\(ByteText.escaped(Array(text.utf8)))” does not exist. Create it first.")
        }
        let parent = path.removingLastComponent()
        return (try Folder(opening: parent.isEmpty ? "." : parent), FilePath(root: nil, [name]), false)
    }

    private static func outsideSource(
        _ text: String
    ) throws -> (Source, name: FilePath, items: Int, bytes: UInt64) {
        let path = FilePath(text)
        guard let name = path.lastComponent, name.kind == .regular else {
            throw ExplorerError(
                .usage,
                description:
                    "“\(ByteText.escaped(Array(text.utf8)))” has no name to copy. Use a path that ends in a name.")
        }
        let parent = path.removingLastComponent()
        let folder = try Folder(opening: parent.isEmpty ? "." : parent)
        let file = FilePath(root: nil, [name])
        let status = try folder.status(file)
        guard status.kind == .directory else {
            return (.outside(folder, file), file, 1, status.isFile ? status.size : 0)
        }
        var (items, bytes) = (1, UInt64(0))
        try folder.openFolder(file).visit("") { entry throws(FileSystemError) in
            items += 1
            if entry.status.isFile { bytes = bytes.addingReportingOverflow(entry.status.size).partialValue }
            return entry.status.kind == .directory
        }
        return (.outside(folder, file), file, items, bytes)
    }
}
