internal import CFileSystem
internal import Foundation

extension SecretShape {
    /// Returns the secrets that begin at one of `starts` in the bytes, at most `most`. By default, all.
    ///
    /// The time is that of reading the bytes once: a table of three bytes of each form selects the few positions that are looked
    /// at, and no run is longer than 4,096 bytes.
    package static func matches(
        in bytes: UnsafeRawBufferPointer, from starts: Range<Int>? = nil, most: Int = .max
    ) -> [Match] {
        SecretSearch.shared.matches(in: bytes, from: starts ?? 0..<bytes.count, most: most)
    }
}

/// A search for all known forms at once.
private struct SecretSearch: Sendable {
    static let shared = SecretSearch()

    /// A form that has three bytes at a distance from its first literal.
    private struct Candidate: Sendable {
        let form: Form
        let distance: Int
    }

    private enum Form: Sendable {
        case known(KnownSecrets.Entry)
        case webToken, privateKey, password, header(scheme: Scheme), otp

        enum Scheme { case none, bearer, basic }
    }

    /// The candidates by the hash of their three bytes.
    private var candidates: [UInt16: [Candidate]] = [:]
    /// A bit for each hash with candidates.
    private var table = [UInt8](repeating: 0, count: 8_192)
    /// The most bytes between the start of a match and the three bytes.
    private let margin = 64

    private init() {
        for entry in KnownSecrets.entries { add(.known(entry), literal: entry.pattern.anchor) }
        add(.webToken, literal: Self.objectStart)
        add(.privateKey, literal: Self.pemStart)
        add(.password, literal: Self.authorityStart)
        for start in Self.bearerStarts { add(.header(scheme: .bearer), literal: start) }
        add(.header(scheme: .basic), literal: Self.basicStart)
        for start in Self.headerStarts { add(.header(scheme: .none), literal: start) }
        add(.otp, literal: Self.otpStart)
    }

    /// Adds a form under three bytes of its literal that are not all equal. A literal of two bytes is followed by a hexadecimal
    /// digit.
    private mutating func add(_ form: Form, literal: [UInt8]) {
        guard literal.count > 2 else {
            for digit in "0123456789abcdefABCDEF".utf8 { add(form, literal: literal + [digit]) }
            return
        }
        let distance = (0...(literal.count - 3)).first { Set(literal[$0..<($0 + 3)]).count > 1 } ?? 0
        let hash = Self.hash(literal[distance], literal[distance + 1], third: literal[distance + 2])
        table[Int(hash >> 3)] |= 1 << UInt8(hash & 7)
        candidates[hash, default: []].append(Candidate(form: form, distance: distance))
    }

    private static func hash(_ first: UInt8, _ second: UInt8, third: UInt8) -> UInt16 {
        let word = UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16
        return UInt16(truncatingIfNeeded: (word &* 2_654_435_761) >> 16)
    }

    func matches(in bytes: UnsafeRawBufferPointer, from starts: Range<Int>, most: Int) -> [SecretShape.Match] {
        var found: [SecretShape.Match] = []
        guard let base = bytes.baseAddress, most > 0 else { return found }
        // No secret begins before this.
        var free = starts.lowerBound
        // If one start in a run of letters begins no token, no other in it does.
        var noTokenBefore = 0
        var position = starts.lowerBound
        let end = min(bytes.count, starts.upperBound + margin)
        while found.count < most {
            position = table.withUnsafeBufferPointer { cfs_next_marked($0.baseAddress, base, position, end) }
            guard position < end else { break }
            let hash = Self.hash(bytes[position], bytes[position + 1], third: bytes[position + 2])
            for candidate in candidates[hash] ?? [] {
                guard
                    let match = match(
                        candidate, at: position - candidate.distance, in: bytes, noTokenBefore: &noTokenBefore),
                    match.start >= free, starts.contains(match.start)
                else { continue }
                found.append(match)
                free = match.start + match.length
                break
            }
            position = max(position + 1, free)
        }
        return found
    }

