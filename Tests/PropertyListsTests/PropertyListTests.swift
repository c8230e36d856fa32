import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite("PropertyList", .timeLimit(.minutes(60))) struct PropertyListTests {
    @Test("The value of the backup exclusion is the 61 bytes that macOS writes")
    func flag() throws {
        let bytes = try PropertyList.string("com.apple.backupd").binary()
        #expect(
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                == "62706c69737430305f1011636f6d2e6170706c652e6261636b757064"
                + "08000000000000010100000000000000010000000000000000000000000000001c")
    }

    @Test("Python's plistlib reads the written values exactly", .needs(.externalProgram))
    func pythonReads() throws {
        try withScratch { folder throws in
            let list = PropertyList.dictionary([
                ("text", .string("Grüße 日本")), ("yes", .boolean(true)), ("small", .integer(7)),
                ("negative", .integer(-1)), ("large", .integer(.max)), ("real", .real(1.5)), ("day", .date(0)),
                ("bytes", .data([0, 255])), ("many", .array((0..<300).map { .integer($0) })), ("uid", .uid(300)),
            ])
            let file = folder.appending(path: "p")
            try Data(try list.binary()).write(to: file)
            let read = """
                import plistlib,sys
                p=plistlib.load(open(sys.argv[1],'rb'))
                print(p['text'],p['yes'],p['small'],p['negative'],p['large'],p['real'],p['day'],p['bytes'],
                      p['many']==list(range(300)),p['uid'])
                """
            #expect(
                try Command("python3", ["-c", read, file.path], environment: ["PYTHONIOENCODING": "utf-8"]).text
                    == "Grüße 日本 True 7 -1 9223372036854775807 1.5 2001-01-01 00:00:00 b'\\x00\\xff' True UID(300)\n")
        }
    }

    /// The output of Python: nested, with shared strings, large numbers and a UID.
    private static func written() throws -> [UInt8] {
        let write = """
            import plistlib,sys,datetime
            p={'a':['x','x',{'b':'ü'}],'n':-5,'big':2**63+1,'d':b'12','u':plistlib.UID(3),'m':list(range(300))}
            sys.stdout.buffer.write(plistlib.dumps(p,fmt=plistlib.FMT_BINARY))
            """
        return [UInt8](try Command("python3", ["-c", write]).output)
    }

    @Test("The output of plistlib is read", .needs(.externalProgram))
    func readsPython() throws {
        let root = try PropertyListGraph(parsing: try Self.written()).root
        #expect(root["a"]?[0]?.string == "x" && root["a"]?[2]?["b"]?.string == "ü")
        #expect(root["n"]?.node == .integer(-5) && root["big"]?.node == .unsigned(1 << 63 + 1))
        #expect(root["d"]?.node == .data([0x31, 0x32]) && root["u"]?.node == .uid(3))
        #expect(root["m"]?[299]?.node == .integer(299) && root["m"]?[300] == nil && root["none"] == nil)
    }

    @Test("Integers beyond Int64, and strings that only Swift considers equal, are written unchanged")
    func unsignedAndAccents() throws {
        let list = PropertyList.array([.unsigned(.max), .unsigned(7), .string("\u{e9}"), .string("e\u{301}")])
        let root = try PropertyListGraph(parsing: try list.binary()).root
        #expect(root[0]?.node == .unsigned(.max) && root[1]?.node == .integer(7))
        #expect(root[2]?.string?.unicodeScalars.count == 1 && root[3]?.string?.unicodeScalars.count == 2)
        #expect(root.members?.count == 4 && root.pairs == nil)
    }

    @Test("No truncation and no flipped byte of a valid list crashes", .needs(.externalProgram))
    func hostileBytes() throws {
        let good = try Self.written()
        for length in 0..<good.count {
            #expect(throws: PropertyListError.self) { try PropertyListGraph(parsing: Array(good[..<length])) }
        }
        var readable = 0
        for index in good.indices {
            for flip: UInt8 in [0x01, 0x80, 0xff] {
                var bytes = good
                bytes[index] ^= flip
                if (try? PropertyListGraph(parsing: bytes)) != nil { readable += 1 }
            }
        }
        #expect(readable > 0 && readable < good.count * 3)
    }

    @Test("A cycle and shared elements cost no more than their bytes")
    func graphs() throws {
        // An array that contains itself twice: the table refers to object 0 within object 0.
        let bytes: [UInt8] =
            Array("bplist00".utf8) + [0xa2, 0, 0] + [8] + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
            + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 11]
        let root = try PropertyListGraph(parsing: bytes).root
        #expect(root[0]?[1]?[0]?.node == .array([0, 0]))
    }

    @Test("A count larger than the input or the limits is an error", .needs(.externalProgram))
    func limits() throws {
        let good = try Self.written()
        var limits = PropertyListGraph.Limits()
        limits.objects = 10
        #expect(throws: PropertyListError.self) { try PropertyListGraph(parsing: good, limits: limits) }
        limits = .init()
        limits.contents = 20
        #expect(throws: PropertyListError.self) { try PropertyListGraph(parsing: good, limits: limits) }
        // A trailer that states 2^62 objects.
        var lie = good
        lie[lie.count - 24] = 0x40
        let error = #expect(throws: PropertyListError.self) { try PropertyListGraph(parsing: lie) }
        #expect(error?.code == .malformed)
    }
}
