package import FileSystem
package import Foundation
package import SystemPackage

/// A change to a container, with the data to revert it. Paths are relative to the container, numbers are names in the folder
/// for removed items.
package enum ChangeStep: Codable, Sendable, Hashable {
    /// Sets an extended attribute, or removes it if `new` is nil. `old` is the previous value.
    case attribute(path: Data, name: String, old: Data?, new: Data?)
    /// Moves the item with its content to the undo folder, under a number. With `item`, only that item is given back.
    case putAside(path: Data, number: Int, item: ItemStamp? = nil)
    /// Creates a missing directory.
    case createDirectory(path: Data)
    /// Moves the item in the container. With `item`, only that item is moved back.
    case move(path: Data, to: Data, item: ItemStamp? = nil)
    /// Moves a complete copy from the undo folder to a free path.
    case putInPlace(number: Int, path: Data, item: ItemStamp)
    /// Exchanges a complete new file in the undo folder with the file at the path.
    case exchange(number: Int, path: Data, item: ItemStamp)

    /// The paths of created, removed and changed items.
    package var paths: [[UInt8]] {
        switch self {
        case .attribute(let path, _, _, _), .putAside(let path, _, _), .createDirectory(let path),
            .putInPlace(_, let path, _), .exchange(_, let path, _):
            [Array(path)]
        case .move(let path, let to, _): [Array(path), Array(to)]
        }
    }

    /// True if entries are added or removed, which changes the times of their directories.
    package var changesNames: Bool {
        if case .attribute = self { return false }
        return true
    }

    /// Applies the step with one system call, so that it is atomic if the process is interrupted. Only an exchange takes
    /// three on a file system without that call.
    package func apply(to container: Folder, aside: Folder) throws(FileSystemError) {
        switch self {
        case .attribute(let path, let name, let old, let new):
            let item = try container.open(FilePath(bytes: path).orSelf, followingLinks: false)
            guard try item.attribute(name).map({ Data($0) }) == old else {
                throw FileSystemError(
                    "change an extended attribute that another process changed, of", path: item.path,
                    errno: .resourceBusy)
            }
            try Self.set(name, value: new, on: item)
        case .putAside(let path, let number, _):
            try container.rename(FilePath(bytes: path), to: FilePath("\(number)"), in: aside)
        case .createDirectory(let path): try container.createDirectory(FilePath(bytes: path))
        case .move(let path, let to, _):
            try container.rename(FilePath(bytes: path), to: FilePath(bytes: to), in: container)
        case .putInPlace(let number, let path, _):
            try aside.rename(FilePath("\(number)"), to: FilePath(bytes: path), in: container)
        case .exchange(let number, let path, _):
            try Self.exchange(FilePath("\(number)"), of: aside, with: FilePath(bytes: path), in: container)
        }
    }

    /// Reverts the step if it was applied, according to the state on disk. May be called repeatedly.
    ///
    /// - Returns: The reason why it cannot be reverted without a loss, with nothing changed; nil on success.
    package func revert(in container: Folder, aside: Folder) throws(FileSystemError) -> String? {
        switch self {
        case .attribute(let path, let name, let old, let new):
            return try Self.revert(name, old: old, new, at: FilePath(bytes: path).orSelf, in: container)
        case .putAside(let path, let number, let item):
            let kept = FilePath("\(number)")
            guard let status = try aside.statusIfPresent(kept), item?.isSame(as: status) ?? true else { return nil }
            return try Self.giveBack(kept, of: aside, as: FilePath(bytes: path), in: container)
        case .createDirectory(let path):
            do throws(FileSystemError) { try container.removeEmptyDirectory(FilePath(bytes: path)) } catch {
                switch error.errno {
                case .noSuchFileOrDirectory, .notDirectory: return nil
                case .directoryNotEmpty, .fileExists: return "the directory contains new items and is kept"
                default: throw error
                }
            }
            return nil
        case .move(let path, let to, let item):
            let (path, to) = (FilePath(bytes: path), FilePath(bytes: to))
            guard let item else {
                guard try Self.status(of: to, in: container) != nil else { return nil }
                return try Self.giveBack(to, of: container, as: path, in: container)
            }
            if let status = try Self.status(of: path, in: container), item.isSame(as: status) { return nil }
            guard let status = try Self.status(of: to, in: container) else { return "it is no longer at its new path" }
            guard item.isSame(as: status) else { return "another item is at its new path" }
            return try Self.giveBack(to, of: container, as: path, in: container)
        case .putInPlace(let number, let path, let item):
            let (kept, path) = (FilePath("\(number)"), FilePath(bytes: path))
            guard try aside.statusIfPresent(kept) == nil, try Self.status(of: path, in: container) != nil else {
                return nil
            }
            guard try item.isUnchanged(path, in: container) else { return Self.isChanged }
            try container.rename(path, to: kept, in: aside)
            return nil
        case .exchange(let number, let path, let item):
            return try Self.revertExchange(FilePath("\(number)"), FilePath(bytes: path), item, container, aside)
        }
    }

    private static let isChanged = "it has been changed since, and is kept"

    // MARK: - Attributes

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

    private static func set(_ name: String, value: Data?, on item: OpenFile) throws(FileSystemError) {
        if let value { try item.setAttribute(name, value: Array(value)) } else { try item.removeAttribute(name) }
    }

    // MARK: - Exchanges

    /// The name of the old file during an exchange in three steps.
    private static func oldName(_ number: FilePath) -> FilePath { FilePath(number.string + ".old") }

    private static func exchange(
        _ number: FilePath, of aside: Folder, with path: FilePath, in container: Folder
    ) throws(FileSystemError) {
        do throws(FileSystemError) { return try aside.exchange(number, with: path, in: container) } catch {
            guard [.invalidArgument, .notSupported, .notSupportedOnSocket, .noFunction].contains(error.errno) else {
                throw error
            }
        }
        try container.rename(path, to: oldName(number), in: aside)
        try aside.rename(number, to: path, in: container)
        try aside.rename(oldName(number), to: number, in: aside)
    }

    private static func revertExchange(
        _ number: FilePath, _ path: FilePath, _ item: ItemStamp, _ container: Folder, _ aside: Folder
    ) throws(FileSystemError) -> String? {
        let now = try status(of: path, in: container)
        if let third = try aside.statusIfPresent(oldName(number)) {
            // An exchange in three steps was interrupted.
            let hasNumber = try aside.statusIfPresent(number) != nil
            if item.isSame(as: third) {
                // It was one of the undo, which had already taken the new file away.
                if hasNumber, let reason = try giveBack(number, of: aside, as: path, in: container) { return reason }
                try aside.rename(oldName(number), to: number, in: aside)
                return nil
            }
            if !hasNumber, now != nil {
                guard try item.isUnchanged(path, in: container) else { return isChanged }
                try container.rename(path, to: number, in: aside)
            }
            return try giveBack(oldName(number), of: aside, as: path, in: container)
        }
        guard let kept = try aside.statusIfPresent(number) else { return nil }
        let isApplied = now.map { item.hasInode(of: $0) } ?? false
        guard isApplied || !item.isSame(as: kept) else { return nil }
        // The file that was replaced is in the undo folder.
        guard now != nil else { return try giveBack(number, of: aside, as: path, in: container) }
        guard try item.isUnchanged(path, in: container) else { return isChanged }
        try exchange(number, of: aside, with: path, in: container)
        return nil
    }

    // MARK: - Names

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

    private static func status(of path: FilePath, in folder: Folder) throws(FileSystemError) -> FileStatus? {
        do throws(FileSystemError) { return try folder.statusIfPresent(path) } catch {
            if error.errno == .notDirectory { return nil }
            throw error
        }
    }
}

extension FilePath {
    /// The path to open. The container itself is `.`.
    package var orSelf: FilePath { isEmpty ? "." : self }
}
