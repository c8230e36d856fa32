internal import Crypto

/// The parts of a content that is kept in parts. What lies between them is zeros, of which there may be more than could
/// ever be gone through; so such a content is known by its size and its parts.
///
/// By another function than other contents are known by: a small file may hold the very bytes of a list.
struct PartList {
    private(set) var parts: [(position: UInt64, part: Int64)] = []
    private var hasher = SHA512()

    mutating func add(_ part: Int64, _ hash: ContentHash, at position: UInt64) {
        parts.append((position, part))
        add(position)
        hasher.update(data: hash.bytes)
    }

    /// What the content is known by, if it has this size.
    func hash(size: UInt64) -> ContentHash {
        var whole = self
        whole.add(size)
        return ContentHash(bytes: Array(whole.hasher.finalize().prefix(32)))
    }

    private mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.bigEndian) { hasher.update(bufferPointer: $0) }
    }
}
