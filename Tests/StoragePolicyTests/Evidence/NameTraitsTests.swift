@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("NameTraits") struct NameTraitsTests {
    @Test(
        "Names of numbers, hashes, tokens and cameras are opaque and contain no words",
        arguments: [
            "0cc175b9c0f1b6a831c399e269772661.pdf", "3C2F9A1E-AD4B-4AB0-8F6B-1DB0AD12AB34.jpg", "IMG_0001.HEIC",
            "IMG_E1234.JPG", "IMG_0001 (2).jpg", "IMG_0001 2.jpg", "DSCF1234.jpg", "DSC_0042.jpg", "12345.mp4", "1.png",
            "Q2hlY2sgdGhpcw8xYzA.dat", "ad12ab34.jpg", "aB3dE5fG7hI9jK1lM3.bin",
        ])
    func opaque(name: String) throws {
        let traits = try traits(Array(name.utf8))
        #expect(traits.shape.contains(.opaque))
        #expect(traits.themes == 0 && traits.head == -1)
    }

    @Test(
        "Names of words are not opaque",
        arguments: [
            "face.jpg", "decade.png", "deadbeef.bin", "RemoteConfigCache2023Data.json", "receipt-2023.pdf",
            "a1 bad z.txt",
        ])
    func readable(name: String) throws { #expect(try !traits(Array(name.utf8)).shape.contains(.opaque)) }

    @Test(
        "A name is that of a log if “log” is a separate word",
        arguments: [
            ("app.log", true), ("app.log.1", true), ("log_2023.txt", true), ("app-log.txt", true), ("logs.zip", true),
            ("Log", true), ("log1.txt", true), ("LOG", false), ("LOG.old", false), ("catalog.json", false),
            ("login.json", false), ("blogs", false),
            ("lo", false), ("", false),
        ])
    func log(name: String, isLog: Bool) throws {
        #expect(try traits(Array(name.utf8)).shape.contains(.log) == isLog)
    }

    @Test(
        "Scales and derived files are recognized by their names",
        arguments: [
            ("icon@2x.png", true, false), ("icon@3x~ipad.png", true, false), ("a@4x.png", false, false),
            ("me@2x", true, false), ("me@2", false, false), ("@", false, false), ("photo.jpg.thumb", false, true),
            ("a.preview", false, true),
            ("a.wav.waveform.png", false, true), ("a-thumbnail.jpg", false, true), ("a.waveform", false, false),
            ("a_th.jpg", false, true), ("month.jpg", false, false), (".thumb", false, false),
        ])
    func shapes(name: String, isScale: Bool, isDerived: Bool) throws {
        let shape = try traits(Array(name.utf8)).shape
        #expect(shape.contains(.scale) == isScale && shape.contains(.derived) == isDerived)
    }

    @Test("The last word with a theme is the head, and all themes are kept")
    func head() throws {
        let vocabulary = try embeddedModel().vocabulary
        let traits = try traits(Array("remoteConfigCache.json".utf8))
        let config = try #require(vocabulary.themes.firstIndex(of: "remote-config"))
        let cache = try #require(vocabulary.themes.firstIndex(of: "cache"))
        #expect(Int(traits.head) == cache)
        #expect(traits.themes == 1 << UInt32(config) | 1 << UInt32(cache))
        #expect(vocabulary.kinds[Int(traits.kind)] == "json")
    }

    @Test("Any bytes can be a name", arguments: [[], [0xff], [0x2e], [0x2e, 0x2e, 0x2e], [0x0a, 0x40, 0x32, 0x78]])
    func anyBytes(name: [UInt8]) throws { #expect(try traits(name).head == -1) }
}
