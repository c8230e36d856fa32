internal import AppContainer
internal import Foundation
package import Secrets

/// Values that are secrets only under a name that says so.
extension SecretShape {
    /// Long, mixed, of no words.
    package static let opaque = SecretShape("an opaque value")
    /// Letters with digits or symbols; only as the value of a password.
    package static let password = SecretShape("a password")
    /// Letters and digits of no words; only as the value of a token or key.
    package static let shortKey = SecretShape("a short token or key")
}

extension String {
    /// True for the name of a secret, in any spelling.
    package var isNameOfSecret: Bool { SecretName.isSecret(self) }

    /// The text without secrets, as it is shown under a name. A text that is a secret under this name is replaced by its kind.
    package func withoutSecrets(named name: String) -> String {
        guard !SecretDisplay.isFull else { return self }
        if let shape = SecretValue.shape(of: self, named: name) { return shape.placeholder }
        return withoutSecrets
    }
}

extension SecretValue {
    /// Returns the kind of secret that a text is under a name, if only the name shows it.
    package static func shape(of text: String, named name: String) -> SecretShape? {
        // A cheap test first: few texts have the form of a password or key.
        guard isPossible(text), SecretName.isSecret(name) else { return nil }
        let kind = SecretName.kind(of: name)
        if isOpaque(text) {
            // Tables of resources list pictures and texts about passwords with their digests.
            return kind == nil && (isDigest(text) || SecretName.isAboutSecret(name)) ? nil : .opaque
        }
        switch kind {
        case .password where isPassword(text): return .password
        case .password where isKey(text), .key where isKey(text): return .shortKey
        default: return nil
        }
    }

    /// Bytes of the shortest opaque value.
    static let shortestOpaque = 20
    /// Bytes of the longest opaque value.
    package static let longestOpaque = 4096

    /// Returns true if a text is long, mixed and of no words: 20 bytes or more, more than 3.5 bits each, letters and
    /// digits.
    ///
    /// No UUID, no address, no path of words, no key that its maker calls public.
    package static func isOpaque(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(longestOpaque + 1))
        guard (shortestOpaque...longestOpaque).contains(bytes.count), bytes.allSatisfy(isOfToken),
            !isPublic(text, bytes: bytes)
        else {
            return false
        }
        return entropy(bytes) > 3.5 && !isOfWords(bytes)
    }

    /// Returns true for a UUID and for a key that its maker calls public.
    package static func isPublic(_ text: String, bytes: [UInt8]) -> Bool {
        let known = ["AIza", "pk_live_", "pk_test_", "sk_test_", "pk.ey", "ca-app-pub-"]
        return isUUID(bytes) || known.contains(where: text.hasPrefix)
            || text.hasSuffix(".apps.googleusercontent.com")
    }

    static func isOfToken(_ byte: UInt8) -> Bool {
        Letter(byte) != .other || "-_+/=.~".utf8.contains(byte)
    }

    package static func isUUID(_ bytes: [UInt8]) -> Bool {
        bytes.count == 36 && bytes.withUnsafeBytes { StoredPath.isIdentifier(at: 0, in: $0) }
    }

    /// Returns true if letters and digits change as seldom as in names such as `password-reset-v2`. A random text
    /// changes at two places of five.
    static func isOfWords(_ bytes: [UInt8]) -> Bool {
        let letters = bytes.map(Letter.init).filter { $0 != .other }
        guard letters.contains(.digit), letters.contains(where: { $0 != .digit }) else { return true }
        let changes = zip(letters, letters.dropFirst()).count { $0 != $1 && ($0, $1) != (.capital, .small) }
        return changes * 5 < letters.count
    }

    /// Bits for each byte. Source: C. E. Shannon, A Mathematical Theory of Communication.
    package static func entropy(_ bytes: some Collection<UInt8>) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        for byte in bytes { counts[Int(byte)] += 1 }
        let total = Double(bytes.count)
        return counts.reduce(0) { sum, count in
            guard count > 0 else { return sum }
            let share = Double(count) / total
            return sum - share * log2(share)
        }
    }

    private enum Letter {
        case small, capital, digit, other

        init(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): self = .small
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .capital
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .digit
            default: self = .other
            }
        }
    }
}
