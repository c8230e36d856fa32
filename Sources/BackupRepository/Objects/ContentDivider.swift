internal import CFileSystem
internal import FileSystem

/// The division of a large content into parts by its bytes, so that a change of some bytes changes the parts around them and
/// no others, also if bytes are inserted or removed.
///
/// A block of zeros, at a multiple of its size in the content, is in no part, whether the file has a hole there or not.
struct ContentDivider {
    /// The size of a block of zeros in bytes.
    static let block: UInt64 = 64 << 10
    /// Bytes of the shortest part, apart from one before zeros and the last one.
    static let shortest = 128 << 10
    /// The number of bytes that determine the next piece.
    static let needed = UInt64(ObjectWriter.partSize) + block
    /// Divides after 256 KiB on average beyond the shortest part. Seven bytes that are inserted into random content cost 0.5 MB
    /// in the median, and 2 MB in one of a hundred cases.
    private static let mask: UInt64 = (1 << 18 - 1) << (64 - 18)

    /// A random word for each byte, by SplitMix64 (S. Vigna, prng.di.unimi.it/splitmix64.c). Other words would divide the
    /// contents of existing repositories in other places.
    private static let table: [UInt64] = {
        var state: UInt64 = 0
        return (0..<256).map { _ in
            state &+= 0x9e37_79b9_7f4a_7c15
            var word = state
            word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
            return word ^ (word >> 31)
        }
    }()

    /// The beginning of the rest of a content.
    enum Piece: Equatable {
        /// The number of bytes of a part.
        case part(Int)
        /// The number of bytes of zeros that no part contains.
        case zeros(Int)
    }

    /// Returns the first piece of the rest of a content.
    ///
    /// - Parameters:
    ///   - bytes: The rest; at least `needed` bytes of it, unless the content ends before.
    ///   - position: The position of the rest in the content.
    /// - Returns: The part or the zeros at the start.
    static func first(of bytes: UnsafeRawBufferPointer, at position: UInt64) -> Piece {
        let longest = min(ObjectWriter.partSize, bytes.count)
        let firstBlock = Int((block - position % block) % block)
        let zeros = stride(from: firstBlock, to: longest, by: Int(block)).first { start in
            UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + Int(block), bytes.count)]).isZero
        }
        if zeros == 0 { return .zeros(min(Int(block), bytes.count)) }
        let end = zeros ?? longest
        guard end > shortest else { return .part(end) }
        let division = table.withUnsafeBufferPointer {
            cfs_next_division($0.baseAddress, mask, bytes.baseAddress, shortest, end)
        }
        return .part(division)
    }
}
