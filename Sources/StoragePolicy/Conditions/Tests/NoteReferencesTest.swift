internal import ContainerTree

/// `note-references: [movpkg]`: notes each name with such an extension that the file's content holds, for `referenced`.
/// It holds for nothing itself.
struct NoteReferencesTest: Test {
    static let key = "note-references"
    static let cost = Cost.read
    private let endings: [[UInt8]]

    init(_ value: YAMLValue) throws(SourceError) { endings = try value.strings().map { Array(".\($0)".utf8) } }

    func signals(_ slots: inout SignalSlots) -> Signals { .filled }

    func holds(for subject: inout Subject) -> Bool {
        let notes = subject.policy.notes
        // The bytes show what bookmarks and databases hold; the texts what is escaped or of two bytes a letter.
        subject.facts.scan { bytes, starts in
            note(in: bytes, from: starts, to: notes)
            return true
        }
        for value in subject.facts[TextValuesFact.self] {
            var text = value.text
            text.withUTF8 { note(in: UnsafeRawBufferPointer($0), from: 0..<$0.count, to: notes) }
        }
        return false
    }

    private func note(in bytes: UnsafeRawBufferPointer, from starts: Range<Int>, to notes: ContainerNotes) {
        for start in starts where bytes[start] == UInt8(ascii: ".") {
            for ending in endings where start + ending.count <= bytes.count {
                guard ending.indices.allSatisfy({ bytes[start + $0] == ending[$0] }) else { continue }
                note(nameEndingAt: start + ending.count, in: bytes, to: notes)
            }
        }
    }

    /// In a database a name stands right behind whatever is stored before it, so each beginning is noted that it may
    /// have.
    private func note(nameEndingAt end: Int, in bytes: UnsafeRawBufferPointer, to notes: ContainerNotes) {
        var start = end
        while start > 0, end - start < 255, bytes[start - 1] >= 0x20, bytes[start - 1] != UInt8(ascii: "/") {
            start -= 1
        }
        while start < end {
            notes.refer(to: String(decoding: bytes[start..<end], as: UTF8.self))
            start += 1
        }
    }
}
