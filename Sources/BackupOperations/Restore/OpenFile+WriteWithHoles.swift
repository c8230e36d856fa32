internal import BackupRepository
internal import FileSystem

extension OpenFile {
    /// Writes what is not zeros, in blocks. What it leaves out is zeros where nothing was written before.
    func writeWithHoles(_ bytes: [UInt8], at position: UInt64) throws(FileSystemError) {
        var failure: FileSystemError?
        bytes.withUnsafeBytes { bytes in
            do throws(FileSystemError) {
                var start = 0
                while start < bytes.count {
                    // From a block that holds something to one that holds nothing.
                    while start < bytes.count, Self.isZero(bytes, at: start) { start += Self.block }
                    var end = start
                    while end < bytes.count, !Self.isZero(bytes, at: end) { end += Self.block }
                    guard start < bytes.count else { break }
                    let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(end, bytes.count)])
                    try write(piece, at: position + UInt64(start))
                    start = end
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private static let block = 4096

    /// Whether the block that begins at `start` holds nothing.
    private static func isZero(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
        UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + block, bytes.count)]).isZero
    }
}
