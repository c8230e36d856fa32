/// Classes of ASCII characters.
package enum ASCII {
    package static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte }
    package static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte }
    package static func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) && byte < 0x80 }
    package static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }
    package static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

    /// The value of a hexadecimal digit; nil for any other character.
    package static func hexadecimal(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - UInt8(ascii: "0") }
        return isLetter(byte) && byte | 0x20 <= UInt8(ascii: "f") ? (byte | 0x20) - UInt8(ascii: "a") + 10 : nil
    }

    /// Returns the text of the separate UUID at an index; nil without one.
    package static func uuid(in name: [UInt8], at index: Int) -> [UInt8]? {
        let dashes: Set = [8, 13, 18, 23]
        guard index + 36 <= name.count, index + 36 == name.count || !isAlphanumeric(name[index + 36]) else {
            return nil
        }
        let text = Array(name[index..<(index + 36)])
        for (index, byte) in text.enumerated() {
            guard dashes.contains(index) ? byte == UInt8(ascii: "-") : hexadecimal(byte) != nil else {
                return nil
            }
        }
        return text
    }
}
