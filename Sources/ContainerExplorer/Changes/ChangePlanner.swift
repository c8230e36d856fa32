internal import AppContainer
internal import ChangeHistory
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// The steps of changes, and the copies that they need in the undo folder.
///
/// Every copy is complete before the change begins, so that nothing half-copied is ever in the container.
struct ChangePlanner {
    private let container: Container
    /// The directory of an entry for copies and removed items.
    private let aside: Folder
    /// The directories that earlier steps create.
    private var created: Set<[UInt8]> = []
    /// The attributes that earlier steps change.
    private var attributes: Set<[UInt8]> = []

    init(_ container: Container, aside: Folder) { (self.container, self.aside) = (container, aside) }

    private var folder: Folder { container.folder }

    /// Makes the copy of an item, if the change needs one. Removes a part of a copy after a failure.
    func stage(_ item: ItemChange, as number: Int, observe: @escaping CopyObserver) throws(ContainerError) {
        guard case .copy(let source, let target, let replaces) = item.work else { return }
        try ItemChange.requireFreeNames(target, in: container)
        let name = FilePath("\(number)")
        do throws(FileSystemError) {
            if !replaces { try requireAbsence(of: target) }
            switch source {
            case .item(let path):
                guard !target.bytes.starts(with: path.bytes + [UInt8(ascii: "/")]) else {
                    throw FileSystemError("copy into itself", path: target, errno: .invalidArgument)
                }
                try folder.copy(path, privatelyAs: name, in: aside, observe: observe)
            case .outside(let other, let path): try other.copy(path, privatelyAs: name, in: aside, observe: observe)
            }
        } catch {
            removeStaged(number)
            // The user knows the new path, not the number of the copy.
            let names = error.path.names
            guard names.first == name else { throw ContainerError(error) }
            let path = FilePath(
                bytes: ([target] + names.dropFirst()).map(\.bytes).joined(separator: [UInt8(ascii: "/")]))
            throw ContainerError(FileSystemError(error.operation, path: path, errno: error.errno))
        }
    }

    private func removeStaged(_ number: Int) {
        let name = FilePath("\(number)")
        if (try? aside.removeFile(name)) == nil { _ = try? aside.removeTree(name) }
    }

    private func requireAbsence(of target: FilePath) throws(FileSystemError) {
        do throws(FileSystemError) {
            guard try folder.statusIfPresent(target) == nil else {
                throw FileSystemError("copy to", path: target, errno: .fileExists)
            }
        } catch { throw error }
    }

    /// Returns the steps of a change for the current state of the container, which must be locked.
    mutating func steps(of item: ItemChange, number: Int) throws -> [ChangeStep] {
        do {
            switch item.work {
            case .delete(let path):
                try container.refuseMetadata(path)
                _ = try folder.status(path)
                return [.putAside(path: Data(path.bytes), number: number)]
            case .createDirectory(let path):
                try container.refuseTemporaryName(in: path)
                return try directories(path)
            case .exclude(let path, let recursively):
                try container.refuseSystemDirectory(path)
                return try attributeSteps(path, recursively: recursively) { file throws(FileSystemError) in
                    [
                        (
                            ExclusionMark.modern.rawValue, try file.attribute(ExclusionMark.modern.rawValue),
                            ExclusionMark.value
                        )
                    ]
                }
            case .include(let path, let recursively):
                return try attributeSteps(path, recursively: recursively) { file throws(FileSystemError) in
                    let names = try file.attributes().filter { ExclusionMark(attribute: $0)?.isApple == true }
                    var changes: [(String, [UInt8]?, [UInt8]?)] = []
                    for name in names { changes.append((name, try file.attribute(name), nil)) }
                    return changes
                }
            case .copy(_, let target, let replaces): return try placing(number, at: target, replaces: replaces)
            case .move(let path, let target, let replaces):
                return try moving(path, to: target, number: number, replaces: replaces)
            case .rewrite(let path, let body): return try rewriting(path, number: number, by: body)
            }
        } catch let error as FileSystemError { throw ContainerError(error) }
    }

    // MARK: - Steps

    private mutating func directories(_ path: FilePath) throws(FileSystemError) -> [ChangeStep] {
        // A directory, or a link to one in the container.
        if (try? folder.openFolder(path)) != nil { return [] }
        var missing: [[UInt8]] = []
        var rest = path
        while !rest.isEmpty, !created.contains(rest.bytes) {
            var status: FileStatus?
            do throws(FileSystemError) { status = try folder.statusIfPresent(rest) } catch {
                // The error is that of a file, which the step finds, or of a missing directory above.
                guard error.errno == .notDirectory else { throw error }
            }
            if let status {
                guard status.kind == .directory || status.kind == .symbolicLink else {
                    throw FileSystemError("make the directory", path: rest, errno: .notDirectory)
                }
                if rest != path || status.kind == .directory { break }
            }
            missing.append(rest.bytes)
            rest = rest.split?.parent ?? FilePath()
        }
        created.formUnion(missing)
        return missing.reversed().map { .createDirectory(path: Data($0)) }
    }

    private mutating func parents(of path: FilePath) throws(FileSystemError) -> [ChangeStep] {
        guard let parent = path.split?.parent, !parent.isEmpty else { return [] }
        // A link to a directory, which is followed if it stays in the container.
        if (try? folder.openFolder(parent)) != nil { return [] }
        return try directories(parent)
    }

