internal import AppContainer
internal import Foundation

/// The shape of a secret, independent of its name.
///
/// Sources: RFC 7519 (JSON Web Token), RFC 7468 (PEM), and the token prefixes that GitHub, GitLab, Slack and Stripe
/// document for exactly this purpose.
enum SecretShape: String, Sendable, CaseIterable {
    case webToken = "a JSON Web Token"
    case github = "a GitHub token"
    case gitlab = "a GitLab token"
    case slack = "a Slack token"
    case stripe = "a live Stripe key"
    case privateKey = "a private key"
    /// Long, mixed, of no words; a secret only under a name that says so.
    case opaque = "an opaque value"
    /// Letters with digits or symbols; a secret only as the value of a password.
    case password = "a password"
    /// Letters and digits of no words; a secret only as the value of a token or key.
    case shortKey = "a short token or key"

    /// A secret that its own shape gives away.
    struct Match: Sendable, Hashable {
        let shape: SecretShape
        /// Bytes.
        let length: Int
    }

    /// The prefixes of tokens and the minimum number of letters after them.
    private static let prefixes: [(shape: SecretShape, prefix: [UInt8], least: Int)] = [
        (.github, "ghp_", 36), (.github, "gho_", 36), (.github, "ghu_", 36), (.github, "ghs_", 36),
        (.github, "ghr_", 36), (.github, "github_pat_", 60), (.gitlab, "glpat-", 20), (.slack, "xoxb-", 20),
        (.slack, "xoxp-", 20), (.slack, "xoxa-", 20), (.slack, "xoxr-", 20), (.slack, "xoxs-", 20),
        (.stripe, "sk_live_", 20), (.stripe, "rk_live_", 20),
    ].map { ($0, Array($1.utf8), $2) }
    private static let tokenStart = Array("eyJ".utf8)
    private static let pemStart = Array("-----BEGIN ".utf8)
    private static let pemName = Array("PRIVATE KEY".utf8)
    private static let pemEnd = Array("-----END ".utf8)

    /// A byte that few texts contain, and its distances from the beginnings of the secrets whose first mark it is.
    private struct Mark {
        let byte: UInt8
        let distances: [Int]
    }
    private static let marks: [Mark] = {
        let bytes = Array("_-J".utf8)
        let beginnings = prefixes.map(\.prefix) + [tokenStart, pemStart]
        let first = beginnings.compactMap { $0.firstIndex(where: bytes.contains) }
        return bytes.map { byte in
            let distances = zip(beginnings, first).filter { $0[$1] == byte }.map(\.1)
            return Mark(byte: byte, distances: Set(distances).sorted(by: >))
        }
    }()
    private static let longestDistance = marks.flatMap(\.distances).max() ?? 0

    /// The secrets that begin at one of `starts` in `bytes`; at most `most`. The time is that of reading the bytes once.
    static func strong(in bytes: UnsafeRawBufferPointer, from starts: Range<Int>, most: Int = 1) -> [Match] {
        var found: [Match] = []
        // No secret begins before this.
        var position = starts.lowerBound
        // Where one start in a run of letters begins no token, no other in it does.
        var noTokenBefore = 0
        let end = min(bytes.count, starts.upperBound + longestDistance)
        let marked = UnsafeRawBufferPointer(rebasing: bytes[..<end])
        // The next position of each mark.
        var nexts = SIMD4(repeating: end)
        for index in marks.indices { nexts[index] = marked.position(of: marks[index].byte, from: position) ?? end }
        while found.count < most {
            let next = nexts.min()
            guard next < end, let index = nexts.indices.first(where: { nexts[$0] == next }) else { break }
            nexts[index] = marked.position(of: marks[index].byte, from: next + 1) ?? end
            for distance in marks[index].distances where starts.contains(next - distance) {
                let start = next - distance
                guard start >= position, let match = match(at: start, in: bytes, &noTokenBefore) else { continue }
                found.append(match)
                position = start + match.length
                break
            }
        }
        return found
    }

    private static func match(
        at start: Int, in bytes: UnsafeRawBufferPointer, _ noTokenBefore: inout Int
    ) -> Match? {
        switch bytes[start] {
        case UInt8(ascii: "e") where start >= noTokenBefore: webToken(at: start, in: bytes, &noTokenBefore)
        case UInt8(ascii: "-"): pem(at: start, in: bytes)
        case UInt8(ascii: "g"), UInt8(ascii: "s"), UInt8(ascii: "r"), UInt8(ascii: "x"): prefixed(at: start, in: bytes)
        default: nil
        }
    }

    /// The first secret in a text.
    static func strong(in text: String) -> Match? {
        var text = text
        return text.withUTF8 { strong(in: UnsafeRawBufferPointer($0), from: 0..<$0.count).first }
    }

