/// The boxes of a file in the ISO base media format (ISO 14496-12), which MPEG-4, QuickTime and HEIF share.
struct BoxReader {
    /// A box by its type and the bytes after its header.
    struct Box {
        let type: String
        let content: Range<UInt64>

        /// Returns the content after some bytes; nothing if it is shorter.
        func content(after count: UInt64) -> Range<UInt64> {
            min(content.lowerBound + count, content.upperBound)..<content.upperBound
        }
    }

    private let read: PictureHeader.Reader
    private static let mostBoxes = 4_096

    init(_ read: @escaping PictureHeader.Reader) { self.read = read }

    /// Returns the boxes in a range of bytes, in their order, at most 4,096. Ends at the first one that is not well-formed.
    func boxes(in range: Range<UInt64>) -> [Box] {
        var boxes: [Box] = []
        var offset = range.lowerBound
        while boxes.count < Self.mostBoxes, offset < range.upperBound {
            let head = read(16, offset)
            guard let length = head.big(at: 0, 4), head.count >= 8 else { break }
            var (size, headerSize) = (length, UInt64(8))
            if length == 1 {
                guard let long = head.big(at: 8, 8) else { break }
                (size, headerSize) = (long, 16)
            } else if length == 0 {
                // Up to the end.
                size = range.upperBound - offset
            }
            guard size >= headerSize, head[4..<8].allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { break }
            let end = min(range.upperBound, offset.addingReportingOverflow(size).partialValue)
            guard end >= offset + headerSize else { break }
            let type = head[4] == 0xa9 ? "©" + String(decoding: head[5..<8], as: UTF8.self) : nil
            boxes.append(
                Box(type: type ?? String(decoding: head[4..<8], as: UTF8.self), content: (offset + headerSize)..<end))
            offset = end
        }
        return boxes
    }
}
