internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
internal import Secrets

/// A cookie of a cookie file, without its value.
struct StoredCookie: Sendable, Hashable {
    let name: String
    let isSecure: Bool
    let isHTTPOnly: Bool
    /// True if the value has the form of a token.
    let hasToken: Bool
}

/// The cookies of a `.binarycookies` file. Reads files up to 16 MiB; at most 10,000 cookies.
///
/// Source: the format's description in interstateone/BinaryCookies and in libyal/dtformats (Safari Cookies): pages in
/// big endian sizes, in each page cookies at little endian offsets, in each cookie flags (1 secure, 4 HTTP only) and
/// the offsets of texts that end with a zero.
enum CookiesFact: Fact {
    static let name = "cookies"
    static let cost = Cost.read
    private static let most = 10_000
    private static let limit = 16 << 20

    static func value(of facts: ItemFacts) -> [StoredCookie] {
        guard facts[FirstBytesFact.self]?.starts(with: "cook".utf8) == true, let bytes = facts.content(limit: limit)
        else { return [] }
        let cookies = bytes.withUnsafeBytes { Self.cookies(in: $0) }
        if cookies.count >= most { facts.leaveOut(.tooManyCookies) }
        return cookies
    }

    static func cookies(in file: UnsafeRawBufferPointer) -> [StoredCookie] {
        guard file.starts(with: "cook".utf8), let pages = number(at: 4, in: file, isBig: true) else { return [] }
        var found: [StoredCookie] = []
        var start = 8 + pages * 4
        for page in 0..<min(pages, file.count / 4) {
            guard let size = number(at: 8 + page * 4, in: file, isBig: true), start <= file.count,
                size <= file.count - start
            else { break }
            addCookies(ofPage: UnsafeRawBufferPointer(rebasing: file[start..<(start + size)]), to: &found)
            start += size
        }
        return found
    }

    private static func addCookies(ofPage page: UnsafeRawBufferPointer, to found: inout [StoredCookie]) {
        guard page.starts(with: [0, 0, 1, 0]), let count = number(at: 4, in: page, isBig: false) else { return }
        for cookie in 0..<min(count, page.count / 4) where found.count < most {
            guard let start = number(at: 8 + cookie * 4, in: page, isBig: false),
                let flags = number(at: start + 8, in: page, isBig: false),
                let offset = number(at: start + 20, in: page, isBig: false), offset <= page.count - start
            else { continue }
            // A name is short; a longer one is cut.
            let name = page[(start + offset)...].prefix(128).prefix { $0 != 0 }
            found.append(
                StoredCookie(
                    name: String(decoding: name, as: UTF8.self), isSecure: flags & 1 != 0, isHTTPOnly: flags & 4 != 0,
                    hasToken: hasToken(page, cookie: start)))
        }
    }

    private static func hasToken(_ page: UnsafeRawBufferPointer, cookie: Int) -> Bool {
        guard let offset = number(at: cookie + 28, in: page, isBig: false), offset <= page.count - cookie else {
            return false
        }
        let value = page[(cookie + offset)...].prefix(SecretValue.longestOpaque).prefix { $0 != 0 }
        let text = String(decoding: value, as: UTF8.self)
        return SecretShape.isContained(in: text) || SecretValue.isOpaque(text) || SecretValue.isKey(text)
    }

    /// Four bytes; nil outside the bytes.
    private static func number(at start: Int, in bytes: UnsafeRawBufferPointer, isBig: Bool) -> Int? {
        guard start >= 0, start <= bytes.count - 4 else { return nil }
        let word = bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
        return Int(isBig ? UInt32(bigEndian: word) : UInt32(littleEndian: word))
    }
}