    /// Returns true if there is one.
    static func hasStrong(_ text: String) -> Bool { strong(in: text) != nil }

    /// Returns true if there is one in the bytes of a text.
    static func hasStrong(_ text: UnsafeRawBufferPointer) -> Bool {
        text.count >= shortest && !strong(in: text, from: 0..<text.count).isEmpty
    }

    private static func prefixed(at start: Int, in bytes: UnsafeRawBufferPointer) -> Match? {
        for (shape, prefix, least) in prefixes where has(prefix, at: start, in: bytes) {
            let first = start + prefix.count
            guard word(from: first, in: bytes, atMost: least) == least else { continue }
            // What stands for a token in an example repeats itself.
            guard entropy(bytes[first..<(first + least)]) > 2.5 else { continue }
            return Match(shape: shape, length: prefix.count + word(from: first, in: bytes, atMost: 512))
        }
        return nil
    }

    /// Three parts in Base64 for URLs, of which the first two are objects of JSON.
    private static func webToken(
        at start: Int, in bytes: UnsafeRawBufferPointer, _ noTokenBefore: inout Int
    ) -> Match? {
        guard has(tokenStart, at: start, in: bytes) else { return nil }
        let header = word(from: start, in: bytes)
        let second = start + header + 1
        noTokenBefore = second
        guard header >= 10, second < bytes.count, bytes[second - 1] == UInt8(ascii: "."),
            has(tokenStart, at: second, in: bytes)
        else { return nil }
        let payload = word(from: second, in: bytes)
        let third = second + payload + 1
        guard third < bytes.count, bytes[third - 1] == UInt8(ascii: ".") else { return nil }
        let signature = word(from: third, in: bytes)
        guard signature >= 16, !isPublic(bytes[second..<(second + payload)]) else { return nil }
        return Match(shape: .webToken, length: third + signature - start)
    }

    /// Supabase gives every app a token for the role `anon`, which is made to be public.
    private static func isPublic(_ payload: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard payload.count <= 8192 else { return false }
        let text = String(decoding: payload, as: UTF8.self).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding) else { return false }
        return String(decoding: data, as: UTF8.self).contains("\"role\":\"anon\"")
    }

    private static func pem(at start: Int, in bytes: UnsafeRawBufferPointer) -> Match? {
        guard has(pemStart, at: start, in: bytes) else { return nil }
        // `RSA `, `EC `, `OPENSSH `, `ENCRYPTED ` or nothing stands between.
        for words in 0...24 where has(pemName, at: start + pemStart.count + words, in: bytes) {
            let last = min(bytes.count, start + 16_384)
            let end = (start..<last).first { has(pemEnd, at: $0, in: bytes) } ?? last
            return Match(shape: .privateKey, length: end - start)
        }
        return nil
    }

    private static func has(_ prefix: [UInt8], at start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard start + prefix.count <= bytes.count else { return false }
        for index in prefix.indices where bytes[start + index] != prefix[index] { return false }
        return true
    }

    /// Returns the number of letters, digits, `-` and `_` that follow.
    private static func word(from start: Int, in bytes: UnsafeRawBufferPointer, atMost most: Int = .max) -> Int {
        var end = start
        while end < bytes.count, end - start < most, isWord(bytes[end]) { end += 1 }
        return end - start
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        Letter(byte) != .other || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

extension SecretShape {
    /// Bytes of the shortest secret.
    static let shortest = 20
    /// Bytes of the longest opaque value.
    static let longestOpaque = 4096

    /// Returns true if a text is long, mixed and of no words: 20 bytes or more, more than 3.5 bits each, letters and
    /// digits.
    ///
    /// No UUID, no address, no path of words, no key that its maker calls public.
    static func isOpaque(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(longestOpaque + 1))
        guard (shortest...longestOpaque).contains(bytes.count), bytes.allSatisfy(isOfToken), !isPublic(text, bytes)
        else {
            return false
        }
        return entropy(bytes) > 3.5 && !isOfWords(bytes)
    }

    /// Returns true for a UUID and for a key that its maker calls public.
    static func isPublic(_ text: String, _ bytes: [UInt8]) -> Bool {
        let known = ["AIza", "pk_live_", "pk_test_", "sk_test_", "pk.ey", "ca-app-pub-"]
        return isUUID(bytes) || known.contains(where: text.hasPrefix)
            || text.hasSuffix(".apps.googleusercontent.com")
    }

    static func isOfToken(_ byte: UInt8) -> Bool { isWord(byte) || "+/=.~".utf8.contains(byte) }

    static func isUUID(_ bytes: [UInt8]) -> Bool {
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
    static func entropy(_ bytes: some Collection<UInt8>) -> Double {
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