    private func match(
        _ candidate: Candidate, at start: Int, in bytes: UnsafeRawBufferPointer, noTokenBefore: inout Int
    ) -> SecretShape.Match? {
        guard start >= 0 else { return nil }
        switch candidate.form {
        case .known(let entry):
            guard let range = entry.pattern.match(at: start, in: bytes) else { return nil }
            if entry.isBounded, range.lowerBound > 0,
                SecretPattern.Characters.isAlphanumeric(bytes[range.lowerBound - 1])
            {
                return nil
            }
            guard !Self.isPlaceholder(bytes[range]) else { return nil }
            return SecretShape.Match(shape: entry.shape, start: range.lowerBound, length: range.count)
        case .webToken: return start >= noTokenBefore ? Self.webToken(at: start, in: bytes, &noTokenBefore) : nil
        case .privateKey: return Self.pem(at: start, in: bytes)
        case .password: return Self.password(at: start, in: bytes)
        case .header(let scheme): return Self.header(scheme, at: start, in: bytes)
        case .otp: return Self.otp(at: start, in: bytes)
        }
    }

    // MARK: - Forms

    /// Three parts in Base64 for URLs, of which the first two are objects of JSON. Source: RFC 7519.
    private static func webToken(
        at start: Int, in bytes: UnsafeRawBufferPointer, _ noTokenBefore: inout Int
    ) -> SecretShape.Match? {
        let opening = objectStart
        guard SecretPattern.has(opening, at: start, in: bytes) else { return nil }
        let header = run(.word, from: start, in: bytes)
        let second = start + header + 1
        noTokenBefore = second
        guard header >= 10, second < bytes.count, bytes[second - 1] == UInt8(ascii: "."),
            SecretPattern.has(opening, at: second, in: bytes)
        else { return nil }
        let payload = run(.word, from: second, in: bytes)
        let third = second + payload + 1
        guard third < bytes.count, bytes[third - 1] == UInt8(ascii: ".") else { return nil }
        let signature = run(.word, from: third, in: bytes)
        guard signature >= 16, !isPublic(bytes[second..<(second + payload)]) else { return nil }
        return SecretShape.Match(shape: .webToken, start: start, length: third + signature - start)
    }

