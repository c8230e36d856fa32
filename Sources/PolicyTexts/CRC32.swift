/// A cyclic redundancy check of 32 bits, piece by piece.
package struct CRC32 {
    /// The polynomials of file formats, in reversed order of bits.
    package enum Polynomial: UInt32 {
        /// That of zlib, gzip and zip.
        case zlib = 0xedb8_8320
        /// Castagnoli's, of iSCSI and LevelDB.
        case castagnoli = 0x82f6_3b78
    }

    private let table: [UInt32]
    private var state: UInt32 = 0xffff_ffff

    package init(_ polynomial: Polynomial = .zlib) { table = polynomial == .zlib ? Self.zlib : Self.castagnoli }

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        var value = state
        table.withUnsafeBufferPointer { table in
            for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
        }
        state = value
    }

    /// The check of the bytes so far.
    package var value: UInt32 { ~state }

    package static func value(of bytes: some Sequence<UInt8>, _ polynomial: Polynomial = .zlib) -> UInt32 {
        var check = CRC32(polynomial)
        check.update(bytes)
        return check.value
    }

    private static let zlib = table(of: .zlib)
    private static let castagnoli = table(of: .castagnoli)

    private static func table(of polynomial: Polynomial) -> [UInt32] {
        (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ polynomial.rawValue : value >> 1 }
        }
    }
}
