package import FileSystem
internal import Foundation

/// The budget of bytes for comparing files in a run. A container can appear to have far more content than it stores, by
/// reflinks or on a file system that does not report holes.
package struct ComparisonBudget: Sendable {
    /// The remaining bytes.
    package private(set) var bytes: UInt64
    /// True if a comparison was refused. Files that were not compared count as different.
    package private(set) var isSpent = false

    package init(bytes: UInt64 = 64 << 30) { self.bytes = bytes }

    /// Subtracts bytes from the budget. Returns false if too few remain, also for later calls.
    mutating func consume(_ count: Int) -> Bool {
        guard !isSpent, bytes >= UInt64(count) else {
            isSpent = true
            return false
        }
        bytes -= UInt64(count)
        return true
    }
}

/// A comparison of files piece by piece. Holes are skipped, and are equal to stored zeros.
package enum ContentComparison {
    private static let pieceSize = 1 << 18

    /// Returns a number that is equal for files with equal content in this process, based on the whole content or its
    /// first `limit` bytes. Nil if the file cannot be read or the budget is exhausted.
    static func digest(of file: OpenFile, limit: UInt64, within budget: inout ComparisonBudget) -> Int? {
        var hasher = Hasher()
        var offset: UInt64 = 0
        while offset < limit, let data = file.nextData(from: offset), data < limit {
            // Pieces begin at multiples of their size, independent of holes.
            offset = max(offset, data - data % UInt64(pieceSize))
            guard budget.consume(pieceSize),
                let piece = try? file.read(upTo: Int(min(UInt64(pieceSize), limit - offset)), from: offset)
            else { return nil }
            if piece.isEmpty { break }
            piece.withUnsafeBytes { bytes in
                guard !bytes.isZero else { return }
                hasher.combine(offset)
                hasher.combine(bytes: bytes)
            }
            offset += UInt64(piece.count)
        }
        return hasher.finalize()
    }

    /// Compares the content of two files from their beginnings to the first difference.
    ///
    /// - Parameters:
    ///   - first: A file.
    ///   - second: The other file.
    ///   - size: The size of both files. Bytes that are appended meanwhile are ignored.
    ///   - budget: The bytes that may be read; both files count.
    ///   - isCancelled: Returns true to end the comparison.
    /// - Returns: True if the content is equal; nil if the budget is spent, or if the comparison was cancelled.
    /// - Throws: The error of a file that cannot be read.
    package static func isEqual(
        _ first: OpenFile, _ second: OpenFile, size: UInt64, within budget: inout ComparisonBudget,
        isCancelled: () -> Bool = { false }
    ) throws(FileSystemError) -> Bool? {
        var offset: UInt64 = 0
        while offset < size {
            guard let data = [first, second].compactMap({ $0.nextData(from: offset) }).min(), data < size else {
                return true
            }
            offset = max(offset, data - data % UInt64(pieceSize))
            let count = Int(min(UInt64(pieceSize), size - offset))
            guard !isCancelled(), budget.consume(2 * count) else { return nil }
            let (piece, other) = (
                try first.read(upTo: count, from: offset), try second.read(upTo: count, from: offset)
            )
            guard piece == other else { return false }
            // Both files have been truncated.
            if piece.isEmpty { return true }
            offset += UInt64(piece.count)
        }
        return true
    }
}
