internal import AppContainer
internal import ChangeHistory
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// A change of one item, as `ContainerEditor` makes it. Paths are relative to the container.
struct ItemChange {
    /// An item to copy.
    enum Source {
        case item(FilePath)
        /// An item of another directory.
        case outside(Folder, FilePath)
    }

    enum Work {
        case delete(FilePath)
        case createDirectory(FilePath)
        case exclude(FilePath, recursively: Bool)
        case include(FilePath, recursively: Bool)
        case copy(Source, to: FilePath, replaces: Bool)
        case move(FilePath, to: FilePath, replaces: Bool)
        /// Rewrites a file of a container with the same identifier.
        case rewrite(FilePath, by: (Container) throws -> Void)
    }

    let change: ChangeReport.Change
    let work: Work
    /// Returns a remark on the result.
    var remark: (() throws -> String?)?

    /// True if an item, or the content of a file, no longer exists after the change.
    var removesContent: Bool {
        switch work {
        case .delete: true
        case .copy(_, _, let replaces), .move(_, _, let replaces): replaces
        case .createDirectory, .exclude, .include, .rewrite: false
        }
    }

    /// The path of the item in the container.
    var path: FilePath {
        switch work {
        case .delete(let path), .createDirectory(let path), .exclude(let path, _), .include(let path, _),
            .rewrite(let path, _), .move(let path, _, _), .copy(.item(let path), _, _):
            path
        case .copy(.outside, let target, _): target
        }
    }

    /// The paths whose directories must be on the volume of the undo folder.
    var renamedPaths: [FilePath] {
        switch work {
        case .delete(let path), .rewrite(let path, _): [path]
        case .copy(_, let target, _): [target]
        case .move(let path, let target, _): [path, target]
        case .createDirectory, .exclude, .include: []
        }
    }

    /// Makes the change so that it cannot be reverted.
    func perform(in container: Container) throws {
        switch work {
        case .delete(let path): try container.remove(ContainerPath(components: path))
        case .createDirectory(let path): try container.createDirectory(ContainerPath(components: path))
        case .exclude(let path, let recursively):
            try container.excludeFromBackup(ContainerPath(components: path), recursively: recursively)
        case .include(let path, let recursively):
            try container.includeInBackup(ContainerPath(components: path), recursively: recursively)
        case .copy(.item(let path), let target, let replaces):
            try container.copy(
                ContainerPath(components: path), to: ContainerPath(components: target),
                overwrite: replaces ? .replace : .never)
        case .copy(.outside(let folder, let name), let target, let replaces):
            try Self.requireFreeNames(target, in: container)
            if let parent = target.split?.parent, !parent.isEmpty {
                try container.createDirectory(ContainerPath(components: parent))
            }
            try container.withPathLock(at: target) { () throws(ContainerError) in
                do throws(AtomicWriteError) {
                    guard replaces else { return try folder.copy(name, to: target, in: container.folder) }
                    var write = AtomicWrite()
                    if Self.isExcluded(target, in: container.folder) {
                        write.attributes = [AttributeChange(ExclusionMark.modern.rawValue, value: ExclusionMark.value)]
                    }
                    try folder.copyFile(name, over: target, in: container.folder, by: write)
                } catch { throw ContainerError(error) }
            }
        case .move(let path, let target, let replaces):
            try container.move(
                ContainerPath(components: path), to: ContainerPath(components: target),
                overwrite: replaces ? .replace : .never)
        case .rewrite(_, let body): try body(container)
        }
    }

    /// Refuses names of temporary files and of the system.
    static func requireFreeNames(_ path: FilePath, in container: Container) throws(ContainerError) {
        try container.refuseTemporaryName(in: path)
        try container.refuseMetadata(path)
    }

    /// Returns true if a file has an exclusion of its own, which its replacement keeps.
    static func isExcluded(_ path: FilePath, in folder: Folder) -> Bool {
        let names = try? folder.open(path, followingLinks: false).attributes()
        return names?.contains { ExclusionMark(attribute: $0)?.isApple == true } ?? false
    }
}
