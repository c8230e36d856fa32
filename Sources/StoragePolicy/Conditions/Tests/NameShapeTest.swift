internal import ContainerTree

/// `name-shape: hash` or `cache-directory`: the name is 32, 40 or 64 hexadecimal digits, with or without an
/// extension; or one that caches go by.
struct NameShapeTest: Test {
    static let key = "name-shape"
    static let cost = Cost.free

    private enum Word: String, CaseIterable {
        case hash
        case cacheDirectory = "cache-directory"
        case scratchDirectory = "scratch-directory"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("shape", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { word == .hash ? .hashNamed : .directory }

    func holds(for subject: inout Subject) -> Bool {
        switch word {
        case .hash: return subject.signals.contains(.hashNamed)
        case .cacheDirectory: return InsideTest.names.contains(name(of: subject))
        case .scratchDirectory: return ["tmp", "temp"].contains(name(of: subject))
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
}
