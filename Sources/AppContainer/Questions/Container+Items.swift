internal import FileSystem
public import Foundation
internal import SystemPackage

/// An item in a list, with its attributes.
public struct ListedItem: Sendable, Hashable {
    /// The path.
    public let path: ContainerPath
    /// The attributes.
    public let attributes: ItemAttributes
    /// The name.
    public var name: String { path.name }
}

extension Container {
    /// Returns the items in a directory with their attributes, in numeric order. Empty if a standard directory does not
    /// exist yet.
    ///
    ///     let newest = try container.items(in: .documents).max { $0.attributes.modified < $1.attributes.modified }
    ///
    /// This is much faster than `attributes(of:)` for each path of `list`. Items that disappear meanwhile are omitted.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - pattern: A pattern for the names, with `*` and `?`. Nil for all.
    /// - Returns: The items, sorted by name.
    /// - Throws: The errors of `list`.
    public func items(
        in directory: ContainerPath, matching pattern: String? = nil
    ) throws(ContainerError) -> [ListedItem] {
        let path = try relative(directory)
        let pattern = pattern.map { NamePattern($0) }
        var found: [(name: [UInt8], item: ListedItem)] = []
        do throws(FileSystemError) {
            if directory.isStandardDirectory, try folder.statusIfPresent(path) == nil { return [] }
        } catch { throw ContainerError(reading: error) }
        // The exclusion of all items that have no mark of their own.
        let inherited = try exclusion(of: directory)
        do throws(FileSystemError) {
            let opened = try folder.openFolder(path)
            try opened.forEachEntry { name, status throws(FileSystemError) in
                let bytes = Array(name)
                guard pattern?.matches(bytes) ?? true else { return }
                let item = directory.appending(entry: FilePath(bytes: bytes))
                let exclusion = try exclusion(of: name, status, in: opened, at: item, inherited: inherited)
                found.append((bytes, ListedItem(path: item, attributes: ItemAttributes(status, exclusion))))
            }
        } catch {
            throw ContainerError(
                reading: FileSystemError(error.operation, path: path.joined(error.path), errno: error.errno))
        }
        found.sort { NumericOrder.precedes([$0.name], [$1.name]) }
        return found.map(\.item)
    }

    /// Returns the exclusion of an entry. Only an entry with an attribute that may be a mark is examined by itself.
    private func exclusion(
        of name: UnsafeRawBufferPointer, _ status: FileStatus, in folder: Folder, at item: ContainerPath,
        inherited: BackupExclusion
    ) throws(FileSystemError) -> BackupExclusion {
        guard status.kind == .file || status.kind == .directory, let start = name.baseAddress else { return inherited }
        let text = start.assumingMemoryBound(to: CChar.self)
        let hasMark: Bool
        do throws(FileSystemError) {
            let names = try folder.attributeNames(ofEntry: text, path: FilePath(bytes: name))
            hasMark =
                status.isNoDump || status.kind == .directory || names.contains { ExclusionMark(attribute: $0) != nil }
        } catch {
            if error.errno == .noSuchFileOrDirectory { return inherited }
            throw error
        }
        guard hasMark else { return inherited }
        do throws(ContainerError) { return try exclusion(of: item) } catch {
            if error.code == .notFound { return inherited }
            throw FileSystemError("examine", path: FilePath(bytes: name), errno: Errno(rawValue: error.errno ?? 5))
        }
    }

    /// Sets the modification date of a file or directory, and its access date, which is the same if none is given.
    ///
    /// - Throws: `notFound`, `notAFile` for a link or a special file, `leavesContainer`, `noIdentifier`,
    ///   `permissionDenied`, `durabilityUnknown`, `failed`.
    public func setDates(of item: ContainerPath, modified: Date, accessed: Date? = nil) throws(ContainerError) {
        let (modified, accessed) = (Timestamp(modified), Timestamp(accessed ?? modified))
        try forEachItem(try relative(item), recursively: false) { file throws(FileSystemError) in
            try file.setTimes(accessed: accessed, modified: modified)
        }
    }

    /// Returns an extended attribute of a file or directory, or nil if it has none with this name.
    ///
    /// - Throws: `notFound`, `notAFile` for a link, `leavesContainer`, `noIdentifier`, `permissionDenied`,
    ///   `noAttributes`, `failed`.
    public func attribute(_ name: String, of item: ContainerPath) throws(ContainerError) -> Data? {
        let path = try relative(item)
        do throws(FileSystemError) {
            return try folder.open(path.isEmpty ? "." : path, followingLinks: false).attribute(name).map { Data($0) }
        } catch { throw ContainerError(reading: error) }
    }

    /// Sets an extended attribute of the app's own on a file or directory, or removes it. Later saves, copies and moves
    /// of a file keep it.
    ///
    /// - Parameters:
    ///   - name: The name, such as `com.example.app.hash`. For the backup exclusion, use `excludeFromBackup`.
    ///   - value: The value. Nil removes the attribute.
    ///   - item: The file or directory.
    /// - Throws: `notFound`, `notAFile` for a link or a special file, `leavesContainer`, `noIdentifier`,
    ///   `permissionDenied`, `noAttributes`, `durabilityUnknown`, `failed`.
    public func setAttribute(_ name: String, to value: Data?, of item: ContainerPath) throws(ContainerError) {
        try forEachItem(try relative(item), recursively: false) { file throws(FileSystemError) in
            if let value { try file.setAttribute(name, value: Array(value)) } else { try file.removeAttribute(name) }
        }
    }

    /// Returns the path, or the first free one with a number before its extension: `note.txt`, `note 2.txt`, `note
    /// 3.txt`.
    ///
    /// Another process may take the path meanwhile: save with `overwrite: .never`, and ask again after `alreadyExists`.
    ///
    /// - Throws: The errors of `exists(_:)`.
    public func freePath(for item: ContainerPath) throws(ContainerError) -> ContainerPath {
        guard try exists(item) else { return item }
        let (name, suffix) = (item.name, item.pathExtension)
        let stem = suffix.isEmpty ? name : String(name.dropLast(suffix.count + 1))
        let directory = item.parent ?? .root
        var number = 2
        while true {
            let ending = " \(number)" + (suffix.isEmpty ? "" : ".\(suffix)")
            var text = stem
            while text.utf8.count + ending.utf8.count > ContainerPath.longestName { text.removeLast() }
            let free = directory / (text + ending)
            if try !exists(free) { return free }
            number += 1
        }
    }
}

extension Timestamp {
    fileprivate init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let rest = (date.timeIntervalSince1970 - seconds) * 1e9
        self.init(
            seconds: Int64(exactly: seconds) ?? (seconds < 0 ? .min : .max),
            nanoseconds: UInt32(min(max(0, rest), 999_999_999)))
    }
}
