package import FileSystem
package import SystemPackage

/// Extracts tar and zip archives with their extended attributes into a folder.
///
/// Nothing outside the folder is written: entries with `..` are skipped, absolute paths are read relative to the folder,
/// links are created but never followed, and existing files are not replaced. Files get their mode without set-id bits and
/// are readable by their owner. The extraction ends with an error when a limit is exceeded. The caller then removes the
/// folder.
package struct ArchiveExtractor: Sendable {
    private let limits: ExtractionLimits

    package init(limits: ExtractionLimits = ExtractionLimits()) { self.limits = limits }

    /// Extracts an archive into an empty folder, which only this user can change. The archive is a regular file, or a link
    /// to one. Throws an error if it is not an archive, is encrypted or damaged, exceeds a limit, or if `isCancelled`, which is
    /// called before each entry and each block, returns true.
    package func extract(
        _ archive: FilePath, into folder: Folder, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ExtractionError) -> ExtractedArchive {
        let (file, size): (OpenFile, UInt64)
        do throws(FileSystemError) {
            file = try OpenFile(opening: archive)
            let status = try file.status()
            guard status.kind == .file else { throw FileSystemError("extract", path: archive, errno: .invalidArgument) }
            size = status.size
        } catch { throw ExtractionError(error) }
        let stream = try ArchiveStream(file)
        var run = ExtractionRun(
            stream, folder: folder, budget: ExtractionBudget(limits, archiveSize: size, isCancelled: isCancelled))
        while let entry = try stream.next(limits) { try run.extract(entry) }
        return try run.finish()
    }
}
