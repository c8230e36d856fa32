@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
internal import PropertyLists
@testable import StoragePolicy
import Testing

@Suite("Texts in files") struct TextsTests {
    private func json(_ text: String) -> [String] {
        var found: [String] = []
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            var texts = JSONTexts(in: bytes)
            while found.count < 1000, let text = texts.next() {
                found.append("\(texts.pointer(from: .root).text)=\(texts.string(text))")
            }
        }
        return found
    }

    @Test(
        "are found in JSON with the path of each",
        arguments: [
            (#"{"a": "x", "b": {"c": ["y", 1, "z"]}, "d": null}"#, ["/a=x", "/b/c/0=y", "/b/c/2=z"]),
            (#"["a", {"b": "c"}]"#, ["/0=a", "/1/b=c"]),
            (#"{"a": "q\"\\\/\n\u00e9\ud83d\ude00"}"#, ["/a=q\"\\/\né😀"]),
            (#"{"a": "x", "b": "cut o"#, ["/a=x", "/b=cut o"]),
            (#"{"a": "x"#, ["/a=x"]),
            ("}}]],,\"a\"", ["=a"]),
            (#"{"\ud83d": "\u"}"#, ["/\u{fffd}=\u{fffd}"]),
            ("", []), ("{", []), ("\"\\", ["=\\"]),
        ])
    func inJSON(text: String, expected: [String]) { #expect(json(text) == expected) }

    @Test("The cost of JSON is proportional to its bytes, at any depth and breadth")
    func hostileJSON() {
        #expect(json(String(repeating: "[", count: 200_000) + "\"a\"") == [])
        #expect(json(String(repeating: "{\"k\":", count: 100_000)).isEmpty)
        let long = String(repeating: "k", count: 60_000)
        #expect(json("{\"\(long)\": [" + String(repeating: "\"a\",", count: 2_000)).count == 1000)
    }

    @Test("Settings in lines have a key, a separator and a value")
    func lines() {
        var found: [String] = []
        LineTexts.visit(Array("[s]\r\na = \"x\" \r\nb: y\n\n=\n: \nc=\n d=1=2".utf8)) { pointer, text in
            found.append("\(pointer.text)|\(pointer.name)|\(text)")
            return true
        }
        #expect(found == ["line 2/a|a|x", "line 3/b|b|y", "line 8/d|d|1=2"])
    }

    @Test(
        "A section in brackets is not an array if the file has the name of a settings file",
        arguments: [
            ("[server]\nkey = x", false), ("\u{feff} [[products]]\nname = x", false), ("[1]\na = b", false),
            ("[remote \"origin\"]", false), ("key = x", false), ("", false),
            ("[{\"key\": \"x\"}]", true), ("[ \"x\" ]", true), ("[[\"x\"]]", true), (" {\"key\": 1}", true),
        ])
    func sections(text: String, isJSON: Bool) {
        #expect(TextValuesFact.beginsAsJSON(Array(text.utf8), isSettings: true) == isJSON)
        // Under any other name a bracket is JSON's.
        let bracket = text.contains("[") || text.contains("{")
        #expect(TextValuesFact.beginsAsJSON(Array(text.utf8), isSettings: false) == bracket)
    }

    @Test("A property list with mutual references is traversed once")
    func sharedLists() throws {
        // One array of 255 references to itself and a text, 200 times over.
        var bytes = Array("bplist00".utf8)
        let offsets = [bytes.count, bytes.count + 3 + 255]
        bytes += [0xaf, 0x10, 255] + [UInt8](repeating: 0, count: 254) + [1] + [0x51, 0x61]
        let table = bytes.count
        bytes += offsets.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        bytes += [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, 2] + [UInt8](repeating: 0, count: 8)
        bytes += [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 0xff)]
        let graph = try PropertyListGraph(parsing: bytes)
        var walk = PropertyListWalk(in: graph)
        var found: [String] = []
        walk.start(at: graph.root)
        while walk.next() != nil { found.append(walk.pointer(from: .root).text) }
        #expect(found == ["/254"])
    }
}
