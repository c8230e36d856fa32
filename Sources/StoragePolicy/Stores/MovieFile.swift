/// A film or a recording in the ISO base media format (ISO 14496-12), by its outermost boxes.
///
/// A recorder writes the samples first (`mdat`) and their index last (`moov`). Without the index, nothing can be played.
enum MovieFile {
    private static let mostBoxes = 4_096

    static func check(_ file: StoreFile) -> StoreFile.Check {
        var (offset, hasSamples) = (UInt64(0), false)
        for _ in 0..<mostBoxes {
            guard offset + 8 <= file.size else { return hasSamples ? unfinished : .passed }
            guard let header = file.bytes(8, at: offset), let length = header.bigNumber(at: 0, bytes: 4) else {
                return .passed
            }
            let kind = String(decoding: header[4...], as: UTF8.self)
            if offset == 0, kind != "ftyp" { return .passed }
            switch kind {
            // The index, metadata of a picture, and what parts of a stream have in place of an index.
            case "moov", "meta", "moof", "sidx", "styp": return .passed
            case "mdat": hasSamples = true
            // Space that was reserved and not written.
            case "\0\0\0\0" where length == 0: return hasSamples ? unfinished : .passed
            default:
                guard header[4...].allSatisfy({ (0x20..<0x7f).contains($0) || $0 == 0xa9 }) else {
                    return .passed
                }
            }
            guard length > 0 else { return hasSamples ? unfinished : .passed }
            var size = length
            if length == 1 {
                guard let long = file.bytes(8, at: offset + 8)?.bigNumber(at: 0, bytes: 8) else { return .passed }
                size = long
            }
            guard size >= 8, offset <= .max - size else { return hasSamples ? unfinished : .passed }
            offset += size
        }
        // The index may be behind the boxes that were not read.
        return .passed
    }

    private static let unfinished = StoreFile.Check.damaged("it has samples (mdat) and no index of them (moov)")
}

extension Collection<UInt8> {
    /// The number that some bytes stand for, the highest byte first; nil beyond the end.
    func bigNumber(at offset: Int, bytes count: Int) -> UInt64? {
        guard offset >= 0, offset + count <= self.count else { return nil }
        return dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
