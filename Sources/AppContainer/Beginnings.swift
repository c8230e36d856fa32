/// A filter for positions at which one of several texts may begin, based on the first two bytes. It skips most of a
/// file quickly.
package struct PrefixFilter: Sendable {
    /// One bit for each pair of bytes.
    private let pairs: [UInt64]

    /// Creates a filter.
    ///
    /// - Parameter texts: The texts, of at least two bytes each.
    package init(of texts: [[UInt8]]) {
        var pairs = [UInt64](repeating: 0, count: 1024)
        for text in texts {
            let pair = Int(text[0]) | Int(text[1]) << 8
            pairs[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        self.pairs = pairs
    }

    /// Returns the first position in `starts` at which a text may begin in `bytes`, or nil.
    package func first(in bytes: UnsafeRawBufferPointer, from starts: Range<Int>) -> Int? {
        pairs.withUnsafeBufferPointer { pairs in
            var position = starts.lowerBound
            let end = min(starts.upperBound, bytes.count - 1)
            while position < end {
                let pair = Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt16.self)))
                if pairs[pair >> 6] & 1 << UInt64(pair & 63) != 0 { return position }
                position += 1
            }
            return nil
        }
    }
}
