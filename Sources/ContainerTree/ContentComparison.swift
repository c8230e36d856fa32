internal import FileSystem
internal import Foundation

/// The bytes of content that a run may still read to compare files. A reflink, or a file system that does not tell where
/// holes are, lets a container show far more content than it stores.
package struct ComparisonBudget: Sendable {
    /// The bytes that are left.
    package private(set) var bytes: UInt64
    /// True once a comparison was refused; what was not compared counts as different.
    package private(set) var isSpent = false

    package init(bytes: UInt64 = 64 << 30) { self.bytes = bytes }

    /// Takes bytes off; false, from then on, where fewer are left.
    mutating func take(_ count: Int) -> Bool {
        guard !isSpent, bytes >= UInt64(count) else {
            isSpent = true
            return false
        }
        bytes -= UInt64(count)
        return true
    }
}

/// Reads files piece by piece to compare them. Holes are skipped, and equal content is equal whether its zeros are stored
/// or not.
enum ContentComparison {
    private static let pieceSize = 1 << 18

    /// Returns true if both files were read and have equal content.
    static func isEqual(_ left: OpenFile, _ right: OpenFile, within budget: inout ComparisonBudget) -> Bool {
        guard let size = try? left.status().size, size == (try? right.status().size) else { return false }
        var offset: UInt64 = 0
        while let data = [left.nextData(from: offset), right.nextData(from: offset)].compactMap(\.self).min() {
            offset = max(offset, data)
            guard budget.take(2 * pieceSize), let piece = try? left.read(upTo: pieceSize, from: offset),
                piece == (try? right.read(upTo: pieceSize, from: offset))
            else { return false }
            // The end; a file that was cut meanwhile differs from what the walk saw.
            if piece.isEmpty { break }
            offset += UInt64(piece.count)
        }
        return true
    }

    /// Returns a number that files of equal content have in common in this process, of the whole content or of its first
    /// `limit` bytes; nil where the file cannot be read or the budget is spent.
    static func digest(of file: OpenFile, limit: UInt64, within budget: inout ComparisonBudget) -> Int? {
        var hasher = Hasher()
        var offset: UInt64 = 0
        while offset < limit, let data = file.nextData(from: offset), data < limit {
            // Pieces begin at multiples of their size, so that where they begin does not hang on the holes.
            offset = max(offset, data - data % UInt64(pieceSize))
            guard budget.take(pieceSize),
                let piece = try? file.read(upTo: Int(min(UInt64(pieceSize), limit - offset)), from: offset)
            else { return nil }
            if piece.isEmpty { break }
            piece.withUnsafeBytes { bytes in
                guard !isZero(bytes) else { return }
                hasher.combine(offset)
                hasher.combine(bytes: bytes)
            }
            offset += UInt64(piece.count)
        }
        return hasher.finalize()
    }

    /// Returns true if every byte is zero: the first one is, and each equals the one before it.
    private static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, bytes.first == 0 else { return bytes.isEmpty }
        return memcmp(start, start + 1, bytes.count - 1) == 0
    }
}
