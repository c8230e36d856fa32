import Foundation

extension NSCoder {
    /// Decodes bytes by the call of each system: Foundation on Linux has no `decodeBytes(forKey:returnedLength:)`.
    func decodedBytes(forKey key: String) -> [UInt8]? {
        #if canImport(Darwin)
        var count = 0
        return decodeBytes(forKey: key, returnedLength: &count).map {
            Array(UnsafeBufferPointer(start: $0, count: count))
        }
        #else
        return withDecodedUnsafeBufferPointer(forKey: key) { $0.map { Array($0) } }
        #endif
    }
}
