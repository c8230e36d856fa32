/// A value that is too short to show by itself that it is a secret, as evidence together with its name.
package enum SecretValue {
    /// Bytes of the shortest password that is reported.
    static let shortestPassword = 6
    /// Bytes of the shortest token or key that is reported.
    static let shortestKey = 10
    private static let longest = 128

    /// Returns false for a text that no name makes a secret: a sentence, and a text that is too short or too long.
    package static func isPossible(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(isPossible)
    }

    /// The same for the bytes of a text.
    package static func isPossible(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        (shortestPassword...longestOpaque).contains(bytes.count)
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7f }
    }

    /// Returns true if a text may be a password: it mixes letters with digits or symbols, and is no placeholder, no
    /// sentence, no address and no technical term.
    static func isPassword(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (shortestPassword...longest).contains(bytes.count), isOneWord(bytes), !isPlaceholder(text, bytes: bytes),
            !isReference(text), !isIdentifier(bytes) || isPassphrase(bytes)
        else { return false }
        // A mark at the end belongs to a caption: “Password?”, “Passwort*”.
        let core = bytes.reversed().drop { "!?:.,*".utf8.contains($0) }.reversed()
        guard core.contains(where: isLetter) else { return false }
        return core.contains(where: isDigit) || core.contains { "!@#$%^&*+=?~|".utf8.contains($0) }
    }

    /// Returns true if a text may be a token or a key: letters and digits in turn, of no words.
    package static func isKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (shortestKey...longest).contains(bytes.count), bytes.allSatisfy(isOfToken),
            !isPublic(text, bytes: bytes), !isOfWords(bytes), !isPlaceholder(text, bytes: bytes),
            !isReference(text), !isIdentifier(bytes)
        else { return false }
        return Set(bytes).count >= 7
    }

    /// Returns true if a text has the length and the digits of an MD5, SHA-1 or SHA-256 digest.
    static func isDigest(_ text: String) -> Bool {
        [32, 40, 64].contains(text.utf8.count) && text.utf8.allSatisfy(isHexDigit)
    }

    /// Returns true for words with a number, as generators of passwords write them: `moor-hen-27`. Names of methods and
    /// screens (`password-reset-v2`, `step-3-title`) have a word about them.
    private static func isPassphrase(_ bytes: [UInt8]) -> Bool {
        let parts = bytes.split { "._-".utf8.contains($0) }
        let words = parts.filter { $0.count >= 3 && $0.allSatisfy(isLetter) }
        return words.count >= 2 && parts.contains { $0.allSatisfy(isDigit) }
            && parts.count == words.count + parts.count { $0.allSatisfy(isDigit) }
            && !words.map(lower).contains { terms.contains($0) || wordsAboutPasswords.contains($0) }
    }

    private static let wordsAboutPasswords = words(
        """
        account alert app auth button caption change char chars character code com confirm credential description enter
        error field forgot form format help hint input key label link login max message min missing net new old org pass
        passcode passphrase passwd password placeholder policy prompt recover recovery required reset rule rules screen secret
        set settings short show signin signup text title token update user username validation view weak word wrong
        """)

    private static func isOneWord(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { $0 > 0x20 && $0 != 0x7f } }

    /// Returns true for a placeholder: `changeme`, `********`, `<password>`, `${PASSWORD}`, `$PASSWORD`, `%PASSWORD%`,
    /// `%1$@`.
    private static func isPlaceholder(_ text: String, bytes: [UInt8]) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return true }
        if "<{[(".utf8.contains(first) && ">}])".utf8.contains(last) { return true }
        if text.wholeMatch(of: /\$[A-Z0-9_]+|%[A-Z0-9_]+%/) != nil { return true }
        let marks = [
            "****", "xxxx", "XXXX", "...", "\u{2022}\u{2022}", "{{", "${", "$(", "%{", "%@", "$@", "%s", "%d", "__",
        ]
        if marks.contains(where: text.contains) { return true }
        let letters = text.lowercased().utf8.filter { isLetter($0) || isDigit($0) }
        guard Set(bytes).count > 3 else { return true }
        return placeholders.contains(String(decoding: letters, as: UTF8.self))
    }

    private static let placeholders: Set<String> = [
        "changeme", "changeit", "password", "passwd", "passphrase", "secret", "token", "apikey", "privatekey",
        "yourpassword", "yoursecret", "yourtoken", "yourapikey", "mypassword", "example", "placeholder", "redacted",
        "removed", "hidden", "masked", "undefined", "unknown", "default", "insertpasswordhere", "enterpassword",
    ]

    /// An address, a path, an email address or a query.
    private static func isReference(_ text: String) -> Bool {
        if text.contains("://") || text.hasPrefix("/") || text.hasPrefix("~/") || text.hasPrefix("./") { return true }
        if let at = text.firstIndex(of: "@"), text[at...].contains("."), text[..<at].allSatisfy(isOfAddress) {
            return true
        }
        return text.contains("=") && text.contains("&")
    }

    private static func isOfAddress(_ letter: Character) -> Bool {
        letter.isLetter || letter.isNumber || "._+-".contains(letter)
    }

    /// A UUID, a number, a date, a version, a key of a table or a technical term: words and numbers with separators.
    private static func isIdentifier(_ bytes: [UInt8]) -> Bool {
        if isUUID(bytes) { return true }
        if bytes.starts(with: "0x".utf8), bytes.dropFirst(2).allSatisfy(isHexDigit) { return true }
        guard bytes.allSatisfy({ isLetter($0) || isDigit($0) || "._:/-".utf8.contains($0) }) else { return false }
        return bytes.split { "._:/-".utf8.contains($0) }.allSatisfy(isPlain)
    }

    /// A word, a number, or a technical term of both: `v2`, `step3`, `sha256`, `0x1f`, `01T00`.
    private static func isPlain(_ part: ArraySlice<UInt8>) -> Bool {
        let word = part.prefix { isLetter($0) }
        let number = part.dropFirst(word.count)
        if word.isEmpty {
            // A number, with a unit or the mark of a date.
            let rest = number.drop(while: isDigit)
            return rest.isEmpty || rest.count <= 3 && number.count - rest.count <= 4
        }
        guard number.allSatisfy(isDigit) else { return terms.contains(lower(word)) }
        return number.isEmpty || word.count == 1 && number.count <= 4 || terms.contains(lower(word))
    }

    private static func lower(_ word: ArraySlice<UInt8>) -> String {
        String(decoding: word, as: UTF8.self).lowercased()
    }

    /// Words that come with a number and are no secret.
    private static let terms = words(
        """
        aes alpha argon base beta build case ed es flow group hmac hs http ios iphone level md method mode oauth option page
        pbkdf pin pkcs plan rc rs rsa screen secp sha stage state step style test type utf variant version
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte | 0x20 }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")) ~= byte | 0x20
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }
}
