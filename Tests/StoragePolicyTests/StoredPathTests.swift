import AppContainer
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("A stored path") struct StoredPathTests {
    private static let id = "0E51B748-1CAE-4B41-9D42-6AA70BBCFAD9"
    private static let device = "9869345A-6659-4046-8895-D6D836387159"

    @Test(
        "is found in each of its forms, with the part after the container",
        arguments: [
            ("/var/mobile/Containers/Data/Application/\(id)/Documents/a.txt", "Documents/a.txt"),
            ("file:///private/var/mobile/Containers/Data/Application/\(id)/tmp/x", "tmp/x"),
            ("/.nofollow/private/var/mobile/Containers/Data/PluginKitPlugin/\(id)/Library", "Library"),
            ("/var/mobile/Containers/Shared/AppGroup/\(id.lowercased())/a b.jpg\"", "a b.jpg"),
            ("/var/mobile/Applications/\(id)/Documents", "Documents"),
            ("/private/var/containers/Bundle/Application/\(id)/A.app/data", "A.app/data"),
            (
                "/Users/me/Library/Developer/CoreSimulator/Devices/\(device)/data/Containers/Data/Application/\(id)/tmp",
                "tmp"
            ),
            ("/Users/me/Library/Developer/XCPGDevices/\(device)/data/Containers/Data/Application/\(id)", ""),
            ("file:%2F%2F%2Fvar%2Fmobile%2fContainers%2FData%2FApplication%2F\(id)%2FDocuments%2Fa", "Documents/a"),
            (#"{"u":"\/var\/mobile\/Containers\/Data\/Application\/\#(id)\/Library\/b"}"#, "Library/b"),
        ])
    func found(text: String, tail: String) {
        #expect(StoredPath.paths(in: text).map { String(decoding: $0.tail, as: UTF8.self) } == [tail])
    }

    @Test(
        "is not a text that lacks a part",
        arguments: [
            "/var/mobile/Containers/Data/Application/not-an-identifier-of-36-characters-x/Documents/a.txt",
            "/Containers/Data/Application/\(id)/Documents/a.txt/and/more/to/be/long/enough",
            "/System/Library/Application/\(id)/Documents/a.txt/and/more/to/be/long/enough",
            "var/mobile/Containers/Data/Application/\(id)/and/no/separator/before",
            "Documents/a.txt, which is right, and is as long as an absolute path would be at least",
        ])
    func notFound(text: String) { #expect(StoredPath.paths(in: text).isEmpty) }

    @Test("is found once at any boundary of the scanned windows")
    func windows() throws {
        let path = Array("/var/mobile/Containers/Data/Application/\(Self.id)/Documents/a.txt\0".utf8)
        let bytes = [UInt8](repeating: 0x41, count: 5000) + path + [UInt8](repeating: 0x50, count: 5000)
        for cut in stride(from: 4990, to: 5090, by: 7) {
            let found = bytes.withUnsafeBytes { bytes in
                StoredPath.paths(in: bytes, from: 0..<cut, most: 9)
                    + StoredPath.paths(in: bytes, from: cut..<bytes.count, most: 9)
            }
            #expect(found.count == 1, "\(cut)")
        }
    }

    @Test(
        "leads to purgeable data only if it names a file there",
        arguments: [
            ("Library/Caches/a/b.jpg", "Library/Caches"), ("tmp/b.jpg", "tmp"), ("Library/Caches/com.example.app", nil),
            ("Library/Caches", nil), ("tmp/folder/", nil), ("Documents/tmp/b.jpg", nil), ("tmp/name", nil), ("", nil),
        ])
    func purgeable(path: String, place: String?) {
        #expect(StoredPathPredicate.purgeableLocation(of: Array(path.utf8)) == place)
    }
}
