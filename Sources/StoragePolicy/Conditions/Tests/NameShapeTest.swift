internal import ContainerTree

/// `name-shape: hash`: what the name looks like. `hash` is 32, 40 or 64 hexadecimal digits, with or without an extension;
/// `cache-directory` and `scratch-directory` are names that these go by; `reverse-dns` is `com.example.app`;
/// `not-portable` is a name that other systems refuse.
struct NameShapeTest: Test {
    static let key = "name-shape"
    static let cost = Cost.free

    private enum Word: String, CaseIterable {
        case hash
        case cacheDirectory = "cache-directory"
        case scratchDirectory = "scratch-directory"
        case reverseDNS = "reverse-dns"
        case notPortable = "not-portable"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("shape", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals {
        switch word {
        case .hash: .hashNamed
        case .cacheDirectory, .scratchDirectory: .directory
        case .reverseDNS: []
        case .notPortable: .oddlyNamed
        }
    }

    func isDecided(by signals: Signals) -> Bool { word == .hash || word == .notPortable }

    func holds(for subject: inout Subject) -> Bool {
        switch word {
        case .hash: return Self.isHash(subject.item.name)
        case .cacheDirectory: return InsideTest.names.contains(name(of: subject))
        case .scratchDirectory: return ["tmp", "temp"].contains(name(of: subject))
        case .reverseDNS: return Self.isReverseDNS(subject.item.name)
        case .notPortable:
            guard let reason = NameScan.reason(of: subject.item.name) else { return false }
            subject.note("reason", reason)
            return true
        }
    }

    private func name(of subject: Subject) -> String {
        subject.item.name.count > 32 ? "" : String(decoding: subject.item.name, as: UTF8.self).lowercased()
    }

    /// Hexadecimal digits, as many as MD5, SHA-1 or SHA-256 give, before an extension.
    static func isHash(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name.count >= 32 else { return false }
        var digits = 0
        while digits < name.count, isHexadecimal(name[digits]) { digits += 1 }
        guard digits == 32 || digits == 40 || digits == 64 else { return false }
        return digits == name.count || name[digits] == UInt8(ascii: ".")
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Letters, digits, `-` and `_` in three parts or more, or in two of which the first is a top-level domain's length
    /// and an extension does not make it two; `.plist` does not count as a part.
    static func isReverseDNS(_ name: UnsafeRawBufferPointer) -> Bool {
        var parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.count > 1, let last = parts.last, last.elementsEqual("plist".utf8) { parts.removeLast() }
        guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isLabel) }) else { return false }
        return parts.count > 2 || (2...6) ~= parts[0].count
    }

    private static func isLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
