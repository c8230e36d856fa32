@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("NameScan") struct NameScanTests {
    @Test(
        "A name that other systems reject is detected, with a reason",
        arguments: [
            ("a:b", "“:”"), ("a\\b", "“\\”"), ("a\u{1}", "control"), ("a\u{7f}b", "control"), ("a.", "dot"),
            ("a ", "space"), (String(repeating: "x", count: 256), "255 bytes"), ("a b.txt", nil), ("日記", nil),
            (".hidden", nil), ("..a", nil),
        ])
    func odd(name: String, reason: String?) {
        Array(name.utf8).withUnsafeBytes { bytes in
            #expect(NameScan.isOdd(bytes, scan: NameScan(bytes)) == (reason != nil))
            #expect(
                NameScan.reason(of: bytes).map { text in reason.map { text.contains($0) } ?? false } ?? (reason == nil))
        }
    }
}
