/// What a secret is called.
enum SecretName {
    /// Any of these, in whatever spelling: `access_token`, `accessToken`, `com.example.AccessToken`.
    private static let words = WordSearch([
        "password", "passwd", "passphrase", "secret", "token", "apikey", "privatekey", "encryptionkey", "sessionkey",
        "sessionid", "credential", "authorization", "bearer", "jwt",
    ])

    /// Names with such a word that unlock nothing: what is public, names a device, or marks a place in a list.
    private static let harmless = WordSearch([
        "public", "publishable", "devicetoken", "pushtoken", "apnstoken", "fcmtoken", "apns", "pagetoken", "nexttoken",
        "synctoken", "changetoken", "continuationtoken", "ubiquityidentity", "canceltoken", "tokenid", "tokenizer",
        "tokenname", "tokentype", "secretname", "keychainaccount",
    ])

    /// Whether a name, in small letters, says that its value is a secret.
    static func isSecret(_ name: String) -> Bool {
        let letters = name.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
        return letters.withUnsafeBufferPointer { words.isMet(in: $0) && !harmless.isMet(in: $0) }
    }
}
