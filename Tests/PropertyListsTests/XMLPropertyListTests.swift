import Foundation
import PropertyLists
import TestSupport
import Testing

@Suite("A property list in XML") struct XMLPropertyListTests {
    /// The output of Python: every type, nested.
    private static func written() throws -> [UInt8] {
        let write = """
            import plistlib,sys,datetime
            p={'a':['x<&>"ü',{'b':True}],'n':-5,'big':2**63+1,'d':b'12345','r':1.5,'e':[],'o':{},
               'u':{'CF$UID':3},'t':datetime.datetime(2026,2,28,12,30,15)}
            sys.stdout.buffer.write(plistlib.dumps(p,fmt=plistlib.FMT_XML))
            """
        return [UInt8](try Command("python3", ["-c", write]).output)
    }

    @Test("The output of plistlib is read", .needs(.externalProgram))
    func readsPython() throws {
        let root = try PropertyListGraph(parsing: try Self.written()).root
        #expect(root["a"]?[0]?.string == "x<&>\"ü" && root["a"]?[1]?["b"]?.node == .boolean(true))
        #expect(root["n"]?.node == .integer(-5) && root["big"]?.node == .unsigned(1 << 63 + 1))
        #expect(root["d"]?.node == .data(Array("12345".utf8)) && root["r"]?.node == .real(1.5))
        #expect(root["e"]?.node == .array([]) && root["o"]?.node == .dictionary([]) && root["u"]?.node == .uid(3))
        #expect(root["t"]?.node == .date(793_974_615))
    }

    @Test("No truncation and no flipped byte of a valid list crashes", .needs(.externalProgram))
    func hostileBytes() throws {
        let good = try Self.written()
        for length in 0..<max(0, good.count - 20) {
            _ = try? PropertyListGraph(parsing: Array(good[..<length]))
        }
        #expect(throws: PropertyListError.self) { try PropertyListGraph(parsing: Array(good[..<(good.count / 2)])) }
        var readable = 0
        for index in good.indices {
            var bytes = good
            bytes[index] ^= 0x11
            if (try? PropertyListGraph(parsing: bytes)) != nil { readable += 1 }
        }
        #expect(readable > 0 && readable < good.count)
    }

    enum Hostile: String, CaseIterable {
        case deep, entities, unknown, noKey, open

        var text: String {
            switch self {
            case .deep: "<plist>" + String(repeating: "<array>", count: 100_000)
            case .entities: "<!DOCTYPE plist [<!ENTITY a 'aaaa'>]><plist><string>&a;</string></plist>"
            case .unknown: "<plist><set/></plist>"
            case .noKey: "<plist><dict><string>x</string></dict></plist>"
            case .open: "<plist><string>x"
            }
        }
    }

    @Test("A value that a property list cannot contain is an error", arguments: Hostile.allCases)
    func hostile(input: Hostile) {
        #expect(throws: PropertyListError.self) { try PropertyListGraph(parsing: Array(input.text.utf8)) }
    }
}