    /// Supabase gives every app a token for the role `anon`, which is made to be public.
    private static func isPublic(_ payload: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard payload.count <= 8_192 else { return false }
        let text = String(decoding: payload, as: UTF8.self).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding) else { return false }
        return String(decoding: data, as: UTF8.self).contains("\"role\":\"anon\"")
    }

    private static let objectStart = Array("eyJ".utf8)
    private static let authorityStart = Array("://".utf8)
    private static let bearerStarts = ["Bearer ", "bearer "].map { Array($0.utf8) }
    private static let basicStart = Array("Basic ".utf8)
    private static let headerStarts = ["uthorization: ", "uthorization\": \""].map { Array($0.utf8) }
    private static let otpStart = Array("otpauth://".utf8)
    private static let otpName = Array("secret=".utf8)
    private static let pemStart = Array("-----BEGIN ".utf8)
    private static let pemName = Array("PRIVATE KEY".utf8)
    private static let pemEnd = Array("-----END ".utf8)

    /// A private key in PEM. Source: RFC 7468.
    private static func pem(at start: Int, in bytes: UnsafeRawBufferPointer) -> SecretShape.Match? {
        guard SecretPattern.has(pemStart, at: start, in: bytes) else { return nil }
        // `RSA `, `EC `, `OPENSSH `, `ENCRYPTED ` or nothing stands between.
        for words in 0...24 where SecretPattern.has(pemName, at: start + pemStart.count + words, in: bytes) {
            let last = min(bytes.count, start + 16_384)
            let content = start + pemStart.count + words + pemName.count
            guard content <= last else { return nil }
            let end = (content..<last).first { SecretPattern.has(pemEnd, at: $0, in: bytes) } ?? last
            return SecretShape.Match(shape: .privateKey, start: start, length: end - start)
        }
        return nil
    }

    /// The user and the password of an address. Source: RFC 3986, userinfo.
    private static func password(at start: Int, in bytes: UnsafeRawBufferPointer) -> SecretShape.Match? {
        let user = start + 3
        guard SecretPattern.has(authorityStart, at: start, in: bytes) else { return nil }
        let colon = user + run(.part, from: user, in: bytes, atMost: 256)
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { return nil }
        let length = run(.part, from: colon + 1, in: bytes, atMost: 512)
        let end = colon + 1 + length
        guard length >= 4, end < bytes.count, bytes[end] == UInt8(ascii: "@") else { return nil }
        let password = bytes[(colon + 1)..<end]
        let text = String(decoding: password, as: UTF8.self).lowercased()
        guard !isPlaceholder(password),
            !["password", "pass", "passwd", "secret", "changeme", "postgres"].contains(text)
        else { return nil }
        return SecretShape.Match(shape: .address, start: user, length: end - user)
    }

    /// The credentials of a header. Source: RFC 9110, section 11.
    private static func header(
        _ scheme: Form.Scheme, at start: Int, in bytes: UnsafeRawBufferPointer
    ) -> SecretShape.Match? {
        var first = start
        switch scheme {
        case .bearer: first += "Bearer ".utf8.count
        case .basic: first += "Basic ".utf8.count
        case .none:
            guard let literal = headerStarts.first(where: { SecretPattern.has($0, at: start, in: bytes) }) else {
                return nil
            }
            first += literal.count
        }
        if scheme == .bearer, !bearerStarts.contains(where: { SecretPattern.has($0, at: start, in: bytes) }) {
            return nil
        }
        if scheme == .basic, !SecretPattern.has(basicStart, at: start, in: bytes) { return nil }
        let length = run(.token, from: first, in: bytes, atMost: 4_096)
        let token = bytes[min(first, bytes.count)..<min(first + length, bytes.count)]
        guard length >= (scheme == .none ? 8 : 16), !isPlaceholder(token), isMixed(token) else { return nil }
        if scheme == .basic {
            guard let data = Data(base64Encoded: String(decoding: token, as: UTF8.self)),
                data.contains(UInt8(ascii: ":"))
            else { return nil }
        }
        return SecretShape.Match(shape: .header, start: first, length: length)
    }

    /// The key of one-time passwords. Source: Google Authenticator’s key URI format.
    private static func otp(at start: Int, in bytes: UnsafeRawBufferPointer) -> SecretShape.Match? {
        guard SecretPattern.has(otpStart, at: start, in: bytes) else { return nil }
        let name = otpName
        let last = min(bytes.count, start + 512)
        guard
            let found = (start..<last).first(where: { bytes[$0] <= 0x20 || SecretPattern.has(name, at: $0, in: bytes) }
            ),
            bytes[found] > 0x20
        else { return nil }
        let first = found + name.count
        let length = run(.upper, from: first, in: bytes, atMost: 512)
        return length >= 16 ? SecretShape.Match(shape: .otp, start: first, length: length) : nil
    }

    // MARK: - Values

    /// Returns true for a text that stands for a secret in an example: one that repeats itself, or that says so.
    private static func isPlaceholder(_ secret: Slice<UnsafeRawBufferPointer>) -> Bool {
        // The end is the part that differs between secrets of a form.
        let end = secret.suffix(20)
        if Set(end).count < min(end.count, 7) { return true }
        let text = String(decoding: secret.prefix(256), as: UTF8.self).lowercased()
        return ["example", "xxxx", "your", "redacted", "placeholder", "0000000000", "1234567890abcdef", "****", "...."]
            .contains { text.contains($0) }
    }

    /// Returns true if a text has letters and digits, or capital and small letters in turn, as no word has.
    private static func isMixed(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        let digits = text.count { SecretPattern.Characters.isDigit($0) }
        return digits > 0 && (digits < text.count || text.count >= 8)
    }

    private static func run(
        _ characters: SecretPattern.Characters, from start: Int, in bytes: UnsafeRawBufferPointer,
        atMost most: Int = .max
    ) -> Int {
        var end = start
        while end < bytes.count, end - start < most, characters.contains(bytes[end]) { end += 1 }
        return end - start
    }
}
