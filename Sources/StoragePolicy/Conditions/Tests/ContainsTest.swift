internal import ContainerTree
internal import FileSystem

/// `contains: [HKQuantityTypeIdentifier]`: one of these texts stands somewhere in the content, as UTF-8.
struct ContainsTest: Test {
    static let key = "contains"
    static let cost = Cost.read
    private let texts: [[UInt8]]

    init(_ value: YAMLValue) throws(SourceError) {
        texts = try value.strings().map { Array($0.utf8) }
        guard texts.allSatisfy({ (4...128).contains($0.count) }) else {
            throw value.error("expected a text of 4 to 128 bytes")
        }
    }

    func signals(_ slots: inout SignalSlots) -> Signals {
        slots.size(UInt64(texts.map(\.count).min() ?? 1)...UInt64.max)
    }

    func holds(for subject: inout Subject) -> Bool {
        var found: [UInt8]?
        subject.facts.scan { bytes, starts in
            found = first(in: bytes, from: starts)
            return found == nil
        }
        guard let found else { return false }
        subject.note("content", String(decoding: found, as: UTF8.self))
        return true
    }

    private func first(in bytes: UnsafeRawBufferPointer, from starts: Range<Int>) -> [UInt8]? {
        for start in starts {
            for text in texts where bytes[start] == text[0] && start + text.count <= bytes.count {
                if text.indices.allSatisfy({ bytes[start + $0] == text[$0] }) { return text }
            }
        }
        return nil
    }
}
