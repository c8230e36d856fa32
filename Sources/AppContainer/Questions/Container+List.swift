internal import FileSystem
internal import SystemPackage

extension Container {
    /// The maximum depth of a recursive list, in directories.
    private static let maximumDepth = 256

    /// Returns the items in a directory in numeric order: `2.jpg` precedes `10.jpg`, independent of the locale. Empty if a
    /// standard directory does not exist yet: `list(.caches)` in a new app.
    ///
    ///     let pages = try container.list(.documents / "book", recursive: true, matching: "*.jpg")
    ///
    /// - Parameters:
    ///   - item: The directory.
    ///   - recursive: True to list the content of directories too, each directory before its content. Links are listed,
    ///     not followed.
    ///   - pattern: A pattern for the names of the listed items, with `*` and `?`. Nil for all. With `recursive`,
    ///     directories that do not match are searched too.
    /// - Returns: The paths, sorted.
    /// - Throws: `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`; `failed` for a tree that is
    ///   deeper than 256 directories.
    public func list(
        _ item: ContainerPath, recursive: Bool = false, matching pattern: String? = nil
    ) throws(ContainerError) -> [ContainerPath] {
        let path = try relative(item)
        let pattern = pattern.map { NamePattern($0) }
        var found: [FilePath] = []
        do throws(FileSystemError) {
            if item.isStandardDirectory, try folder.statusIfPresent(path) == nil { return [] }
            let directory = try folder.openFolder(path)
            if recursive {
                do throws(FileSystemError) {
                    try directory.visit("") { entry throws(FileSystemError) in
                        if pattern?.matches(entry.name.bytes) ?? true { found.append(entry.path) }
                        guard entry.status.kind == .directory else { return false }
                        guard entry.path.components.count < Self.maximumDepth else {
                            throw FileSystemError("list so deep a tree as", path: "", errno: .fileNameTooLong)
                        }
                        return true
                    }
                } catch {
                    throw FileSystemError(
                        error.operation, path: path.appending(error.path.components), errno: error.errno)
                }
            } else {
                found = try directory.names { name in pattern?.matches(Array(name)) ?? true }
            }
        } catch { throw ContainerError(reading: error) }
        let sorted = found.map { path in (path, path.components.map { Array($0.bytes) }) }
            .sorted { NumericOrder.precedes($0.1, $1.1) }
        return sorted.map { item.appending(entry: $0.0) }
    }
}

extension FilePath.Component {
    fileprivate var bytes: [UInt8] { FilePath(root: nil, components: self).bytes }
}
