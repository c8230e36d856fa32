internal import FileSystem
internal import Foundation
internal import SystemPackage

/// The file of a `FileValue`.
struct ValueFile<Value: Codable & Sendable & Equatable>: Sendable {
    /// The identification of a state of the file.
    struct Stamp: Equatable, Sendable {
        private let inode: UInt64
        private let size: UInt64
        private let modified: Timestamp
        private let changed: Timestamp

        init(_ status: FileStatus) {
            (inode, size) = (status.identity.inode, status.size)
            (modified, changed) = (status.modified, status.changed)
        }
    }

    /// A value that was read, or the absence of the file.
    struct Reading: Sendable {
        let stamp: Stamp?
        let value: Value?
        /// Kept open, because the inode of an open file is not used again: a new file never has the same stamp.
        let file: OpenFile?
    }

    let item: ContainerPath
    let container: Container
    let path: FilePath
    private let limits: ValueLimits
    private let options: SaveOptions

    init(
        _ item: ContainerPath, in container: Container, limits: ValueLimits, options: SaveOptions
    ) throws(ContainerError) {
        (self.item, self.limits) = (item, limits)
        var container = container
        // The line that changed the value last is not the one that saves it.
        if container.recording == .givenAndSource { container.recording = .given }
        self.container = container
        path = try container.relativeFile(item)
        var options = options
        options.overwrite = .replace
        self.options = options
    }

    /// Returns the value of the file, or nil if the file has not changed since `last`.
    func read(unless last: Reading?) throws(ContainerError) -> Reading? {
        let file: OpenFile
        let stamp: Stamp
        do throws(FileSystemError) {
            guard let status = try container.folder.statusIfPresent(path) else {
                return last != nil && last?.stamp == nil ? nil : Reading(stamp: nil, value: nil, file: nil)
            }
            if let last, last.stamp == Stamp(status) { return nil }
            file = try container.folder.open(path, followingLinks: false)
            let opened = try file.status()
            guard opened.kind == .file else {
                throw FileSystemError(
                    "read", path: path, errno: opened.kind == .directory ? .isDirectory : .invalidArgument)
            }
            stamp = Stamp(opened)
        } catch {
            // Removed between the two calls.
            guard error.errno != .noSuchFileOrDirectory else { return Reading(stamp: nil, value: nil, file: nil) }
            throw ContainerError(reading: error)
        }
        let content = try container.content(of: file, at: item, limits)
        let value = try container.value(Value.self, of: content, decoder: item.defaultDecoder, at: item, limits: limits)
        return Reading(stamp: stamp, value: value, file: file)
    }

    /// Saves a value and returns the new state of the file.
    func write(_ value: Value) throws(ContainerError) -> Reading {
        try container.save(value, to: item, limits: limits, options: options)
        do throws(FileSystemError) {
            let file = try container.folder.open(path, followingLinks: false)
            return Reading(stamp: Stamp(try file.status()), value: value, file: file)
        } catch {
            // Purged just now.
            guard error.errno != .noSuchFileOrDirectory else { return Reading(stamp: nil, value: nil, file: nil) }
            throw ContainerError(reading: error)
        }
    }

    /// Runs `body` while no other process that uses this library changes the file.
    func withLock<Result>(_ body: () throws(ContainerError) -> Result) throws(ContainerError) -> Result {
        let lock = try container.lockDirectory(of: path)
        defer { lock.release() }
        return try body()
    }
}

extension Container {
    /// Changes a value in a file while no other process that uses this call, or a `FileValue`, changes it.
    ///
    ///     try container.update(.documents / "requests.json", default: [String]()) { $0.append("feed") }
    ///
    /// - Parameters:
    ///   - item: The path of the file: JSON, or a property list if its name ends in `.plist`.
    ///   - value: The value if the file does not exist.
    ///   - limits: The limits for the file.
    ///   - options: The options of the save.
    ///   - fileID: The file of the caller, recorded as `recording` says.
    ///   - line: The line of the caller.
    ///   - body: Changes the value. If it throws, the file is unchanged.
    /// - Returns: The result of `body`.
    /// - Throws: `locked`, the errors of loading and of saving a value, and the error of `body`.
    @discardableResult
    public func update<Value: Codable, Result>(
        _ item: ContainerPath, default value: @autoclosure () -> Value, limits: ValueLimits = ValueLimits(),
        options: SaveOptions = SaveOptions(), fileID: String = #fileID, line: UInt = #line,
        _ body: (inout Value) throws -> Result
    ) throws -> Result {
        let lock = try lockDirectory(of: try relativeFile(item))
        defer { lock.release() }
        var value = try load(from: item, default: value(), limits: limits)
        let result = try body(&value)
        try save(value, to: item, limits: limits, options: options, fileID: fileID, line: line)
        return result
    }

    /// Locks the directory of a file against other processes that change values in it.
    fileprivate func lockDirectory(of path: FilePath) throws(ContainerError) -> Lock {
        try createParent(of: path)
        do throws(FileSystemError) {
            let parent = path.split?.parent ?? FilePath()
            return try Lock(parent.isEmpty ? folder : try folder.openFolder(parent), within: .seconds(10))
        } catch {
            guard error.errno == .resourceTemporarilyUnavailable else { throw ContainerError(error) }
            throw ContainerError(
                .locked, path, errno: error.errno,
                "The directory of “\(path)” was locked by another process for 10 seconds. Nothing on disk has changed. Try "
                    + "again later.")
        }
    }
}
