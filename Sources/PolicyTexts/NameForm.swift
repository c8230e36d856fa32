internal import AppContainer
internal import FileSystem

/// Answers questions about the form of a name.
package enum NameForm {
    /// The prefixes of camera file names.
    package static let cameraPrefixes = ["IMG", "DSCF", "DSCN", "DSC", "MOV", "VID", "PXL"]
    private static let cameraInitials = Array("IDMVP".utf8)

    /// Returns true if nothing in a name says what the file is: a number, a UUID or a hash of at least four hexadecimal
    /// digits, perhaps after the prefix that cameras use and before the number of a copy; a token such as base64 makes; or
    /// the address of somebody's account.
    package static func isOpaque(_ stem: UnsafeRawBufferPointer) -> Bool {
        isHexadecimal(stem) || isToken(stem) || isAccount(stem)
    }

    /// Returns true for the address of an account, as mail, XMPP and Matrix write it: `1_someone@mail.example.org`. The name of
    /// its server says nothing about the file.
    static func isAccount(_ stem: UnsafeRawBufferPointer) -> Bool {
        guard let at = stem.firstIndex(of: UInt8(ascii: "@")), at > 0 else { return false }
        let labels = stem[(at + 1)...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count >= 2
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.allSatisfy { $0 == UInt8(ascii: "-") || isDigit($0) || isLetter($0) }
            } && labels[labels.endIndex - 1].allSatisfy(isLetter)
    }

    private static func isHexadecimal(_ stem: UnsafeRawBufferPointer) -> Bool {
        var rest = stem[...]
        if let first = stem.first, cameraInitials.contains(first) {
            for prefix in cameraPrefixes where rest.starts(with: prefix.utf8) {
                rest = rest.dropFirst(prefix.utf8.count)
                break
            }
        }
        guard rest.count >= 4 else { return false }
        var digits = 0
        for byte in rest {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: " "), UInt8(ascii: "("), UInt8(ascii: ")"):
                break
            default: return false
            }
        }
        return digits > 0
    }

    /// Returns true if a name changes between capitals, small letters and digits as words never do: at least 16 letters
    /// and digits, and a change after each third.
    static func isToken(_ stem: UnsafeRawBufferPointer) -> Bool {
        guard stem.count >= 16 else { return false }
        enum Class { case upper, lower, digit, mark }
        var (last, changes, digits) = (Class.mark, 0, 0)
        for byte in stem {
            let next: Class
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): next = .digit
            case UInt8(ascii: "a")...UInt8(ascii: "z"): next = .lower
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): next = .upper
            case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="), UInt8(ascii: "+"): next = .mark
            default: return false
            }
            if next == .digit { digits += 1 }
            // A capital before small letters begins a word.
            if next != last, next != .mark, last != .mark, !(last == .upper && next == .lower) { changes += 1 }
            last = next
        }
        return digits > 0 && changes * 3 >= stem.count
    }

    /// Returns true for a hash as MD5, SHA-1 and SHA-256 make, in hexadecimal digits of one case.
    package static func isHash(_ stem: UnsafeRawBufferPointer) -> Bool {
        guard [32, 40, 64].contains(stem.count) else { return false }
        let digits = stem.count(where: isDigit)
        let small = stem.count { (UInt8(ascii: "a")...UInt8(ascii: "f")) ~= $0 }
        let capital = stem.count { (UInt8(ascii: "A")...UInt8(ascii: "F")) ~= $0 }
        return digits > 0 && small + capital > 0 && (small == 0 || capital == 0)
            && digits + small + capital == stem.count
    }

    /// Returns true for a name as programs give: two words at least, without spaces, such as `welcome_video` and `PaymentCard_2`.
    package static func isAsset(_ stem: UnsafeRawBufferPointer) -> Bool {
        guard stem.allSatisfy({ isLetter($0) || isDigit($0) || isSeparator($0) }), !isOpaque(stem) else { return false }
        var words = 0
        NameWords.forEach(in: stem) { if $0.count > 1 { words += 1 } }
        return words > 1
    }

    /// Returns true if a name is a log's: `x.log`, `x.log.1`, `log_2023.txt`, `app-log.txt`.
    package static func isLog(_ name: UnsafeRawBufferPointer) -> Bool {
        var start = name.startIndex
        while let found = index(ofLog: name, from: start) {
            let end = found + 3
            let begins = found == 0 || isSeparator(name[found - 1])
            let plural = end < name.count && name[end] | 0x20 == UInt8(ascii: "s") ? end + 1 : end
            let ends = plural == name.count || isSeparator(name[plural]) || isDigit(name[plural])
            if begins && ends { return true }
            start = found + 1
        }
        return false
    }

    private static func index(ofLog name: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard name.count >= 3 else { return nil }
        var index = start
        while index + 3 <= name.count {
            if name[index] | 0x20 == UInt8(ascii: "l"), name[index + 1] | 0x20 == UInt8(ascii: "o"),
                name[index + 2] | 0x20 == UInt8(ascii: "g")
            {
                return index
            }
            index += 1
        }
        return nil
    }

    /// Returns true if a name carries a screen scale.
    static func hasScale(_ name: UnsafeRawBufferPointer) -> Bool {
        guard let at = name.firstIndex(of: UInt8(ascii: "@")), at + 2 < name.count else { return false }
        return (name[at + 1] == UInt8(ascii: "2") || name[at + 1] == UInt8(ascii: "3"))
            && name[at + 2] == UInt8(ascii: "x")
    }

    /// The endings of names that say that a file was derived from another: of the whole name, and of what is before the
    /// extension.
    private static let derivedEndings: [StaticString] = [".thumb", ".thumbnail", ".preview"]
    private static let derivedStemEndings: [StaticString] = [
        "_th", "_thumb", "-thumb", ".thumb", "_thumbnail", "-thumbnail", ".thumbnail", ".waveform", "_waveform",
        ".preview",
    ]

    /// Returns true if a name says that the file was derived from another: `x.thumb`, `x.preview`, `x_th.jpg`,
    /// `x-thumb.png`, `x.wav.waveform.png`.
    static func isDerived(_ name: UnsafeRawBufferPointer, stem: UnsafeRawBufferPointer) -> Bool {
        switch name.last {
        case UInt8(ascii: "b"): if hasSuffix(name, suffix: ".thumb") { return true }
        case UInt8(ascii: "l"): if hasSuffix(name, suffix: ".thumbnail") { return true }
        case UInt8(ascii: "w"): if hasSuffix(name, suffix: ".preview") { return true }
        default: break
        }
        switch stem.last {
        case UInt8(ascii: "h"), UInt8(ascii: "b"), UInt8(ascii: "l"), UInt8(ascii: "m"), UInt8(ascii: "w"):
            return derivedStemEndings.contains { hasSuffix(stem, suffix: $0) }
        default: return false
        }
    }

    /// The names that the original of a derived file may have: without the ending, or with the file's own extension.
    package static func originals(of name: [UInt8]) -> [[UInt8]] {
        name.withUnsafeBytes { bytes in
            let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
            let stem = UnsafeRawBufferPointer(rebasing: bytes[..<dot])
            if let ending = derivedEndings.first(where: { hasSuffix(bytes, suffix: $0) }) {
                return [Array(name.dropLast(ending.utf8CodeUnitCount))]
            }
            guard let ending = derivedStemEndings.first(where: { hasSuffix(stem, suffix: $0) }) else { return [] }
            let original = Array(name[..<dot].dropLast(ending.utf8CodeUnitCount))
            return [original, original + name[dot...]]
        }
    }

    /// Returns true for a name that is made of a web address, with other bytes for its marks: `https___example.com_a.png`.
    package static func isAddress(_ name: [UInt8]) -> Bool {
        name.withUnsafeBytes { bytes in
            ["https___", "http___", "https%3A%2F%2F", "http%3A%2F%2F", "https:::", "https---"].contains {
                bytes.position(of: Array($0.utf8)) != nil
            }
        }
    }

    /// Returns true if the files of a log-structured database engine (LevelDB, RocksDB) lie where a file has this name.
    package static func isEngineMark(_ name: UnsafeRawBufferPointer) -> Bool {
        switch name.first {
        case UInt8(ascii: "M"): hasPrefix(name, prefix: "MANIFEST-")
        case UInt8(ascii: "C"): name.elementsEqual("CURRENT".utf8)
        case UInt8(ascii: "I"): name.elementsEqual("IDENTITY".utf8)
        default: false
        }
    }

    /// Returns true if a log-structured database engine (LevelDB, RocksDB) names its own log so.
    static func isEngineLog(_ name: UnsafeRawBufferPointer) -> Bool {
        name.first == UInt8(ascii: "L") && (name.elementsEqual("LOG".utf8) || name.elementsEqual("LOG.old".utf8))
    }

    private static func hasSuffix(_ name: UnsafeRawBufferPointer, suffix: StaticString) -> Bool {
        name.count > suffix.utf8CodeUnitCount
            && name.suffix(suffix.utf8CodeUnitCount).elementsEqual(
                UnsafeBufferPointer(start: suffix.utf8Start, count: suffix.utf8CodeUnitCount))
    }

    private static func hasPrefix(_ name: UnsafeRawBufferPointer, prefix: StaticString) -> Bool {
        name.prefix(prefix.utf8CodeUnitCount).elementsEqual(
            UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte | 0x20 }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }
}
