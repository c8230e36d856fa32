import CFileSystem
import Foundation
import SystemPackage

/// The medium beneath a mounted volume, read while the volume is in use.
struct Disk: Sendable {
    private let directory: FilePath
    private let image: FileDescriptor
    private let statistics: FilePath

    init(of volume: Volume) throws {
        guard let statistics = volume.statistics else {
            throw ProgramFailure(description: "“\(volume.directory)” is on no loop device")
        }
        self.statistics = statistics
        directory = volume.directory
        image = try FileDescriptor.open(volume.image, .readOnly)
    }

    func close() throws { try image.close() }

    /// Flushes the whole volume to the medium, as the kernel may do at any time.
    func writeBack() throws(ProgramFailure) { try run("sync", "--file-system", directory.string) }

    /// Returns the current content of the medium, or nil if it is equal to `previous`. A copy during which the medium
    /// was written to is repeated.
    func snapshot(unlike previous: Image) throws -> Image? {
        for _ in 0..<10_000 {
            if let before = try writes() {
                let image = try Image(reading: image, unlike: previous)
                if try writes() == before { return image }
            }
            cfs_pause(1)
        }
        throw ProgramFailure(description: "the medium did not come to rest")
    }

    /// Returns the amount written and discarded so far, or nil while I/O is in progress.
    ///
    /// Source of the columns: Documentation/block/stat.rst of Linux.
    private func writes() throws -> [Int]? {
        let text = try String(contentsOfFile: statistics.string, encoding: .utf8)
        let columns = text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard columns.count > 8 else { throw ProgramFailure(description: "“\(statistics)” says “\(text)”") }
        let (written, discarded) = (columns[4...6], columns.dropFirst(11).prefix(3))
        return columns[8] == 0 ? Array(written + discarded) : nil
    }
}
