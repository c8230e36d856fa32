internal import Crypto
internal import SystemPackage

/// What an entry is called in the manifest and on disk: the SHA-1 of its domain, a hyphen and its path, as 40
/// hexadecimal digits.
///
/// Since domains hold hyphens too, two entries may have one identifier (`AppDomain-a` with `b-c`, `AppDomain-a-b` with
/// `c`). Apple's layout has no answer to that; a writer refuses the second.
struct FileIdentifier: Sendable, Hashable {
    let text: String

    init(of domain: BackupDomain, _ path: BackupPath) {
        var sum = Insecure.SHA1()
        sum.update(data: Array(domain.name.utf8) + [UInt8(ascii: "-")] + Array(path.bytes))
        text = Self.hexadecimal(sum.finalize())
    }

    /// Nil for what is not 40 digits, letters small.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 40, bytes.allSatisfy(Self.isDigit) else { return nil }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The folder of its payload.
    var folder: String { String(text.prefix(2)) }

    /// Where its payload lies, from the backup's folder.
    var payload: FilePath { FilePath("\(folder)/\(text)") }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xf)]] }, as: UTF8.self)
    }
}
