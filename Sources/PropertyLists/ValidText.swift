/// Text from bytes that may be damaged. The initializer `String(validating:as:)` needs macOS 15 and iOS 18.
extension String {
    /// Creates a string from UTF-8. Returns nil if the bytes are not valid.
    @inlinable
    package init?(utf8 bytes: some Collection<UInt8>) {
        var text = String(decoding: bytes, as: UTF8.self)
        // Each repair changes the bytes.
        let isSame = bytes.withContiguousStorageIfAvailable { source in
            text.withUTF8 { UnsafeRawBufferPointer($0).elementsEqual(UnsafeRawBufferPointer(source)) }
        }
        guard isSame ?? text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }

    /// Creates a string from UTF-16. Returns nil for half a surrogate pair.
    package init?(utf16 units: [UInt16]) {
        var isInPair = false
        for unit in units {
            guard isInPair == UTF16.isTrailSurrogate(unit) else { return nil }
            isInPair = UTF16.isLeadSurrogate(unit)
        }
        guard !isInPair else { return nil }
        self.init(decoding: units, as: UTF16.self)
    }
}
