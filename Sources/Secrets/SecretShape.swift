/// The form by which a text is recognized as a secret, whatever its name.
package struct SecretShape: Sendable, Hashable {
    /// The kind of secret with its article: "a GitHub token".
    package let phrase: String

    package init(_ phrase: String) { self.phrase = phrase }

    /// The kind of secret without its article, in angle brackets. It is shown in place of the secret.
    package var placeholder: String { "<\(phrase.drop { $0 != " " }.dropFirst())>" }

    package static let webToken = SecretShape("a JSON Web Token")
    package static let privateKey = SecretShape("a private key")
    package static let address = SecretShape("an address with a password")
    package static let header = SecretShape("an Authorization header")
    package static let otp = SecretShape("a one-time password key")

    /// A secret in a text.
    package struct Match: Sendable, Hashable {
        package let shape: SecretShape
        /// The first byte of the secret. The bytes before it, such as the host of a webhook, may be shown.
        package let start: Int
        /// Bytes of the secret.
        package let length: Int

        package init(shape: SecretShape, start: Int = 0, length: Int) {
            (self.shape, self.start, self.length) = (shape, start, length)
        }
    }

    /// Bytes of the shortest secret that is recognized by its form.
    package static let shortest = 12
}

extension SecretShape {
    /// Returns the first secret in a text.
    package static func first(in text: String) -> Match? {
        var text = text
        return text.withUTF8 { matches(in: UnsafeRawBufferPointer($0), most: 1).first }
    }

    /// Returns true if bytes contain a secret.
    package static func isContained(in bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= shortest && !matches(in: bytes, most: 1).isEmpty
    }

    /// Returns true if a text contains a secret.
    package static func isContained(in text: String) -> Bool { first(in: text) != nil }
}

/// The display of secrets.
package enum SecretDisplay {
    private static let bound = TaskLocal(wrappedValue: false)

    /// True while a command shows secrets, because the user has asked for them.
    package static var isFull: Bool { bound.get() }

    /// Calls `body` while secrets are shown, or not.
    package static func showing<Value>(_ isFull: Bool, _ body: () throws -> Value) rethrows -> Value {
        try bound.withValue(isFull, operation: body)
    }
}

extension [UInt8] {
    /// The bytes with the kind of each secret in angle brackets in place of the secret: `<GitHub token>`.
    ///
    /// Every name and text that a tool prints passes here.
    package var withoutSecrets: [UInt8] {
        guard count >= SecretShape.shortest else { return self }
        let matches = withUnsafeBytes { SecretShape.matches(in: $0) }
        guard !matches.isEmpty, !SecretDisplay.isFull else { return self }
        var shown: [UInt8] = []
        var start = 0
        for match in matches {
            shown += self[start..<match.start]
            shown += match.shape.placeholder.utf8
            start = match.start + match.length
        }
        return shown + self[start...]
    }
}

extension String {
    /// The text with the kind of each secret in angle brackets in place of the secret.
    package var withoutSecrets: String {
        guard utf8.count >= SecretShape.shortest, SecretShape.isContained(in: self) else { return self }
        return String(decoding: Array(utf8).withoutSecrets, as: UTF8.self)
    }
}
