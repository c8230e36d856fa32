/// The name of a value, as evidence that the value is a secret.
package enum SecretName {
    /// The kind of secret that a name announces.
    package enum Kind: Sendable {
        /// Chosen by a person: a password, a passphrase.
        case password
        /// Made by a machine: a token, a key.
        case key
    }

    /// Any of these, in whatever spelling: `access_token`, `accessToken`, `com.example.AccessToken`.
    private static let words = WordSearch([
        "password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "apikey", "accesskey", "privatekey",
        "encryptionkey", "sessionkey", "sessionid", "credential", "authorization", "bearer", "jwt",
    ])

    /// Names with such a word that unlock nothing: what is public, names a device, or marks a position in a list.
    private static let harmless = WordSearch([
        "public", "publishable", "devicetoken", "pushtoken", "voiptoken", "pushkittoken", "apnstoken", "fcmtoken",
        "apns", "pagetoken", "nexttoken", "synctoken", "changetoken", "continuationtoken", "ubiquityidentity",
        "canceltoken", "tokenid", "tokenizer", "tokenname", "tokentype", "secretname", "keychainaccount",
    ])

    /// Returns true if a name contains a word for a secret, in any spelling, and no word that makes it harmless.
    package static func isSecret(_ name: String) -> Bool {
        let letters = name.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"): nil
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
            default: byte
            }
        }
        return letters.withUnsafeBufferPointer { bytes in
            (words.isMet(in: bytes) || endsWithAuth(bytes, name: name)) && !harmless.isMet(in: bytes)
        } && !isResource(name)
    }

    /// Returns true for `auth` as the last word: `auth`, `basic_auth`, `userAuth`, but not `author`.
    private static func endsWithAuth(_ letters: UnsafeBufferPointer<UInt8>, name: String) -> Bool {
        letters.suffix(4).elementsEqual("auth".utf8) && split(name).last == "auth"
    }

    /// The kind of secret that a name is for; nil if its last word is not one for a secret (`password_label`), or if it
    /// is a prompt or an option (`enter_password`, `requiresPassword`).
    package static func kind(of name: String) -> Kind? {
        guard isSecret(name) else { return nil }
        var words = split(name)
        while let last = words.last, endings.contains(last) { words.removeLast() }
        guard let last = words.last, !words.contains(where: prompts.contains) else { return nil }
        if passwords.contains(where: last.hasSuffix) { return .password }
        if keys.contains(where: last.hasSuffix) { return .key }
        let pair = words.suffix(2).joined()
        return words.count > 1 && keys.contains(where: pair.hasSuffix) ? .key : nil
    }

    /// Returns true if a name ends with a word for a text, a picture or a setting about a secret: `password_icon`.
    static func isAboutSecret(_ name: String) -> Bool {
        split(name).last.map(descriptions.contains) ?? false
    }

    private static let passwords = [
        "password", "passwd", "passphrase", "passcode", "pwd", "secret", "credential", "credentials",
    ]
    private static let keys = [
        "token", "jwt", "bearer", "authorization", "apikey", "accesskey", "privatekey", "secretkey", "encryptionkey",
        "sessionkey", "sessionid", "authkey", "auth", "masterkey", "signingkey",
    ]
    /// Last words that leave the meaning of the name as it is.
    private static let endings: Set<String> = ["value", "string", "plain", "plaintext", "base", "hex", "data", "v"]
    private static let prompts: Set<String> = [
        "enter", "forgot", "forgotten", "reset", "change", "confirm", "create", "show", "hide", "your", "invalid",
        "wrong", "incorrect", "missing", "weak", "choose", "update", "recover", "retype", "repeat", "verify", "no",
        "require", "required", "requires", "use", "uses", "has", "is", "need", "needs", "should", "allow", "allows",
        "remember", "enable", "enabled", "disable", "disabled", "with", "without", "label", "title", "message", "hint",
        "placeholder", "error", "screen", "localized", "lbl", "msg", "txt", "button", "btn",
    ]
    private static let descriptions: Set<String> = [
        "label", "title", "message", "hint", "placeholder", "text", "icon", "image", "picture", "screen", "button",
        "page", "view", "url", "link", "endpoint", "path", "file", "checksum", "digest", "etag", "version", "variant",
        "format", "type", "algorithm", "policy",
    ]

    /// Extensions of files that apps bundle or download: a name with one is a file's, and its value often a digest.
    private static let resources: Set<String> = [
        "png", "jpg", "jpeg", "gif", "svg", "webp", "pdf", "js", "css", "html", "htm", "json", "strings", "xml",
        "plist",
        "nib", "car", "ttf", "otf", "woff", "woff2", "mp3", "mp4", "m4a", "wav", "caf", "mov", "lua", "map", "txt",
        "md",
        "bundle", "zip",
    ]

    private static func isResource(_ name: String) -> Bool {
        if name.utf8.contains(UInt8(ascii: "/")) { return true }
        guard let dot = name.lastIndex(of: ".") else { return false }
        return resources.contains(name[name.index(after: dot)...].lowercased())
    }

    /// The words of a name in small letters, split at camel case and at anything that is not a letter.
    private static func split(_ name: String) -> [String] {
        var words: [String] = []
        var name = name
        name.withUTF8 { bytes in
            NameWords.forEach(in: UnsafeRawBufferPointer(bytes)) { words.append(NameWords.text($0)) }
        }
        return words
    }
}