    private mutating func attributeSteps(
        _ path: FilePath, recursively: Bool,
        _ changes: (OpenFile) throws(FileSystemError) -> [(name: String, old: [UInt8]?, new: [UInt8]?)]
    ) throws(FileSystemError) -> [ChangeStep] {
        var steps: [ChangeStep] = []
        var planned = attributes
        func add(_ path: FilePath, _ file: OpenFile) throws(FileSystemError) {
            for (name, old, new) in try changes(file) where old != new {
                guard planned.insert(path.bytes + [0] + name.utf8).inserted else { continue }
                steps.append(
                    .attribute(
                        path: Data(path.bytes), name: name, old: old.map { Data($0) }, new: new.map { Data($0) }))
            }
        }
        let item = try folder.open(path.orSelf, followingLinks: false)
        let kind = try item.status().kind
        guard kind == .file || kind == .directory else {
            throw FileSystemError("exclude the special file", path: path, errno: .invalidArgument)
        }
        try add(path, item)
        if recursively, kind == .directory {
            try folder.visit(path) { entry throws(FileSystemError) in
                guard entry.status.kind == .file || entry.status.kind == .directory else { return false }
                try add(entry.path, try entry.open())
                return true
            }
        }
        attributes = planned
        return steps
    }

    /// Returns the steps that put a complete copy in place.
    private mutating func placing(
        _ number: Int, at target: FilePath, replaces: Bool
    ) throws(FileSystemError) -> [ChangeStep] {
        let name = FilePath("\(number)")
        guard replaces, let old = try folder.statusIfPresent(target) else {
            try requireAbsence(of: target)
            return try parents(of: target) + [
                .putInPlace(number: number, path: Data(target.bytes), item: ItemStamp(of: name, in: aside))
            ]
        }
        try requireReplaceable(old, by: try aside.status(name), at: target)
        if ItemChange.isExcluded(target, in: folder) {
            try aside.open(name, followingLinks: false)
                .setAttribute(ExclusionMark.modern.rawValue, value: ExclusionMark.value)
        }
        return [.exchange(number: number, path: Data(target.bytes), item: try ItemStamp(of: name, in: aside))]
    }

    private mutating func moving(
        _ path: FilePath, to target: FilePath, number: Int, replaces: Bool
    ) throws -> [ChangeStep] {
        try container.refuseMetadata(path)
        try ItemChange.requireFreeNames(target, in: container)
        let status = try folder.status(path)
        let item = ItemStamp(status)
        guard replaces, let old = try folder.statusIfPresent(target) else {
            return try parents(of: target) + [.move(path: Data(path.bytes), to: Data(target.bytes), item: item)]
        }
        try requireReplaceable(old, by: status, at: target)
        var steps: [ChangeStep] = []
        if ItemChange.isExcluded(target, in: folder) {
            steps = try attributeSteps(path, recursively: false) { file throws(FileSystemError) in
                [
                    (
                        ExclusionMark.modern.rawValue, try file.attribute(ExclusionMark.modern.rawValue),
                        ExclusionMark.value
                    )
                ]
            }
        }
        return steps + [
            .putAside(path: Data(path.bytes), number: number, item: item),
            .exchange(number: number, path: Data(target.bytes), item: item),
        ]
    }

    private func requireReplaceable(
        _ old: FileStatus, by new: FileStatus, at target: FilePath
    ) throws(FileSystemError) {
        guard old.kind == .file else { throw FileSystemError("replace", path: target, errno: .fileExists) }
        guard new.kind == .file else {
            throw FileSystemError("replace a file by an item of another kind,", path: target, errno: .invalidArgument)
        }
        guard old.identity != new.identity else {
            throw FileSystemError("replace by itself", path: target, errno: .invalidArgument)
        }
    }

    /// Rewrites a copy of a file in a container of its own in the undo folder.
    private mutating func rewriting(
        _ path: FilePath, number: Int, by body: (Container) throws -> Void
    ) throws -> [ChangeStep] {
        guard let (directory, name) = path.split else { return [] }
        let old = try folder.statusIfPresent(path)
        if let old, old.kind != .file {
            // Fails, and says why.
            try body(container)
            return []
        }
        let stage = FilePath("\(number)-stage")
        defer { _ = try? aside.removeTree(stage) }
        try aside.createDirectory(stage, permissions: 0o700)
        let root = try aside.openFolder(noFollow: stage)
        try root.createDirectories(directory, permissions: 0o700)
        let inner = try root.openFolder(directory)
        if old != nil { try folder.copy(path, privatelyAs: name, in: inner) { _, _ in } }
        let before = try inner.statusIfPresent(name)?.identity
        let staged = try Container.open(
            known: try root.absolutePath(), bundleIdentifier: container.bundleIdentifier, kind: container.kind)
        try body(staged)
        // The body replaces the file, unless nothing has changed.
        guard let after = try inner.statusIfPresent(name)?.identity, before.map({ $0 != after }) ?? true else {
            return []
        }
        try inner.rename(name, to: FilePath("\(number)"), in: aside)
        try aside.sync()
        return try placing(number, at: path, replaces: old != nil)
    }
}
