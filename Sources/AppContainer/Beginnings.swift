/// Where one of some texts may begin, told by its first two bytes: what lets most of a file be passed over quickly.
package struct Beginnings: Sendable {
    /// One bit for each pair of bytes.
    private let pairs: [UInt64]

    /// - Parameter texts: Of two bytes at least.
    package init(of texts: [[UInt8]]) {
        var pairs = [UInt64](repeating: 0, count: 1024)
        for text in texts {
            let pair = Int(text[0]) | Int(text[1]) << 8
            pairs[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        self.pairs = pairs
    }

    /// The first of `starts` at which a text may begin that lies in `bytes`; nil where none may.
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
