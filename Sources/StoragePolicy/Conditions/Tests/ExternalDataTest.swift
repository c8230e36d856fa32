internal import ContainerTree
internal import FileSystem
internal import TextOutput

/// `external-data: missing`: a Core Data store refers to a file in its support directory that is not there.
/// `external-data: unreferenced`: such a file is there, and its store, which was read, does not refer to it.
///
/// Files and stores are met in any order, so either word notes both. Answered when the container has been read.
struct ExternalDataTest: Test {
    static let key = "external-data"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case missing, unreferenced }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("state", Word.self) }

    func signals(_ slots: inout SignalSlots) -> Signals { .file }

    func holds(for subject: inout Subject) -> Bool {
        let path = subject.directory.path
        if path.suffix(Self.suffix.count).elementsEqual(Self.suffix) { return file(in: path, &subject) }
        guard subject.item.status.size > 0 else { return false }
        // Core Data names the directory after the store, less its extension.
        let name = Array(subject.item.name)
        let stem = name.lastIndex(of: UInt8(ascii: ".")).map { Array(name[..<$0]) } ?? name
        let support = Array(".".utf8) + stem + Array("_SUPPORT".utf8)
        guard subject.item.source.status(ofSibling: support)?.kind == .directory,
            let references = subject.facts[ExternalReferencesFact.self]
        else { return false }
        let folder = (path.isEmpty ? [] : path + Array("/".utf8)) + support + Array("/_EXTERNAL_DATA".utf8)
        let keys = references.sorted().map { Self.key(of: Array($0.utf8), in: folder) }
        subject.policy.notes.see(Self.key(of: [], in: folder))
        for key in keys { subject.policy.notes.refer(to: key) }
        guard word == .missing, !keys.isEmpty else { return false }
        return subject.ask(.isAnyMissing(keys))
    }

    private func file(in folder: [UInt8], _ subject: inout Subject) -> Bool {
        let key = Self.key(of: Array(subject.item.name), in: folder)
        subject.policy.notes.see(key)
        guard word == .unreferenced else { return false }
        return subject.ask(.wasSeen(Self.key(of: [], in: folder))) && subject.ask(.isUnreferenced(key))
    }

    private static let suffix = Array("_SUPPORT/_EXTERNAL_DATA".utf8)

    /// What a file is noted as; without a name, that the folder's store was read.
    private static func key(of name: [UInt8], in folder: [UInt8]) -> String {
        "external data \(ByteText.escaped(folder))/\(ByteText.escaped(name))"
    }
}
