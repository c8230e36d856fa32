internal import AppContainer
internal import FileSystem
internal import Foundation
internal import StoragePolicy
internal import SystemPackage

/// A change to a container, with the data to revert it. Paths are relative to the container.
enum FixStep: Codable, Sendable, Hashable {
    /// Sets an extended attribute, or removes it if `new` is nil. `old` is the previous value.
    case attribute(path: Data, name: String, old: Data?, new: Data?)
    /// Moves the item with its content to the undo folder, under a number.
    case putAside(path: Data, number: Int)
    /// Creates a missing directory.
    case createDirectory(path: Data)
    /// Moves the item in the container.
    case move(path: Data, to: Data)

    /// The paths of created, removed and changed items.
    var paths: [[UInt8]] {
        switch self {
        case .attribute(let path, _, _, _), .putAside(let path, _), .createDirectory(let path): [Array(path)]
        case .move(let path, let to): [Array(path), Array(to)]
        }
    }

    /// True if entries are added or removed, which changes the times of their directories.
    var changesNames: Bool {
        if case .attribute = self { return false }
        return true
    }

    /// Applies the step with one system call, so that it is atomic if the process is interrupted.
    func apply(to container: Folder, aside: Folder) throws(FileSystemError) {
        switch self {
        case .attribute(let path, let name, let old, let new):
            let item = try container.open(FilePath(bytes: path).orSelf, followingLinks: false)
            guard try item.attribute(name).map({ Data($0) }) == old else {
                throw FileSystemError(
                    "change an extended attribute that another process changed, of", path: item.path,
                    errno: .resourceBusy)
            }
            try Self.set(name, value: new, on: item)
        case .putAside(let path, let number):
            try container.rename(FilePath(bytes: path), to: FilePath("\(number)"), in: aside)
        case .createDirectory(let path): try container.createDirectory(FilePath(bytes: path))
        case .move(let path, let to):
            try container.rename(FilePath(bytes: path), to: FilePath(bytes: to), in: container)
        }
    }

    /// Reverts the step if it was applied, according to the state on disk. May be called repeatedly.
    ///
    /// - Returns: The reason why it cannot be reverted without a loss, with nothing changed; nil on success.
    func revert(in container: Folder, aside: Folder) throws(FileSystemError) -> String? {
        switch self {
        case .attribute(let path, let name, let old, let new):
            return try Self.revert(name, old: old, new, at: FilePath(bytes: path).orSelf, in: container)
        case .putAside(let path, let number):
            let kept = FilePath("\(number)")
            guard try aside.statusIfPresent(kept) != nil else { return nil }
            return try Self.giveBack(kept, of: aside, as: FilePath(bytes: path), in: container)
        case .createDirectory(let path):
            do throws(FileSystemError) { try container.removeEmptyDirectory(FilePath(bytes: path)) } catch {
                switch error.errno {
                case .noSuchFileOrDirectory: return nil
                case .directoryNotEmpty: return "the directory contains new items and is kept"
                default: throw error
                }
            }
            return nil
        case .move(let path, let to):
            let (path, to) = (FilePath(bytes: path), FilePath(bytes: to))
            guard try Self.isThere(to, in: container) else { return nil }
            return try Self.giveBack(to, of: container, as: path, in: container)
        }
    }

    private static func revert(
        _ name: String, old: Data?, _ new: Data?, at path: FilePath, in container: Folder
    ) throws(FileSystemError) -> String? {
        let item: OpenFile
        do throws(FileSystemError) { item = try container.open(path, followingLinks: false) } catch {
            guard [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(error.errno) else {
                throw error
            }
            return "it no longer exists"
        }
        let now = try item.attribute(name).map { Data($0) }
        if now == old { return nil }
        guard now == new else { return "its attribute \(name) has changed since" }
        try set(name, value: old, on: item)
        return nil
    }

    private static func giveBack(
        _ name: FilePath, of folder: Folder, as path: FilePath, in container: Folder
    ) throws(FileSystemError) -> String? {
        do throws(FileSystemError) { try folder.rename(name, to: path, in: container) } catch {
            switch error.errno {
            case .fileExists: return "a new item has its name"
            case .noSuchFileOrDirectory, .notDirectory: return "its directory no longer exists"
            default: throw error
            }
        }
        return nil
    }

    private static func isThere(_ path: FilePath, in folder: Folder) throws(FileSystemError) -> Bool {
        do throws(FileSystemError) { return try folder.statusIfPresent(path) != nil } catch {
            if error.errno == .notDirectory { return false }
            throw error
        }
    }

    private static func set(_ name: String, value: Data?, on item: OpenFile) throws(FileSystemError) {
        if let value { try item.setAttribute(name, value: Array(value)) } else { try item.removeAttribute(name) }
    }
}

extension FilePath {
    /// The path to open. The container itself is `.`.
    var orSelf: FilePath { isEmpty ? "." : self }
}
